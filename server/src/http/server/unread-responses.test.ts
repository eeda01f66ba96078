import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUnreadResponses } from './unread-responses.ts'

/** More than the kernel buffers. */
const bytes = 30_000_000
const owner = 'clients of 1'

/** Starts a server whose response the test sends, and a client that reads nothing. */
async function startCall(): Promise<{ response: ServerResponse; client: Socket }> {
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { response, client }
}

const limits = { maxBytes: bytes, minReadMs: 60_000, msPerMegabyte: 0 }

test('a response counts until the client has read it', async () => {
  const unread = createUnreadResponses(limits)
  const { response, client } = await startCall()
  unread.add(owner, bytes, response)
  response.end(Buffer.alloc(bytes))
  await sleep(200)
  expect(() => unread.rejectTooMany(owner)).toThrow('unread responses')
  expect(() => unread.rejectTooMany('people of 1')).not.toThrow()
  client.resume()
  await once(response, 'close')
  expect(() => unread.rejectTooMany(owner)).not.toThrow()
})

test('a client that disconnects before its response is not counted', async () => {
  const unread = createUnreadResponses(limits)
  const { response, client } = await startCall()
  client.destroy()
  await once(response, 'close')
  unread.add(owner, bytes, response)
  expect(() => unread.rejectTooMany(owner)).not.toThrow()
})

test('a connection that is read continuously but too slowly is closed', async () => {
  const unread = createUnreadResponses({ ...limits, minReadMs: 1_000 })
  const { response, client } = await startCall()
  unread.add(owner, bytes, response)
  response.end(Buffer.alloc(bytes))
  const reading = setInterval(() => void client.read(10_000), 20)
  onTestFinished(() => clearInterval(reading))
  const startedAt = performance.now()
  await once(response, 'close')
  expect(performance.now() - startedAt).toBeGreaterThan(900)
  expect(response.writableFinished).toBe(false)
  expect(() => unread.rejectTooMany(owner)).not.toThrow()
})

test('a response behind an endless one on the same connection counts, and is closed with the connection', async () => {
  const unread = createUnreadResponses({ ...limits, minReadMs: 500 })
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const responses: ServerResponse[] = []
  server.on('request', (_request, response) => void responses.push(response))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => {}).resume()
  client.write('GET /tail HTTP/1.1\r\nhost: x\r\n\r\nGET /list HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => responses.length).toBe(2)
  const [tail, list] = responses
  tail?.write('first line')
  if (list === undefined) throw new Error('no second response')
  unread.add(owner, bytes, list)
  list.end(Buffer.alloc(bytes))
  await sleep(100)
  expect(() => unread.rejectTooMany(owner)).toThrow('unread responses')
  await once(client, 'close')
  await expect.poll(() => unread.rejectTooMany(owner)).toBeUndefined()
})
