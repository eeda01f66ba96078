/** `npm start` under a supervisor. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../support/run-program.ts'
import { startTestService } from '../support/test-service.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

test('SIGTERM to npm stops the service, and a second service on its port fails with instructions', async () => {
  const hookline = await startTestService({}, 'api')
  onTestFinished(() => hookline.close())
  const settings = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', INTERNAL_PORT: '0', ...settings }
  const npm = spawn('npm', ['start', '--ignore-scripts', '--', 'api'], { cwd: repository, env })
  onTestFinished(() => void npm.kill('SIGKILL'))
  let output = ''
  npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect.poll(() => output, { timeout: 30_000 }).toContain('"msg":"listening"')
  const url = /"url":"(http[^"]+)"/.exec(output)?.[1] ?? ''
  expect((await fetch(`${url}/api/hooks`)).status).toBe(401)

  const { port } = new URL(url)
  const second = await runProgram('main', { ...settings, PORT: port })
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(/^Another process already listens .+ set PORT .+ to a free port\.\n$/)

  npm.kill('SIGTERM')
  await once(npm, 'close')
  expect(output).toContain('"msg":"stopping"')
  await expect(fetch(`${url}/api/hooks`)).rejects.toThrow('fetch failed')
}, 120_000)
