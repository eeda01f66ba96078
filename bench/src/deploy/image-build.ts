/** Builds the container image and checks its contents. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { containerEnv, podman, runContainer } from './podman.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const maxMegabytes = 220

/** Builds the image twice, compares the bytes, and returns the name of the loaded image. */
export async function buildCheckedImage(): Promise<string> {
  const image = await loadImage(await buildTwice())
  await rejectShell(image)
  return image
}

async function buildTwice(): Promise<string> {
  const first = await readFile(await buildImage())
  const archive = await buildImage()
  const second = await readFile(archive)
  if (!first.equals(second)) throw new Error('two builds of the image have different bytes')
  console.log('two builds of the image have the same bytes')
  return archive
}

/** Returns the path of the archive. */
async function buildImage(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'image'], {
    cwd: root,
    env: containerEnv,
  })
  const [, file = ''] = /^(\S+\.tar):/m.exec(stdout) ?? []
  return join(root, file)
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
    runContainer({ image, env: {}, entrypoint: program }, ...args).then(
      () => true,
      () => false,
    )
  if (!(await runs('/usr/bin/node', '--version'))) throw new Error('the image does not run')
  for (const shell of ['/bin/sh', '/bin/bash', '/usr/bin/sh', '/usr/bin/bash', '/bin/busybox'])
    if (await runs(shell, '-c', 'true')) throw new Error(`the image contains ${shell}`)
}
