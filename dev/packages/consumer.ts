import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const run = promisify(execFile)
const installedTypes = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))

interface TypeCheck {
  moduleResolution: 'nodenext' | 'bundler'
  lib?: readonly string[]
  /** Of packages in `@types`. */
  types?: readonly string[]
}

/** A project in an empty folder with one package installed, as a user of a library has it. */
export interface PackageConsumer {
  /** Runs a program. Returns its output. */
  run: (file: string, program: string) => Promise<string>
  /** Returns the errors of the compiler, empty if there are none. */
  check: (program: string, options: TypeCheck) => Promise<string>
  /** Returns the size of a program bundled with what it imports, in bytes. */
  bundle: (program: string) => Promise<{ minified: number; gzipped: number }>
  remove: () => Promise<void>
}

export async function createPackageConsumer(packedFile: string): Promise<PackageConsumer> {
  const cwd = await mkdtemp(join(tmpdir(), 'hookline-consumer-'))
  await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packedFile], { cwd })
  const write = (file: string, text: string) => writeFile(join(cwd, file), text)
  return {
    async run(file, program) {
      await write(file, program)
      return (await run(process.execPath, [file], { cwd })).stdout
    },
    async check(program, { moduleResolution, lib = ['es2024', 'dom'], types = ['node'] }) {
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext'
      const typeRoots = [installedTypes]
      const compilerOptions = { strict: true, noEmit: true, module, moduleResolution, lib, types, typeRoots }
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['check.ts'] }))
      await write('check.ts', program)
      return run('tsc', [], { cwd }).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      )
    },
    async bundle(program) {
      await write('bundle.js', program)
      await run('rolldown', ['bundle.js', '--file', 'bundled.js', '--minify', '--platform', 'node'], { cwd })
      const code = await readFile(join(cwd, 'bundled.js'))
      return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length }
    },
    remove: () => rm(cwd, { recursive: true }),
  }
}
