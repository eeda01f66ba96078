/** Starts Hookline as a separate process, on free ports by default, and waits until it listens. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { baseEnv } from './base-env.ts'
import { builtServer } from './build-server.ts'

export const sourceServer = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

export interface ServiceProcess {
  /** URL of the public listener. Empty for a worker. */
  url: string
  internalUrl: string
  child: ChildProcess
  /** Returns the output so far: stderr, and the stdout lines that `keepLine` selects. */
  output: () => string
  stop: () => Promise<number | null>
}

/**
 * `role` is api, worker, or all for both in one process. `keepLine` selects the log lines that `output` returns. A long
 * run that keeps all lines would run out of memory. The default of `mainFile` is the built server, which
 * `buildServerIfStale` builds.
 */
export async function startProcess(
  env: Record<string, string>,
  role = 'all',
  keepLine: (line: string) => boolean = () => true,
  mainFile = builtServer,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [mainFile, role], {
    env: { ...baseEnv, PORT: '0', INTERNAL_PORT: '0', BASE_URL: 'http://localhost:8080', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The parent may crash before it stops the process.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  // `close` fires after all output is read.
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))

  const listening = await new Promise<{ url?: string; internal_url: string }>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (keepLine(line)) printed += `${line}\n`
      if (line.includes('"msg":"listening"')) resolve(JSON.parse(line))
    })
    setTimeout(() => reject(new Error(`the service did not listen within 60 s:\n${printed}`)), 60_000).unref()
    void ended.then((code) => reject(new Error(`the service exited with code ${code}:\n${printed}`)))
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
