/**
 * `npm run image`: builds the container image in `dist/`, with buildah and without an image registry. Its base is two
 * Debian packages, glibc and libstdc++, from mmdebstrap. `--base <image>` takes another base. The image contains
 * Node.js, the production package with its dependencies, and a software bill of materials.
 */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from './build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const context = `${root}dist/image/`
const files = `${context}root/`
const debianRelease = 'bookworm'
/** Time of all files in the image, so that two builds are equal. */
const epoch = '1700000000'
const run = promisify(execFile)
const { values: options } = parseArgs({ options: { base: { type: 'string' } } })

const { folder, version } = await build()
await mkdir(`${files}usr/bin`, { recursive: true })
await cp(`${root}node_modules/node-linux-${process.arch}/bin/node`, `${files}usr/bin/node`, {
  dereference: true,
})
await chmod(`${files}usr/bin/node`, 0o755)
await installPackage()
await writeSbom()
const archive = `${root}dist/hookline-server-${version}-${process.arch}.tar`
await buildImage(options.base ?? (await buildBase()), archive)
const { size } = await stat(archive)
console.log(`${archive.slice(root.length)}: ${(size / 1e6).toFixed(1)} MB`)

async function installPackage(): Promise<void> {
  await cp(folder, `${files}opt/hookline`, { recursive: true })
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', ['ci', ...flags], { cwd: `${files}opt/hookline` })
}

/** npm adds a random id and the time, which would make every build different. */
async function writeSbom(): Promise<void> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev']
  const { stdout } = await run('npm', args, { cwd: `${files}opt/hookline`, maxBuffer: 1e8 })
  const { serialNumber: _id, metadata, ...sbom } = JSON.parse(stdout)
  const { timestamp: _time, ...stableMetadata } = metadata
  const text = `${JSON.stringify({ ...sbom, metadata: stableMetadata }, null, 2)}\n`
  await mkdir(`${files}usr/share/doc/hookline`, { recursive: true })
  await writeFile(`${files}usr/share/doc/hookline/sbom.cdx.json`, text)
  await writeFile(`${root}dist/hookline-server-${version}.cdx.json`, text)
}

/** The variant `extract` unpacks packages and runs none of their scripts, so the base has no shell. */
async function buildBase(): Promise<string> {
  const name = 'localhost/hookline-base'
  const tarball = `${context}base.tar`
  await run('mmdebstrap', ['--quiet', '--variant=extract', '--include=libstdc++6', debianRelease, tarball], {
    env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
  })
  await writeFile(`${context}Containerfile.base`, 'FROM scratch\nADD base.tar /\n')
  await buildah(['--file', `${context}Containerfile.base`, '--tag', name, context])
  await rm(tarball)
  return name
}

async function buildImage(base: string, target: string): Promise<void> {
  const revision = (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim()
  const tag = `localhost/hookline-server:${version}`
  const args = { BASE: base, VERSION: version, REVISION: revision }
  await buildah([
    ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
    `--file=${root}deploy/container/Containerfile`,
    `--tag=${tag}`,
    context,
  ])
  // An archive from buildah would contain the time of the build.
  const layout = `${context}layout`
  await run('buildah', ['push', tag, `oci:${layout}:${tag}`])
  const stable = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  await run('tar', [...stable, '--create', '--file', target, '--directory', layout, '.'])
}

/** The format of Docker would contain random host names. That of OCI has no health check: orchestrators define it. */
async function buildah(args: readonly string[]): Promise<void> {
  await run('buildah', ['build', '--format=oci', `--timestamp=${epoch}`, '--layers=false', ...args])
}
