/**
 * `npm run image`: builds the container image in `dist/`, with buildah and without an image registry. Its base is two
 * Debian packages, glibc and libstdc++, from mmdebstrap. `--base <image>` takes another base. The image contains
 * Node.js, the production package with its dependencies, and a software bill of materials.
 */
import { execFile } from 'node:child_process'
import { rm, stat, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from './build.ts'
import { git } from './git.ts'
import { epoch, installTree } from './install-tree.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const context = `${root}dist/image/`
const files = `${context}root/`
const debianRelease = 'bookworm'
const run = promisify(execFile)
const { values: options } = parseArgs({ options: { base: { type: 'string' } } })

const { folder, version } = await build()
await installTree(folder, {
  app: `${files}opt/hookline`,
  node: `${files}usr/bin/node`,
  sboms: [`${files}usr/share/doc/hookline/sbom.cdx.json`, `${root}dist/hookline-server-${version}.cdx.json`],
})
const archive = `${root}dist/hookline-server-${version}-${process.arch}.tar`
await buildImage(options.base ?? (await buildBase()), archive)
const { size } = await stat(archive)
console.log(`${archive.slice(root.length)}: ${(size / 1e6).toFixed(1)} MB`)

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
  const revision = await git('rev-parse', 'HEAD')
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
