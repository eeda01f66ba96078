/** Starts Hookline as a process of its own, on free ports unless others are given, and waits until it listens. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ownMainFile = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export interface ServiceProcess {
  /** Of the public listener; empty for a worker. */
  url: string
  internalUrl: string
  child: ChildProcess
  /** Everything the process has printed so far, of its log only the lines that are kept. */
  output: () => string
  stop: () => Promise<number | null>
}

/**
 * `role`: api, worker, or none for everything in one process. `isKept` chooses the lines that `output` returns; a run of
 * many minutes that keeps them all would run out of memory.
 */
export async function startProcess(
  env: Record<string, string>,
  role = 'all',
  isKept: (line: string) => boolean = () => true,
  mainFile = ownMainFile,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [mainFile, role], {
    env: { PATH: process.env.PATH, PORT: '0', INTERNAL_PORT: '0', BASE_URL: 'http://localhost:8080', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Whoever started it may break down before it comes to stopping it.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  // When all that it printed has been read.
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))

  const listening = await new Promise<{ url?: string; internal_url: string }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (isKept(line)) printed += `${line}\n`
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line))
    })
    setTimeout(() => reject(new Error(`the service does not listen after 60 s:\n${printed}`)), 60_000).unref()
    void ended.then((code) => reject(new Error(`the service ended with ${code}:\n${printed}`)))
  })
  return {
    url: listening.url ?? '',
    internalUrl: listening.internal_url,
    child,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
