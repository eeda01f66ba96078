/** Starts dedicated servers, so that their CPU time is caused only by the measured systems. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createPostgres } from '../../../dev/postgres.ts'
import { stopChild, waitForPort } from './child-process.ts'
import type { Cleanup } from './cleanup.ts'

export interface Server {
  url: string
  pid: number
  folder: string
}

export async function createFolder(cleanup: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-delivery-'))
  cleanup.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL and nginx run as other users, which need access to the folder.
  await chmod(folder, 0o711)
  return folder
}

/** Starts PostgreSQL with default settings: every commit waits for the disk. */
export async function startPostgres(
  folder: string,
  cleanup: Cleanup,
  options: { withStatements: boolean },
): Promise<Server> {
  const requested = { port: await freePort(), password: randomBytes(12).toString('hex') }
  const postgres = createPostgres(folder, requested, () => {})
  cleanup.push(() => postgres.remove())
  cleanup.push(() => postgres.stop())
  await postgres.start()
  if (options.withStatements) {
    await alterSystem(postgres.url(), "shared_preload_libraries = 'pg_stat_statements'")
    await postgres.stop()
    await postgres.start()
  }
  const pid = await postgres.pid()
  if (pid === undefined) throw new Error('PostgreSQL did not start')
  return { url: postgres.url(), pid, folder: `${folder}/postgres` }
}

async function alterSystem(url: string, setting: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`ALTER SYSTEM SET ${setting}`)
  await client.end()
}

/** Starts a Redis that syncs every write to disk before it responds, as PostgreSQL does. */
export async function startRedis(parent: string, cleanup: Cleanup): Promise<Server> {
  const folder = `${parent}/redis`
  await mkdir(folder)
  const port = await freePort()
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const pid = await startServer('redis-server', args, port, 'redis', cleanup)
  return { url: `redis://127.0.0.1:${port}`, pid, folder }
}

export async function startNats(parent: string, cleanup: Pick<Cleanup, 'push'>): Promise<Server> {
  const folder = `${parent}/nats`
  await mkdir(folder)
  const port = await freePort()
  const args = ['--addr', '127.0.0.1', '--port', String(port)]
  const pid = await startServer('nats-server', args, port, 'nats-server', cleanup)
  return { url: `nats://127.0.0.1:${port}`, pid, folder }
}

/** Starts a server in the foreground, so that cleanup can stop it. Returns its process id. */
export async function startServer(
  program: string,
  args: readonly string[],
  port: number,
  debianPackage: string,
  cleanup: Pick<Cleanup, 'push'>,
): Promise<number> {
  // Debian installs some servers in /usr/sbin, which may be missing from PATH.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(program, args, { env, stdio: 'ignore' })
  cleanup.push(() => stopChild(child, 'SIGTERM'))
  const hint = `${program} is not installed. On Debian: apt-get install ${debianPackage}`
  await waitForPort(child, port, hint)
  return child.pid ?? 0
}
