/** Runs the admin CLI as an operator does: as a separate process, with its settings in the environment. */
import { spawn } from 'node:child_process'
import { baseEnv } from '../../../dev/base-env.ts'
import { builtServer } from '../../../dev/build-server.ts'

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
  const child = spawn(process.execPath, [builtServer, 'admin', ...args], {
    env: { ...baseEnv, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // A command that does not read stdin may exit before the write completes.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
