/**
 * `npm run prove -- image`: builds the container image twice and compares the bytes. Runs it without root, without
 * capabilities and with a read-only file system: migrates a database, starts an api and two workers, delivers events,
 * and stops a worker under load. Every accepted event must be delivered once.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../../dev/ports.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import { startServices } from '../../../dev/services.ts'
import { type Cleanup, createCleanup } from '../support/cleanup.ts'
import { createEmptyDatabase } from '../support/database.ts'
import {
  containerEnv,
  type ContainerSettings,
  podman,
  runContainer,
  startContainer,
  stopContainer,
} from './podman.ts'
import { sendEvent, tryOut, waitUntilReady } from './try-out.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const maxMegabytes = 220
const graceSeconds = 45
const loadEvents = 600
const eventsPerSecond = 100

export async function proveImage(): Promise<void> {
  const cleanup = createCleanup()
  try {
    const archive = await buildTwice()
    const image = await loadImage(archive)
    await rejectShell(image)
    const { settings, internalUrls, url } = await prepare(image, cleanup)
    const prefix = `hookline-prove-${process.pid}`
    const [internalUrl = '', ...workerUrls] = internalUrls
    const start = async (name: string, role: string, env: Record<string, string>): Promise<string> => {
      const container = `${prefix}-${name}`
      cleanup.push(() => podman('rm', '--force', '--time=0', container))
      await startContainer(container, { ...settings, env: { ...settings.env, ...env } }, role)
      return container
    }
    await runContainer(settings, 'migrate')
    const api = await start('api', 'api', { PORT: new URL(url).port, ...internalPort(internalUrl) })
    const workers: string[] = []
    for (const [index, workerUrl] of workerUrls.entries())
      workers.push(await start(`worker-${index}`, 'worker', internalPort(workerUrl)))
    for (const listener of internalUrls) await waitUntilReady(listener)

    const receiver = await startReceiver()
    cleanup.push(() => receiver.close())
    const admin = (args: readonly string[]): Promise<string> => runContainer(settings, 'admin', ...args)
    const customer = await tryOut({ admin, url, internalUrl }, receiver)
    await podman('exec', api, '/usr/bin/node', '/opt/hookline/dist/cli.js', 'health')
    console.log('migrated, started an api and two workers, delivered an event; the health check passes')

    const accepted: string[] = []
    const load = (async () => {
      for (let count = 0; count < loadEvents; count++) {
        const id = `load-${count}-`
        await sendEvent(internalUrl, customer, id)
        accepted.push(id)
        await sleep(1_000 / eventsPerSecond)
      }
    })()
    await sleep((loadEvents / eventsPerSecond) * 300)
    const [stopped = ''] = workers
    const stoppedAt = performance.now()
    const code = await stopContainer(stopped, graceSeconds)
    const seconds = ((performance.now() - stoppedAt) / 1_000).toFixed(1)
    await load
    await receiver.until(() => receiver.at('/first').length >= accepted.length + 1, 60_000)
    await sleep(2_000)
    const bodies = receiver.requests.map(({ body, url: path }) => body + path)
    const counts = accepted.map((id) => bodies.filter((body) => body.includes(id)).length)
    const lost = counts.filter((count) => count === 0).length
    const repeated = counts.filter((count) => count > 1).length
    const apiCode = await stopContainer(api, graceSeconds)
    console.log(
      `stopped a worker within ${seconds} s under ${eventsPerSecond} events/s: ${accepted.length} events, ${lost} lost, ${repeated} repeated; exit codes ${code} and ${apiCode}`,
    )
    if (lost + repeated + code + apiCode > 0) throw new Error('the image does not stop cleanly')
    console.log('\nimage: passed')
  } finally {
    await cleanup.run()
  }
}

async function buildTwice(): Promise<string> {
  const [first, second] = [await buildImage(), await buildImage()]
  if (first.digest !== second.digest) throw new Error('two builds of the image have different bytes')
  console.log('two builds of the image have the same bytes')
  return second.archive
}

async function buildImage(): Promise<{ archive: string; digest: string }> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'image'], {
    cwd: root,
    env: containerEnv,
  })
  const [, file = ''] = /^(\S+\.tar):/m.exec(stdout) ?? []
  const archive = join(root, file)
  return {
    archive,
    digest: createHash('sha256')
      .update(await readFile(archive))
      .digest('hex'),
  }
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

interface Prepared {
  settings: ContainerSettings
  url: string
  /** Of the api and of each worker. */
  internalUrls: string[]
}

async function prepare(image: string, cleanup: Cleanup): Promise<Prepared> {
  const { DATABASE_URL } = await startServices(console.log)
  const { url: databaseUrl, drop } = await createEmptyDatabase(DATABASE_URL, 'hookline_prove_image')
  cleanup.push(drop)
  const folder = await mkdtemp(join(tmpdir(), 'hookline-image-'))
  cleanup.push(() => rm(folder, { recursive: true }))
  const secret = async (name: string, value: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, `${value}\n`)
    await chmod(path, 0o444)
    return path
  }
  await chmod(folder, 0o755)
  const settings: ContainerSettings = {
    image,
    env: {
      DATABASE_URL_FILE: '/run/secrets/database-url',
      MASTER_KEY_FILE: '/run/secrets/master-key',
      ALLOW_PRIVATE_TARGETS: 'true',
    },
    files: {
      '/run/secrets/database-url': await secret('database-url', databaseUrl.href),
      '/run/secrets/master-key': await secret('master-key', randomBytes(32).toString('base64')),
    },
  }
  return {
    settings,
    url: await freeUrl(),
    internalUrls: [await freeUrl(), await freeUrl(), await freeUrl()],
  }
}

async function freeUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

function internalPort(url: string): Record<string, string> {
  return { INTERNAL_PORT: new URL(url).port }
}
