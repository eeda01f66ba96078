/**
 * A lock between processes: a file that names its owner. The lock of a process that still runs is never broken, however
 * long it takes: the process may have been stopped, and continues with what it has read under the lock.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

interface Owner {
  id: string
  pid: number
  host: string
}

const retryMs = 100
/** An owner that cannot be checked, because it is on another machine or not named, is gone after this. */
const unknownOwnerMs = 60_000

/** Runs alone, or returns undefined if the lock is not free in time. */
export async function withLock<T>(
  path: string,
  maxWaitMs: number,
  run: () => Promise<T>,
): Promise<{ result: T } | undefined> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const owner: Owner = { id: randomUUID(), pid: process.pid, host: hostname() }
  const deadline = Date.now() + maxWaitMs
  while (!(await take(path, owner))) {
    if (await isAbandoned(path)) await clear(path)
    else if (Date.now() > deadline) return undefined
    else await sleep(retryMs)
  }
  try {
    return { result: await run() }
  } finally {
    if ((await readOwner(path))?.id === owner.id) await rm(path, { force: true })
  }
}

async function take(path: string, owner: Owner): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    // EISDIR: the lock of an earlier version.
    if (!/^(EEXIST|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
    return false
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const owner = await readOwner(path)
  if (owner?.host === hostname()) return !isRunning(owner.pid)
  const since = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  )
  return Date.now() - since > unknownOwnerMs
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Two processes that saw the same dead owner must not both clear: the second would clear the lock of the first. */
async function clear(path: string): Promise<void> {
  const clearing = `${path}.clear`
  try {
    await mkdir(clearing)
  } catch {
    const { mtimeMs } = await stat(clearing).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > unknownOwnerMs) await rmdir(clearing).catch(() => {})
    await sleep(retryMs)
    return
  }
  try {
    if (await isAbandoned(path)) await rm(path, { recursive: true, force: true })
  } finally {
    await rmdir(clearing).catch(() => {})
  }
}
