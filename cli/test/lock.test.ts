/** Tests the lock between processes with real ones. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withLock } from '../src/lock.ts'
import { createTool, type Tool, until } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder: string
let path: string
let tool: Tool

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-lock-'))
  path = join(folder, 'refresh.lock')
  tool = await createTool()
})
afterEach(async () => {
  await tool.remove()
  await rm(folder, { recursive: true, force: true })
})

const longAgo = new Date(Date.now() - 3_600_000)

test('the lock of a process that runs is never broken, that of a dead one at once', async () => {
  const child: ChildProcess = spawn('sleep', ['60'])
  await writeFile(path, JSON.stringify({ id: 'x', pid: child.pid, host: hostname() }))
  await utimes(path, longAgo, longAgo)
  expect(await withLock(path, 500, async () => 'ran')).toBeUndefined()
  child.kill('SIGKILL')
  await new Promise((ended) => child.once('close', ended))
  expect(await withLock(path, 500, async () => 'ran')).toEqual({ result: 'ran' })
})

test('an old lock without an owner, and one of an earlier version, are cleared', async () => {
  await writeFile(path, '')
  expect(await withLock(path, 300, async () => 'ran')).toBeUndefined()
  await utimes(path, longAgo, longAgo)
  expect(await withLock(path, 300, async () => 'ran')).toEqual({ result: 'ran' })
  await mkdir(path)
  await utimes(path, longAgo, longAgo)
  expect(await withLock(path, 300, async () => 'ran')).toEqual({ result: 'ran' })
})

test('of twenty that find a dead owner, one runs at a time', async () => {
  await writeFile(path, JSON.stringify({ id: 'x', pid: 2 ** 22 + 1, host: hostname() }))
  let running = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 20 }, () =>
      withLock(path, 20_000, async () => {
        most = Math.max(most, ++running)
        await sleep(5)
        running--
      }),
    ),
  )
  expect(results.filter((result) => result === undefined)).toEqual([])
  expect(most).toBe(1)
})

test('a process that was stopped while it refreshed keeps its refresh token to itself', async () => {
  const used: string[] = []
  let answer: (() => void) | undefined
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.url !== '/oauth/token') return void response.writeHead(404).end('{}')
      used.push(new URLSearchParams(body).get('refresh_token') ?? '')
      answer = () =>
        void response.end(JSON.stringify({ access_token: 'a2', refresh_token: 'r2', expires_in: 3600 }))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const profile = { url, credential: 'oauth', account: { id: 1, name: 'x' }, store: 'file' }
  const tokens = JSON.stringify({ accessToken: 'a1', refreshToken: 'r1', expiresAt: 0 })
  await writeFile(
    join(tool.folder, 'config.json'),
    JSON.stringify({ current: 'default', profiles: { default: profile } }),
  )
  await writeFile(join(tool.folder, 'secrets.json'), JSON.stringify({ default: tokens }))

  const stopped = tool.start(['whoami'])
  await until(() => used.length === 1, 'the first refresh')
  stopped.child.kill('SIGSTOP')
  await utimes(join(tool.folder, 'refresh.lock'), longAgo, longAgo)
  const other = tool.start(['whoami'])
  await sleep(3_000)
  expect(used).toEqual(['r1'])

  stopped.child.kill('SIGCONT')
  answer?.()
  // The test server has no accounts: only the refresh matters.
  await Promise.all([stopped.ended, other.ended])
  expect(used).toEqual(['r1'])
  expect(
    JSON.parse(JSON.parse(await readFile(join(tool.folder, 'secrets.json'), 'utf8')).default),
  ).toMatchObject({
    accessToken: 'a2',
    refreshToken: 'r2',
  })
  server.close()
})
