/** Runs a program of the service as an operator does and returns its output and exit code. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { baseEnv } from '../../../dev/base-env.ts'

export interface ProgramRun {
  code: number
  stdout: string
  stderr: string
}

export async function runProgram(file: 'migrate' | 'main', env: Record<string, string>): Promise<ProgramRun> {
  const path = fileURLToPath(new URL(`../../src/${file}.ts`, import.meta.url))
  return new Promise((resolve) => {
    const options = {
      env: { ...baseEnv, PORT: '0', INTERNAL_PORT: '0', ...env },
      timeout: 60_000,
    }
    const child = execFile(process.execPath, [path], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}
