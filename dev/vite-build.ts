import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds a workspace into a folder. Always a production build, even when a test starts it. */
export async function viteBuild(workspace: 'cli' | 'server' | 'web', folder: string): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'production' }
  const args = ['build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', folder]
  await promisify(execFile)('vite', args, { cwd: `${root}${workspace}`, env })
}
