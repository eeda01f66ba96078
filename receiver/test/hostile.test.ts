/** Requests of a hostile sender take bounded time and memory, and never throw. */
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import express from 'express'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { parse, receive, type Received, sign, verify } from '../src/index.ts'

const secret = `whsec_${Buffer.alloc(32, 'a secret').toString('base64')}`
const event = { webhook_event: 'sms_mo', data: { id: '1', text: 'Grüße' } }
const signed = sign(event, { secret })
const secrets = [secret]
const closing: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The fastest of three runs: other processes slow single ones down. */
function millisecondsOf(run: () => unknown): number {
  const runs = [1, 2, 3].map(() => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return Math.min(...runs)
}

test.each([
  ['spaces', ' '.repeat(20_000)],
  ['spaces and a signature', `v1,${' '.repeat(20_000)}x`],
  ['many signatures', 'v1,AAAA '.repeat(20_000)],
])('a header of %s is rejected quickly', (_, value) => {
  const headers = { ...signed.headers, 'webhook-signature': value }
  let result: unknown
  expect(millisecondsOf(() => (result = verify({ ...signed, headers }, { secrets })))).toBeLessThan(100)
  expect(result).toMatchObject({ isValid: false, code: 'header_invalid' })
})

test('a large body with a wrong signature is rejected quickly, for many secrets', () => {
  const body = JSON.stringify({ text: '\r\n'.repeat(400_000) })
  const others = Array.from({ length: 10 }, (_, index) => Buffer.alloc(32, index + 1).toString('base64'))
  let result: unknown
  // Ten HMACs over 1.6 MB take some 10 ms.
  expect(millisecondsOf(() => (result = verify({ ...signed, body }, { secrets: others })))).toBeLessThan(150)
  expect(result).toMatchObject({ isValid: false, code: 'wrong_secret' })
})

test.each(['1e9', '0x5a', '-1', '1763197200.5', '', ' ', '1763197200, 1763197200', '9'.repeat(20), 'NaN'])(
  'the timestamp %j is rejected',
  (timestamp) => {
    const headers = { ...signed.headers, 'webhook-timestamp': timestamp }
    expect(verify({ ...signed, headers }, { secrets })).toMatchObject({
      code: timestamp === '' ? 'header_missing' : 'header_invalid',
    })
  },
)

test.each<[string, unknown]>([
  ['no secrets', []],
  ['a missing variable', [undefined]],
  ['a secret of another form', ['not a secret!']],
  ['only the prefix', ['whsec_']],
])('%s is an error of the receiver', async (_, wrong) => {
  const options = { secrets: wrong as string[] }
  const lambda = { httpMethod: 'POST', ...signed }
  const received = await receive(lambda, options)
  expect(received).toMatchObject({
    code: 'no_secret',
    status: 500,
    message: expect.stringContaining('whsec_'),
  })
  expect(JSON.stringify(received)).not.toContain('not a secret')
})

test('one secret as a text, and one beside a missing variable, are accepted', () => {
  for (const value of [secret, [undefined, secret], [` ${secret}\n`]])
    expect(verify(signed, { secrets: value as string[] })).toMatchObject({ isValid: true })
})

test('headers of the web are read by verify too', () => {
  expect(verify({ ...signed, headers: new Headers(signed.headers) }, { secrets })).toMatchObject({
    isValid: true,
  })
})

test('an account signature without webhook-id is rejected, because all such events would be duplicates', () => {
  const url = 'https://shop.example/'
  const { headers, ...others } = sign(event, { secret, signingKey: 'key', url })
  for (const id of [undefined, '', 'a b'])
    expect(
      verify({ ...others, headers: { ...headers, 'webhook-id': id } }, { signingKeys: ['key'] }),
    ).toMatchObject({ isValid: false, code: id === 'a b' ? 'header_invalid' : 'header_missing' })
})

test.each([
  [
    'JSON',
    'application/json',
    '{"webhook_event":"a","webhook_timestamp":"b","data":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}},"__proto__":{"polluted":1}}',
  ],
  [
    'form',
    'application/x-www-form-urlencoded',
    'webhook_event=a&webhook_timestamp=b&data[__proto__][polluted]=1&data[constructor][prototype][polluted]=1&__proto__[polluted]=1',
  ],
  [
    'query',
    undefined,
    'webhook_event=a&webhook_timestamp=b&__proto__[polluted]=1&constructor[prototype][polluted]=1',
  ],
])('names of prototypes stay fields: %s', (_, type, content) => {
  const { data } = parse({
    method: type === undefined ? 'GET' : 'POST',
    query: content,
    headers: type === undefined ? {} : { 'content-type': type },
    body: content,
  })
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  expect(Object.keys(data)).toContain('__proto__')
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect((data as Record<string, unknown>).polluted).toBeUndefined()
})

function dataOfForm(fields: string): unknown {
  return parse({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `webhook_event=a&webhook_timestamp=b&${fields}`,
  }).data
}

test('an event without fields has no data', () => {
  expect(dataOfForm('data=')).toEqual({})
})

test('the last of repeated fields counts, as in PHP', () => {
  expect(dataOfForm('data[x]=1&data[x]=2')).toEqual({ x: '2' })
  expect(dataOfForm('data[x]=1&data[x][y]=2')).toEqual({ x: { y: '2' } })
  expect(dataOfForm('data[a][0]=1&data[a][2]=2')).toEqual({ a: { 0: '1', 2: '2' } })
})

test('a field with many brackets is read quickly', () => {
  const body = `webhook_event=a&webhook_timestamp=b&a${'['.repeat(20_000)}=1`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(
    millisecondsOf(() => expect(() => parse({ method: 'POST', headers, body })).toThrow('too many levels')),
  ).toBeLessThan(500)
})

test('an integer that a number cannot hold becomes a text', () => {
  const body =
    '{"webhook_event":"a","webhook_timestamp":"b","data":{"id":12345678901234567890,"list":[-9007199254740993],"safe":9007199254740991,"price":0.045,"large":1e300}}'
  expect(parse({ method: 'POST', headers: {}, body }).data).toEqual({
    id: '12345678901234567890',
    list: ['-9007199254740993'],
    safe: 9_007_199_254_740_991,
    price: 0.045,
    large: 1e300,
  })
})

test('a number of the attempt that is none is 1', () => {
  for (const attempt of ['x', '1e9', '-1'])
    expect(parse({ ...signed, headers: { ...signed.headers, 'x-hookline-attempt': attempt } }).attempt).toBe(
      1,
    )
})

test('bytes that are not UTF-8 are no valid body, and a compressed body is not inflated', async () => {
  for (const body of [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), gzipSync(Buffer.alloc(1_000_000))]) {
    const headers = { ...signed.headers, 'content-encoding': 'gzip' }
    const request = new Request('http://localhost/', { method: 'POST', headers, body })
    expect(await receive(request, { secrets })).toMatchObject({ code: 'wrong_secret', status: 401 })
  }
})

test('Lambda: headers with several values, and a body that is too large', async () => {
  const multiValueHeaders = Object.fromEntries(
    Object.entries(signed.headers).map(([name, value]) => [name, [value]]),
  )
  const lambda = { httpMethod: 'POST', multiValueHeaders, body: signed.body }
  expect(await receive(lambda, { secrets })).toMatchObject({ isValid: true })
  expect(await receive({ ...lambda, headers: null }, { secrets })).toMatchObject({ isValid: true })
  expect(await receive(lambda, { secrets, maxBytes: 10 })).toMatchObject({ code: 'too_large', status: 413 })
  expect(await receive({ httpMethod: 'POST' }, { secrets })).toMatchObject({ code: 'header_missing' })
})

function streaming(body: ReadableStream): Request {
  return new Request('http://localhost/', { method: 'POST', headers: signed.headers, body, duplex: 'half' })
}

test('a stream of the web that never ends is canceled at the limit, and one that breaks is no exception', async () => {
  let sent = 0
  let isCanceled = false
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
    cancel: () => void (isCanceled = true),
  })
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('lost')) })
  expect(await receive(streaming(endless), { secrets })).toMatchObject({ code: 'too_large', status: 413 })
  expect(isCanceled).toBe(true)
  expect(sent).toBeLessThan(3_000_000)
  expect(await receive(streaming(broken), { secrets })).toMatchObject({ code: 'unreadable', status: 400 })
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that responds with the result, which is also in the list. */
async function startServer(delayMs = 0): Promise<{ port: number; results: Received[] }> {
  const results: Received[] = []
  const server = createServer((request, response) => {
    setTimeout(() => {
      void receive(request, { secrets }).then((received) => {
        results.push(received)
        return response.writeHead(received.isValid ? 200 : received.status).end(JSON.stringify(received))
      })
    }, delayMs)
  })
  return { port: await listening(server), results }
}

test('a connection that breaks within the body is no exception', async () => {
  const { port, results } = await startServer()
  const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 100 } })
  request.on('error', () => {})
  request.write('x')
  setTimeout(() => request.destroy(), 100)
  await expect.poll(() => results).toMatchObject([{ code: 'unreadable', status: 400 }])
})

test('a body that is too large gets the response, before it was sent', async () => {
  const { port } = await startServer()
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST' }, (response) =>
      resolve(response.statusCode),
    )
    request.on('error', reject)
    request.write(Buffer.alloc(3_000_000))
    closing.push(() => request.destroy())
  })
  expect(status).toBe(413)
})

test('a body that arrived before the receiver reads it is not lost', async () => {
  const { port } = await startServer(50)
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: signed.headers,
    body: signed.body,
  })
  expect(await response.json()).toMatchObject({ isValid: true })
})

async function resultOf(port: number, type = 'application/json'): Promise<Received> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { ...signed.headers, 'content-type': type },
    body: signed.body,
  })
  return (await response.json()) as Received
}

test.each<[string, string, express.RequestHandler]>([
  ['express.json()', 'application/json', express.json()],
  ['express.urlencoded()', 'application/x-www-form-urlencoded', express.urlencoded()],
])('%s before the route is named', async (name, type, parser) => {
  const app = express()
  app.use(parser)
  app.post('/', (request, response) => {
    void receive(request, { secrets }).then((received) => response.json(received))
  })
  expect(await resultOf(await listening(createServer(app)), type)).toMatchObject({
    code: 'already_parsed',
    message: expect.stringContaining(name),
  })
})

test('the bytes that a parser of Express keeps in rawBody are used', async () => {
  const app = express()
  const keepBytes = {
    verify: (raw: IncomingMessage, _: unknown, rawBody: Buffer) => void Object.assign(raw, { rawBody }),
  }
  app.use(express.json(keepBytes))
  app.post('/', (request, response) => {
    void receive(request, { secrets }).then((received) => response.json(received))
  })
  expect(await resultOf(await listening(createServer(app)))).toMatchObject({ isValid: true })
})

test('the parser of Fastify is named, with the one that keeps the bytes', async () => {
  const app = Fastify()
  app.post('/', (request) => receive(request, { secrets }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(() => app.close())
  expect(await resultOf((app.server.address() as AddressInfo).port)).toMatchObject({
    code: 'already_parsed',
    message: expect.stringMatching(/Fastify.*parseAs: 'buffer'/),
  })
})

test('a request of the web that was read before gets advice for the web', async () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: signed.headers,
    body: signed.body,
  })
  await request.json()
  expect(await receive(request, { secrets })).toMatchObject({
    code: 'already_parsed',
    message: expect.stringContaining('clone()'),
  })
})

test('a request of the web from another implementation is recognized', async () => {
  const { headers, body } = signed
  const request = new Request('http://localhost/', { method: 'POST', headers, body })
  const foreign = {
    method: 'POST',
    url: 'http://localhost/',
    headers: request.headers,
    body: request.body,
    bodyUsed: false,
  }
  expect(await receive(foreign, { secrets })).toMatchObject({ isValid: true })
})

test('a body of many small chunks takes little memory', async () => {
  const program = `
    import { receive } from '${new URL('../src/index.ts', import.meta.url).href}'
    let left = 2 * 1024 * 1024
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(1)) : controller.close()),
    })
    const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' })
    const { code } = await receive(request, { secrets: ['${secret}'] })
    process.stdout.write(code)`
  const args = ['--max-old-space-size=48', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toBe('header_missing')
})
