/** Runs the tool as a process, as a user does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { baseEnv } from '../../dev/base-env.ts'

export const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface RunningTool {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

export interface Tool {
  /** The folder of the profiles. */
  folder: string
  start: (args: readonly string[], input?: string, env?: Record<string, string>) => RunningTool
  run: (
    args: readonly string[],
    input?: string,
    env?: Record<string, string>,
  ) => Promise<{ code: number | null; stdout: string; stderr: string }>
  remove: () => Promise<void>
}

export async function createTool(): Promise<Tool> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-cli-'))
  const running = new Set<ChildProcess>()

  const start: Tool['start'] = (args, input, env = {}) => {
    const child = spawn(process.execPath, [mainFile, ...args], {
      env: { ...baseEnv, HOOKLINE_CONFIG_DIR: folder, HOOKLINE_NO_KEYRING: '1', ...env },
    })
    running.add(child)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdin.on('error', () => {})
    if (input !== undefined) child.stdin.end(input)
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    void ended.then(() => running.delete(child))
    return { child, stdout: () => stdout, stderr: () => stderr, ended }
  }

  return {
    folder,
    start,
    async run(args, input = '', env) {
      const tool = start(args, input, env)
      const code = await tool.ended
      return { code, stdout: tool.stdout(), stderr: tool.stderr() }
    },
    async remove() {
      for (const child of running) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function signIn(tool: Tool, url: string, key: string): Promise<void> {
  const { code, stderr } = await tool.run(['login', '--url', url, '--api-key-stdin'], key)
  expect(code, stderr).toBe(0)
}

export async function until(isDone: () => boolean, description: string): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isDone()) {
    if (performance.now() > deadline) throw new Error(`timed out: ${description}`)
    await sleep(20)
  }
}
