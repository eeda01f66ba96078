/**
 * `npm run build`: builds the production package in `dist/hookline-server/` and packs it. The package contains the
 * bundled server, migrations and the dashboard. A shrinkwrap file pins its dependencies. Two builds of a commit have the
 * same bytes.
 */
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installedPackages } from '../server/vite.config.ts'
import { buildWeb } from './build-web.ts'
import { pruneLockfile } from './sbom.ts'
import { pack } from './pack.ts'
import { viteBuild } from './vite-build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const output = `${root}dist/`
const folder = `${output}hookline-server/`

/** Copied as they are, from the repository to the package. */
const parts = [
  ['server/migrations', 'migrations'],
  ['server/README.md', 'README.md'],
  ['docs/configuration.md', 'docs/configuration.md'],
  ['CHANGELOG.md', 'CHANGELOG.md'],
  ['LICENSE', 'LICENSE'],
] as const

interface Build {
  /** The unpacked package. */
  folder: string
  /** The file that `npm install` takes. */
  tarball: string
  version: string
}

export async function build(): Promise<Build> {
  await rm(output, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await viteBuild('server', `${folder}dist`)
  await chmod(`${folder}dist/cli.js`, 0o755)
  await buildWeb(`${folder}dashboard`)
  for (const [source, target] of parts)
    await cp(`${root}${source}`, `${folder}${target}`, { recursive: true })
  const version = await writeManifest()
  await writeShrinkwrap()
  return { folder, tarball: await pack(folder, output), version }
}

/** Bundled packages are not dependencies: an installation would contain them twice. */
async function writeManifest(): Promise<string> {
  const { description, license, engines } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const { version, type, dependencies } = JSON.parse(await readFile(`${root}server/package.json`, 'utf8'))
  const manifest = {
    name: 'hookline-server',
    version,
    description,
    license,
    type,
    bin: { 'hookline-server': 'dist/cli.js' },
    files: ['dist', 'migrations', 'dashboard', 'docs', 'CHANGELOG.md', 'npm-shrinkwrap.json'],
    engines,
    dependencies: Object.fromEntries(installedPackages.map((name) => [name, dependencies[name]])),
  }
  await writeFile(`${folder}package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  return version
}

async function writeShrinkwrap(): Promise<void> {
  await pruneLockfile(folder)
  await rename(`${folder}package-lock.json`, `${folder}npm-shrinkwrap.json`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { tarball } = await build()
  const bytes = await readFile(tarball)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  console.log(`${tarball.slice(root.length)}: ${(bytes.length / 1e6).toFixed(1)} MB, SHA-256 ${sha256}`)
}
