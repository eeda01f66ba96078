import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packWorkspace } from './pack-workspace.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Compiles a library to modules with declarations and packs it. Returns the file that `npm install` takes. */
export async function buildLibrary(workspace: 'receiver' | 'sdk', output: string): Promise<string> {
  return packWorkspace(workspace, output, async (folder) => {
    await compile(`${root}${workspace}/src`, folder)
    const entry = { types: './dist/index.d.ts', default: './dist/index.js' }
    return { exports: { '.': entry, './package.json': './package.json' }, sideEffects: false }
  })
}

/** With the compiler options of the repository, from a file because options and files do not mix on a command line. */
async function compile(sources: string, folder: string): Promise<void> {
  const config = {
    extends: `${root}tsconfig.json`,
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rootDir: sources,
      outDir: `${folder}dist`,
      // The folder of the package can be anywhere.
      typeRoots: [`${root}node_modules/@types`],
    },
    files: [`${sources}/index.ts`],
    include: [],
  }
  const file = `${folder}tsconfig.json`
  await writeFile(file, JSON.stringify(config))
  await promisify(execFile)('tsc', ['--project', file])
  await rm(file)
}
