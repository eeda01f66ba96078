/**
 * `npm run prove -- image`: builds the container image twice and compares the bytes. Runs it without root, without
 * capabilities and with a read-only file system: migrates a database, starts an api and two workers, delivers events,
 * and stops a worker under load. Every accepted event must be delivered once.
 */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../dev/ports.ts'
import { startReceiver } from '../../../dev/receiver.ts'
import { startServices } from '../../../dev/services.ts'
import { type Cleanup, createCleanup } from '../support/cleanup.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { buildCheckedImage } from './image-build.ts'
import { type ContainerSettings, podman, runContainer, startContainer, stopContainer } from './podman.ts'
import { stopUnderLoad } from './stop-under-load.ts'
import { tryOut, waitUntilReady } from './try-out.ts'

const graceSeconds = 45
/** Until Node.js runs the first lines of the service. */
const nodeStartMs = 200
/** A process that ignores the signal is killed after the grace period. */
const maxEarlyStopMs = 10_000
/** Attempts in flight when a worker stops take this long. */
const responseMs = 300

export async function proveImage(): Promise<void> {
  const cleanup = createCleanup()
  try {
    const { settings, internalUrls, url } = await prepare(await buildCheckedImage(), cleanup)
    const start = async (role: string, env: Record<string, string>): Promise<string> => {
      const name = `hookline-prove-${randomBytes(4).toString('hex')}`
      cleanup.push(() => podman('rm', '--force', '--time=0', name))
      await startContainer(name, { ...settings, env: { ...settings.env, ...env } }, role)
      return name
    }
    await stopBeforeReady(start)
    await runContainer(settings, 'migrate')
    const [internalUrl = '', workerUrl = '', otherWorkerUrl = ''] = internalUrls
    const api = await start('api', { PORT: new URL(url).port, ...internalPort(internalUrl) })
    const worker = await start('worker', internalPort(workerUrl))
    await start('worker', internalPort(otherWorkerUrl))
    for (const listener of internalUrls) await waitUntilReady(listener)

    const receiver = await startReceiver(async (_request, response) => {
      await sleep(responseMs)
      response.writeHead(204).end()
    })
    cleanup.push(() => receiver.close())
    const admin = (args: readonly string[]): Promise<string> => runContainer(settings, 'admin', ...args)
    const customer = await tryOut({ admin, url, internalUrl }, receiver)
    await podman('exec', api, '/usr/bin/node', '/opt/hookline/dist/cli.js', 'health')
    console.log('an api and two workers delivered an event, and the health check passes')

    await stopUnderLoad({ internalUrl, customer, receiver, stop: () => stopCleanly(worker) })
    await stopCleanly(api)
    console.log('\nimage: passed')
  } finally {
    await cleanup.run()
  }
}

async function stopCleanly(container: string): Promise<void> {
  const code = await stopContainer(container, graceSeconds)
  if (code !== 0) throw new Error(`a stopped container exited with code ${code}`)
}

/** Node.js as the first process of a container ignores signals that it does not listen to. */
async function stopBeforeReady(
  start: (role: string, env: Record<string, string>) => Promise<string>,
): Promise<void> {
  const loading = await start('api', {})
  await sleep(nodeStartMs)
  await stopInTime(loading, 'while it loaded its modules')
  const port = await freePort()
  const silent = createServer().listen(port, '127.0.0.1')
  try {
    const DATABASE_URL = `postgres://hookline:secret@127.0.0.1:${port}/hookline`
    const waiting = await start('api', { DATABASE_URL_FILE: '', DATABASE_URL })
    await new Promise((resolve) => silent.once('connection', resolve))
    await stopInTime(waiting, 'while it waited for PostgreSQL')
  } finally {
    silent.close()
  }
}

async function stopInTime(container: string, moment: string): Promise<void> {
  const startedAt = performance.now()
  await stopCleanly(container)
  const ms = performance.now() - startedAt
  console.log(`stopped within ${(ms / 1_000).toFixed(1)} s ${moment}`)
  if (ms > maxEarlyStopMs) throw new Error(`the limit of an early stop is ${maxEarlyStopMs} ms`)
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
