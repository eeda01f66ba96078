/** Servers of the measurement's own, so that what they use is what the contestants made them use. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../../dev/ports.ts'
import { createPostgres } from '../../../dev/postgres.ts'
import { endChild, untilListens } from './child.ts'
import type { Undo } from '../undo.ts'

export interface Server {
  url: string
  pid: number
  folder: string
}

export async function createFolder(undo: Undo): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-delivery-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL and nginx work as users of their own, which must be able to pass.
  await chmod(folder, 0o711)
  return folder
}

/** With its defaults: every commit waits for the disk. */
export async function startPostgres(
  folder: string,
  undo: Undo,
  options: { withStatements: boolean },
): Promise<Server> {
  const wanted = { port: await freePort(), password: randomBytes(12).toString('hex') }
  const postgres = createPostgres(folder, wanted, () => {})
  undo.push(() => postgres.remove())
  undo.push(() => postgres.stop())
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

/** Every write is on disk before it is answered, as with PostgreSQL. */
export async function startRedis(parent: string, undo: Undo): Promise<Server> {
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
  const pid = await startServer('redis-server', args, port, 'redis', undo)
  return { url: `redis://127.0.0.1:${port}`, pid, folder }
}

export async function startNats(parent: string, undo: Undo): Promise<Server> {
  const folder = `${parent}/nats`
  await mkdir(folder)
  const port = await freePort()
  const args = ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder]
  const pid = await startServer('nats-server', args, port, 'nats-server', undo)
  return { url: `nats://127.0.0.1:${port}`, pid, folder }
}

/** In the foreground, so that it is ours to end. Answers the id of its process. */
export async function startServer(
  program: string,
  args: readonly string[],
  port: number,
  debianPackage: string,
  undo: Undo,
): Promise<number> {
  // Debian keeps some servers where only root looks.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(program, args, { env, stdio: 'ignore' })
  undo.push(() => endChild(child, 'SIGTERM'))
  const advice = `${program} is not installed. On Debian: apt-get install ${debianPackage}`
  await untilListens(child, port, advice)
  return child.pid ?? 0
}
