/** The public listener accepts connections quickly while the process is busy, and does not share its port. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/http/server/listen.ts'
import { closeWithin } from '../../src/http/server/listener.ts'

const host = '127.0.0.1'
const graceMs = 20_000

async function startApp() {
  const app = fastify()
  const { url, stopAccepting } = await listen(app, { host, port: 0 })
  onTestFinished(() => closeWithin(app, graceMs, stopAccepting))
  return { app, port: Number(new URL(url).port) }
}

/** Opens connections from another process. Blocks this process until all are open, so that it accepts none before. */
function openConnections(port: number, count: number): void {
  const marker = path.join(mkdtempSync(path.join(tmpdir(), 'connections-')), 'opened')
  const script = `
    let left = ${count}
    for (let nth = 0; nth < ${count}; nth++)
      require('node:net').connect(${port}, '${host}').on('error', () => {}).on('connect', () => {
        if (--left === 0) require('node:fs').writeFileSync('${marker}', '')
      })
    setTimeout(() => process.exit(), 30_000)`
  const child = spawn(process.execPath, ['-e', script])
  onTestFinished(() => {
    child.kill()
    rmSync(path.dirname(marker), { recursive: true })
  })
  const deadline = performance.now() + 20_000
  while (!existsSync(marker) && performance.now() < deadline);
}

test('simultaneous connections are accepted within a few turns of the event loop', async () => {
  const { app, port } = await startApp()
  const connections = 200
  const accepted: Socket[] = []
  app.server.on('connection', (socket: Socket) => accepted.push(socket))
  openConnections(port, connections)
  let turns = 0
  for (; accepted.length < connections && turns < 1_000; turns++) await nextTurn()
  expect(accepted).toHaveLength(connections)
  expect(turns).toBeLessThan(connections / 4)
})

test('a port in use is rejected', async () => {
  const { port } = await startApp()
  const second = fastify()
  await expect(listen(second, { host, port })).rejects.toThrow('EADDRINUSE')
})

test('every connection is served, and a stop waits for calls in flight', async () => {
  const app = fastify()
  // Large enough to take a while to send.
  const long = 'x'.repeat(1_000_000)
  let running = 0
  app.get('/slow', async () => {
    running++
    await sleep(1_000)
    return long
  })
  const { url, stopAccepting } = await listen(app, { host, port: 0 })
  const calls = Array.from({ length: 64 }, async () => (await (await fetch(`${url}/slow`)).text()).length)
  await expect.poll(() => running, { timeout: 10_000 }).toBe(64)
  const stoppedAt = performance.now()
  await closeWithin(app, graceMs, stopAccepting)
  // Stops before the deadline, even though all connections are keep-alive.
  expect(performance.now() - stoppedAt).toBeLessThan(graceMs * 0.75)
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 64 }, () => long.length))
  await expect(fetch(`${url}/slow`)).rejects.toThrow()
})
