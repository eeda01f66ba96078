/**
 * `npm run deb`: builds the Debian package `dist/hookline-server_<version>_<architecture>.deb`. It contains the
 * production package with its dependencies, Node.js, systemd units and a software bill of materials. Two builds of a
 * commit have the same bytes.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from './build.ts'
import { epoch, installTree } from './install-tree.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const tree = `${root}dist/deb/`
const doc = 'usr/share/doc/hookline-server'
const units = 'usr/lib/systemd/system'
const architecture = process.arch === 'x64' ? 'amd64' : process.arch
const run = promisify(execFile)

/** Copied as they are, from `deploy` to the package. */
const files = [
  ['debian/hookline-server', 'usr/bin/hookline-server'],
  ['debian/hookline-admin', 'usr/bin/hookline-admin'],
  ['debian/hookline.env', 'etc/hookline/hookline.env'],
  ['systemd/hookline.target', `${units}/hookline.target`],
  ['systemd/hookline-migrate.service', `${units}/hookline-migrate.service`],
  ['systemd/hookline-api.service', `${units}/hookline-api.service`],
  ['systemd/hookline-worker@.service', `${units}/hookline-worker@.service`],
  ['systemd/hookline-.service.d', `${units}/hookline-.service.d`],
  ['systemd/sysusers.d', 'usr/lib/sysusers.d'],
  ['nginx/hookline.conf', `${doc}/nginx.conf`],
  ['debian/conffiles', 'DEBIAN/conffiles'],
  ['debian/postinst', 'DEBIAN/postinst'],
  ['debian/prerm', 'DEBIAN/prerm'],
  ['debian/postrm', 'DEBIAN/postrm'],
] as const

const { folder, version } = await build()
await installTree(folder, {
  app: `${tree}usr/lib/hookline`,
  node: `${tree}usr/lib/hookline/bin/node`,
  sboms: [`${tree}${doc}/sbom.cdx.json`],
})
for (const [source, target] of files)
  await cp(`${root}deploy/${source}`, `${tree}${target}`, { recursive: true })
await writeDocs()
await run('chmod', ['--recursive', 'u=rwX,go=rX', tree])
await mkdir(`${tree}etc/hookline/credentials`)
await chmod(`${tree}etc/hookline/credentials`, 0o700)
await writeMetadata(version.replace('-', '~'))
const archive = await pack()
const { size } = await stat(`${root}${archive}`)
console.log(`${archive}: ${(size / 1e6).toFixed(1)} MB`)

async function writeDocs(): Promise<void> {
  await cp(`${root}LICENSE`, `${tree}${doc}/copyright`)
  const changelog = await readFile(`${root}CHANGELOG.md`)
  await writeFile(`${tree}${doc}/changelog.gz`, gzipSync(changelog, { level: 9 }))
}

/** Writes the control file, and the digests that `dpkg --verify` compares. */
async function writeMetadata(debianVersion: string): Promise<void> {
  const entries = await readdir(`${tree}usr`, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const digests: string[] = []
  let bytes = 0
  for (const path of paths.toSorted()) {
    const content = await readFile(path)
    bytes += content.length
    digests.push(`${createHash('md5').update(content).digest('hex')}  ${path.slice(tree.length)}\n`)
  }
  await writeFile(`${tree}DEBIAN/md5sums`, digests.join(''))
  const control = (await readFile(`${root}deploy/debian/control`, 'utf8'))
    .replace('@version@', debianVersion)
    .replace('@architecture@', architecture)
    .replace('@size@', String(Math.ceil(bytes / 1024)))
  await writeFile(`${tree}DEBIAN/control`, control)
}

/** Returns the path of the package. dpkg-deb chooses the file name. */
async function pack(): Promise<string> {
  const options = ['--root-owner-group', '-Zzstd', '--threads-max=1', '--build']
  const { stdout } = await run('dpkg-deb', [...options, 'dist/deb', 'dist'], {
    cwd: root,
    env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
  })
  const [path = ''] = /dist\/\S+\.deb/.exec(stdout) ?? []
  return path
}
