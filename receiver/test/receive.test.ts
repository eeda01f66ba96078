/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 handles rejected promises */
/** Receives requests in real servers: Node, Express, Fastify, Hono, and the events of Lambda. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { receive, type Received, sign } from '../src/index.ts'

const secret = `whsec_${Buffer.alloc(32, 'a secret').toString('base64')}`
const data = {
  id: '1',
  sender: '4915',
  system: '4916',
  text: 'Grüße',
  time: '1763197200',
  message_type: 'SMS',
}
const closing: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

function urlOf(server: Pick<Server, 'address'>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks?shop=1`
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return urlOf(server)
}

function respond(received: Received): { status: number; body: string } {
  return received.isValid
    ? { status: 200, body: received.event.webhook_event }
    : { status: received.status, body: received.code }
}

type Start = () => Promise<string>

const servers: Record<string, Start> = {
  Node: () =>
    listening(
      createServer((request, response) => {
        void receive(request, { secrets: [secret] }).then((received) => {
          const { status, body } = respond(received)
          return response.writeHead(status).end(body)
        })
      }),
    ),
  Express: async () => {
    const app = express()
    app.post('/webhooks', async (request, response) => {
      const { status, body } = respond(await receive(request, { secrets: [secret] }))
      response.status(status).send(body)
    })
    return listening(createServer(app))
  },
  'Express with express.raw()': async () => {
    const app = express()
    app.use(express.raw({ type: '*/*' }))
    app.post('/webhooks', async (request, response) => {
      const { status, body } = respond(await receive(request, { secrets: [secret] }))
      response.status(status).send(body)
    })
    return listening(createServer(app))
  },
  Fastify: async () => {
    const app = Fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    app.post('/webhooks', async (request, reply) => {
      const { status, body } = respond(await receive(request, { secrets: [secret] }))
      return reply.status(status).send(body)
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    closing.push(() => app.close())
    return urlOf(app.server)
  },
  Hono: async () => {
    const app = new Hono()
    app.post('/webhooks', async (context) => {
      const { status, body } = respond(await receive(context.req.raw, { secrets: [secret] }))
      return context.text(body, status as 200)
    })
    const server = await new Promise<Server>((resolve) => {
      const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
        resolve(started as Server),
      )
    })
    closing.push(() => server.close())
    return urlOf(server)
  },
}

async function post(url: string, { headers, body }: { headers: Record<string, string>; body: string }) {
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: await response.text() }
}

test.each(Object.entries(servers))('%s', async (_, start) => {
  const url = await start()
  const request = sign({ webhook_event: 'sms_mo', data }, { secret })
  expect(await post(url, request)).toEqual({ status: 200, body: 'sms_mo' })
  expect(await post(url, { ...request, body: `${request.body} ` })).toEqual({
    status: 401,
    body: 'body_changed',
  })
  const other = sign(
    { webhook_event: 'sms_mo', data },
    { secret: `whsec_${Buffer.alloc(32).toString('base64')}` },
  )
  expect(await post(url, other)).toEqual({ status: 401, body: 'wrong_secret' })
  const big = sign({ webhook_event: 'sms_mo', data: { ...data, text: 'x'.repeat(100_000) } }, { secret })
  expect((await post(url, big)).status).toBe(200)
})

test.each([
  ['express.json()', express.json(), 'express.json()'],
  [
    'a middleware that drops the body',
    (request: IncomingMessage, _: unknown, next: () => void) => void request.resume().on('end', next),
    'a middleware',
  ],
] as const)(
  'a body that was parsed by %s is an error at once, which names the parser',
  async (_, middleware, name) => {
    const app = express()
    app.use(middleware as express.RequestHandler)
    app.post('/webhooks', async (request, response) => {
      const received = await receive(request, { secrets: [secret] })
      response.status(received.isValid ? 200 : received.status).json(received)
    })
    const answer = await post(
      await listening(createServer(app)),
      sign({ webhook_event: 'sms_mo', data }, { secret }),
    )
    expect(answer.status).toBe(500)
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'already_parsed',
      message: expect.stringContaining(name),
    })
  },
)

test('a request of the web that was read before is an error, and one that is too large is refused', async () => {
  const signed = sign({ webhook_event: 'sms_mo', data }, { secret })
  const request = (): Request =>
    new Request('http://localhost/x', { method: 'POST', headers: signed.headers, body: signed.body })
  expect(await receive(request(), { secrets: [secret] })).toMatchObject({
    isValid: true,
    event: { data, attempt: 1, is_test: false },
  })
  const read = request()
  await read.text()
  expect(await receive(read, { secrets: [secret] })).toMatchObject({ code: 'already_parsed', status: 500 })
  expect(await receive(request(), { secrets: [secret], maxBytes: 10 })).toMatchObject({
    code: 'too_large',
    status: 413,
  })
})

test.each([true, false])('events of Lambda, body in Base64: %s', async (isBase64Encoded) => {
  const { headers, body } = sign({ webhook_event: 'sms_mo', data }, { secret })
  const event = {
    headers,
    isBase64Encoded,
    body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
  }
  for (const lambda of [
    { ...event, httpMethod: 'POST', queryStringParameters: null },
    { ...event, rawQueryString: '', requestContext: { http: { method: 'POST' } } },
  ])
    expect(await receive(lambda, { secrets: [secret] })).toMatchObject({ isValid: true, event: { data } })
})

test('the type of an event narrows its data', async () => {
  const { headers, body } = sign(
    { webhook_event: 'dlr', data: { msg_id: '1', status: 'DELIVERED', timestamp: 't' } },
    { secret },
  )
  const received = await receive({ headers, body, httpMethod: 'POST' }, { secrets: [secret] })
  if (!received.isValid) throw new Error(received.message)
  const { event } = received
  if (event.webhook_event !== 'dlr') throw new Error(event.webhook_event)
  expect(event.data.status).toBe('DELIVERED')
})
