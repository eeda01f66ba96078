/**
 * `npm run build:cli`: builds the command line tool in `dist/hookline-cli/` and packs it, as one file without
 * dependencies.
 */
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pack } from './pack.ts'
import { viteBuild } from './vite-build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = `${root}dist/`
const folder = `${output}hookline-cli/`

/** Returns the file that `npm install` takes. */
export async function buildCli(): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await viteBuild('cli', `${folder}dist`)
  await chmod(`${folder}dist/hookline.js`, 0o755)
  await cp(`${root}LICENSE`, `${folder}LICENSE`)
  await cp(`${root}cli/README.md`, `${folder}README.md`)
  const { name, version, description, license, type, engines } = JSON.parse(
    await readFile(`${root}cli/package.json`, 'utf8'),
  )
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { hookline: 'dist/hookline.js' },
    files: ['dist'],
  }
  await writeFile(`${folder}package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  return pack(folder, output)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(`npm install -g ${(await buildCli()).slice(root.length)}`)
