/** Runs the operator's tool as an operator does: a process of its own, with its settings in the environment. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const adminFile = fileURLToPath(new URL('../src/admin.ts', import.meta.url))

export interface AdminRun {
  code: number | null
  stdout: string
  stderr: string
}

export async function runAdmin(
  env: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<AdminRun> {
  const child = spawn(process.execPath, [adminFile, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // A command that does not read its input may end before we have written it.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
