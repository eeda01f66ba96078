/** Builds the container image and checks its contents. */
import { git } from '../../../dev/git.ts'
import { succeeds } from '../support/succeeds.ts'
import { buildArtifact, buildTwice } from './build-twice.ts'
import { podman, runContainer } from './podman.ts'

const maxMegabytes = 220

/** Builds the image twice, compares the bytes, and returns the name of the loaded image. */
export async function buildCheckedImage(): Promise<string> {
  const image = await loadImage(await buildTwice('image'))
  await rejectShell(image)
  return image
}

/** Returns the name of an image of the current commit. Builds it unless the last build was of this commit. */
export async function buildImageOfCommit(): Promise<string> {
  const [revision, changes] = [await git('rev-parse', 'HEAD'), await git('status', '--porcelain')]
  const filter = `--filter=label=org.opencontainers.image.revision=${revision}`
  const images = await podman('images', filter, '--format={{.Repository}}:{{.Tag}}')
  const image = images.split('\n').find((name) => name.includes('/hookline-server:'))
  return image !== undefined && changes === '' ? image : loadImage(await buildArtifact('image'))
}

async function loadImage(archive: string): Promise<string> {
  const loaded = await podman('load', '--quiet', '--input', archive)
  const image = loaded.split(': ').at(-1) ?? ''
  const [details] = JSON.parse(await podman('image', 'inspect', image))
  const megabytes = details.Size / 1e6
  console.log(`${image}: ${megabytes.toFixed(0)} MB, user ${details.User}, labels`, details.Labels)
  if (megabytes > maxMegabytes) throw new Error(`the image has more than ${maxMegabytes} MB`)
  if (details.User !== '10001:10001') throw new Error(`the image runs as user ${details.User}`)
  return image
}

async function rejectShell(image: string): Promise<void> {
  const runs = (program: string, ...args: string[]): Promise<boolean> =>
    succeeds(runContainer({ image, env: {}, entrypoint: program }, ...args))
  if (!(await runs('/usr/bin/node', '--version'))) throw new Error('the image does not run')
  for (const shell of ['/bin/sh', '/bin/bash', '/usr/bin/sh', '/usr/bin/bash', '/bin/busybox'])
    if (await runs(shell, '-c', 'true')) throw new Error(`the image contains ${shell}`)
}
