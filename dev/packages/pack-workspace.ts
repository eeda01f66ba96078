import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pack } from '../pack.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Packs a workspace without its sources: `build` writes files to `dist/` of its folder in `output`, and returns the
 * fields of `package.json` that name them. Returns the file that `npm install` takes.
 */
export async function packWorkspace(
  workspace: string,
  output: string,
  build: (folder: string) => Promise<Record<string, unknown>>,
): Promise<string> {
  const { name, version, description, license, type, engines } = JSON.parse(
    await readFile(`${root}${workspace}/package.json`, 'utf8'),
  )
  const folder = `${output}${name.replace('@', '').replace('/', '-')}/`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const manifest = { name, version, description, license, type, engines, ...(await build(folder)) }
  await cp(`${root}LICENSE`, `${folder}LICENSE`)
  await cp(`${root}${workspace}/README.md`, `${folder}README.md`)
  await writeFile(`${folder}package.json`, `${JSON.stringify({ ...manifest, files: ['dist'] }, null, 2)}\n`)
  return pack(folder, output)
}
