/** Describes the machine. Results are meaningless without it. */
import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { postgresFolder } from '../../../dev/postgres.ts'

const run = promisify(execFile)

export interface Machine {
  processor: string
  cores: number
  memoryGiB: number
  kernel: string
  /** Median time to write and sync 8 KiB to disk. Every commit waits for such a sync. */
  syncMs: number
  node: string
  postgres: string
  nginx: string
  nats: string
  redis: string
}

export async function describeMachine(folder: string): Promise<Machine> {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    syncMs: await syncMs(`${folder}/sync`),
    node: process.version,
    postgres: await versionOf(`${await postgresFolder()}/postgres`, '--version'),
    nginx: await versionOf('nginx', '-v'),
    nats: await versionOf('nats-server', '--version'),
    redis: await versionOf('redis-server', '--version'),
  }
}

async function syncMs(path: string): Promise<number> {
  const file = await open(path, 'w')
  const times: number[] = []
  for (let count = 0; count < 51; count++) {
    const startedAt = performance.now()
    await file.write(Buffer.alloc(8_192), 0, 8_192, count * 8_192)
    await file.datasync()
    times.push(performance.now() - startedAt)
  }
  await file.close()
  await rm(path)
  return times.toSorted((a, b) => a - b)[25] ?? Number.NaN
}

async function versionOf(program: string, option: string): Promise<string> {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  try {
    const { stdout, stderr } = await run(program, [option], { env })
    return /\d+\.\d+(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown'
  } catch {
    return 'not installed'
  }
}
