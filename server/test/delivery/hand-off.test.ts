/** Tests hand-offs by NATS: their encoding, what they contain, lost connections and malformed messages. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'
import { installationName } from '../../src/db/installation.ts'
import { signingSecrets } from '../../src/hooks/open-secrets.ts'
import { decodeHandOff, encodeHandOff, type HandOff, maxBytesOf } from '../../src/nats/hand-off-messages.ts'
import { receiveHandOffs, type RoomReport, sendHandOffs } from '../../src/nats/hand-offs.ts'
import { openNats } from '../../src/nats/nats.ts'
import { call } from '../support/http-call.ts'
import { plantSecret, searchFor } from '../support/planted-secrets.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { createNatsServer, type NatsServer } from '../support/servers/nats-server.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'

const maxInteger = 2 ** 31 - 1

describe('messages', () => {
  const bigint = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)
  const id = fc.integer({ min: 1, max: maxInteger })
  const traceparent = fc.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)
  const event = fc.record({
    id: fc.uuid({ version: 7 }),
    accountId: id,
    type: fc.stringMatching(/^[a-z][a-z0-9_.]{0,39}$/),
    data: fc
      .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
      .map((data) => JSON.stringify(data)),
    traceparent: fc.option(traceparent),
    version: bigint,
    hookIds: fc.array(id, { minLength: 1, maxLength: 40 }),
  })
  const handOff: fc.Arbitrary<HandOff> = fc.record({
    lease: fc.record({ id: fc.uuid(), seconds: fc.integer({ min: 1, max: 3_600 }) }),
    committedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
    stopsVersion: bigint,
    events: fc.array(event, { minLength: 1, maxLength: 40 }),
  })

  test('hand-offs round-trip unchanged and in order', () => {
    fc.assert(
      fc.property(handOff, (original) => {
        const received = Buffer.from(encodeHandOff(original)).toString()
        expect(decodeHandOff(received)).toEqual(original)
      }),
      { numRuns: 300 },
    )
  })

  test('a message has at most the calculated number of bytes', () => {
    fc.assert(
      fc.property(handOff, (original) => {
        const maxBytes = original.events
          .map(({ data, hookIds }) => maxBytesOf(data, hookIds.length))
          .reduce((sum, bytes) => sum + bytes, 0)
        expect(Buffer.byteLength(encodeHandOff(original))).toBeLessThanOrEqual(maxBytes)
      }),
      { numRuns: 300 },
    )
  })

  test('a message with the longest fields has at most the calculated number of bytes', () => {
    const hookIds = Array.from({ length: 1_000 }, () => maxInteger)
    for (const letter of ['x', 'ü', '漢', '\u{1F680}']) {
      const data = JSON.stringify({ text: letter.repeat(10_000) })
      const message = encodeHandOff({
        lease: { id: randomUUID(), seconds: maxInteger },
        committedAt: new Date(8.64e15),
        stopsVersion: '9'.repeat(19),
        events: [
          {
            id: randomUUID(),
            accountId: maxInteger,
            type: 'x'.repeat(40),
            data,
            traceparent: `00-${'f'.repeat(32)}-${'f'.repeat(16)}-01`,
            version: '9'.repeat(19),
            hookIds,
          },
        ],
      })
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(maxBytesOf(data, hookIds.length))
    }
  })
})

function createHandOff(): HandOff {
  return {
    lease: { id: randomUUID(), seconds: 30 },
    committedAt: new Date(),
    stopsVersion: '0',
    events: [
      {
        id: randomUUID(),
        accountId: 1,
        type: 'sms_mo',
        data: '{}',
        traceparent: null,
        version: '1',
        hookIds: [1],
      },
    ],
  }
}

describe('the link between processes', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await createNatsServer()
    await server.start()
  })
  afterAll(() => server.close())

  /** Opens both sides for one worker, the side of the api process through a proxy. */
  async function openLink() {
    const installation = `test-${randomBytes(6).toString('hex')}`
    const worker = randomUUID()
    const proxy = await startTcpProxy(server.port)
    const apiNats = openNats(new URL(`nats://127.0.0.1:${proxy.port}`), () => {})
    const workerNats = openNats(new URL(server.url), () => {})
    const received: HandOff[] = []
    const reports: RoomReport[] = []
    const errors: unknown[] = []
    const onError = (error: unknown): unknown => errors.push(error)
    const sender = sendHandOffs(apiNats, installation, {
      onRoom: (report) => reports.push(report),
      onError,
    })
    const receiver = receiveHandOffs(workerNats, installation, worker, {
      onHandOff: (handOff) => received.push(handOff),
      onError,
    })
    for (const nats of [apiNats, workerNats]) await (await nats.first).flush()
    return {
      installation,
      worker,
      proxy,
      apiNats,
      workerNats,
      sender,
      receiver,
      received,
      reports,
      errors,
      close: async (): Promise<void> => {
        await apiNats.close()
        await workerNats.close()
        await proxy.close()
      },
    }
  }

  test('hand-offs and reports arrive, but hand-offs of other workers do not', async () => {
    const { sender, receiver, worker, received, reports, errors, close } = await openLink()
    const handOff = createHandOff()
    expect(sender.send(randomUUID(), createHandOff())).toBe(true)
    expect(sender.send(worker, handOff)).toBe(true)
    const report = { worker, room: 7, atLimit: { hooks: [1], accounts: [2], hosts: ['example.com'] } }
    receiver.report(report)
    await expect.poll(() => received).toEqual([handOff])
    await expect.poll(() => reports).toEqual([report])
    expect(errors).toEqual([])
    await close()
  })

  test('hand-offs are dropped while there is no connection, not buffered', async () => {
    const { sender, worker, proxy, apiNats, received, close } = await openLink()
    expect(sender.maxBytes()).toBe(1024 * 1024)
    const connection = apiNats.live()
    proxy.cut()
    await expect.poll(() => apiNats.live(), { timeout: 5_000 }).toBeUndefined()
    const before = connection?.stats().outMsgs
    expect(sender.send(worker, createHandOff())).toBe(false)
    expect(sender.maxBytes()).toBe(0)
    expect(connection?.stats().outMsgs).toBe(before)

    proxy.restore()
    await expect.poll(() => apiNats.live(), { timeout: 5_000 }).toBeDefined()
    const handOff = createHandOff()
    expect(sender.send(worker, handOff)).toBe(true)
    await expect.poll(() => received).toEqual([handOff])
    await close()
  })

  test('reports that are not JSON are errors, and later ones arrive', async () => {
    const { installation, receiver, worker, workerNats, reports, errors, close } = await openLink()
    const texts = ['plain text', '', '{"worker":"1', '\0']
    for (const text of texts) workerNats.live()?.publish(`hookline.${installation}.rooms`, text)
    const report = { worker, room: 1, atLimit: { hooks: [], accounts: [], hosts: [] } }
    receiver.report(report)
    await expect.poll(() => reports).toEqual([report])
    expect(errors).toHaveLength(texts.length)
    await close()
  })
})

const uuid = '00000000-0000-4000-8000-000000000000'

/** Neither a hand-off nor a report. */
const malformed = [
  'plain text',
  '',
  '\0\uFFFF\n\n\n',
  '{"worker":"',
  'null',
  '[]',
  '1e999',
  '9'.repeat(400),
  JSON.stringify({ worker: uuid, room: 1 }),
  ...[{ worker: 'x' }, { worker: 5 }, { room: -1 }, { room: 1e9 }, { room: 0.5 }].map((wrong) =>
    JSON.stringify({ worker: uuid, room: 100, atLimit: { hooks: [], accounts: [], hosts: [] }, ...wrong }),
  ),
  JSON.stringify({ worker: uuid, room: 'many', atLimit: { hooks: [], accounts: [], hosts: [] } }),
  // Hand-offs with events that do not exist.
  `${uuid} 30 0 0\n`,
  `${uuid} 30 ${'9'.repeat(400)} 0\n${uuid} ${'9'.repeat(400)} 1 sms_mo ${'9'.repeat(400)} - {}`,
  `not-a-lease NaN now 0\n${uuid} 1 1 sms_mo 1,2,x - {}`,
  `not-a-lease 30 ${Date.now()} 0\nnot-an-event 1 1 sms_mo 1 - {`,
]

describe('an api process and a worker', () => {
  let server: NatsServer
  let listener: NatsConnection
  let hookline: TestService
  let worker: ServiceProcess
  let gateway: Gateway
  let receiver: Receiver
  let account: TestAccount
  /** Each message with its subject and headers. */
  let captured: string[]

  beforeAll(async () => {
    server = await createNatsServer()
    await server.start()
    listener = await connect({ servers: `127.0.0.1:${server.port}` })
    listener.subscribe('>', {
      callback(_error, message) {
        const headers = JSON.stringify([...(message.headers ?? [])])
        captured.push(`${message.subject} ${message.reply} ${headers} ${message.string()}`)
      },
    })
    captured = []
    await listener.flush()
    hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: server.url }, 'api')
    worker = await hookline.startAnother({}, 'worker')
    gateway = await createGateway(hookline)
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await hookline.close()
    await receiver.close()
    await listener.close()
    await server.close()
  })

  beforeEach(async () => {
    account = await hookline.account()
    receiver.requests.splice(0)
    captured = []
  })

  function register(fields: Record<string, string> = {}) {
    const form = { target_url: receiver.url(), event_type: 'sms_mo', request_method: 'JSON', ...fields }
    return call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })
  }

  async function readCounts(): Promise<{ handoff: number; inbox: number }> {
    const { text } = await call(`${worker.internalUrl}/metrics`)
    const countOf = (source: string) =>
      Number(
        new RegExp(`^hookline_fresh_events_total\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
      )
    return { handoff: countOf('handoff'), inbox: countOf('inbox') }
  }

  /** Submits events until one was handed off: the first one of an account goes to the inbox. Returns their ids. */
  async function untilHandedOff(data: object = {}): Promise<string[]> {
    const { handoff } = await readCounts()
    const ids: string[] = []
    await expect
      .poll(
        async () => {
          ids.push(await gateway.event(account.accountId, data))
          return (await readCounts()).handoff
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(handoff)
    return ids
  }

  test('send no secret by NATS', async () => {
    const [header, inUrl] = [plantSecret('plain'), plantSecret('plain')]
    const { json } = await register({
      target_url: receiver.url(`/?token=${inUrl.text}`),
      headers: `X-Token: ${header.text}`,
    })
    const secrets = await signingSecrets(hookline.db, hookline.vault, account.accountId, json.id)
    if (secrets === undefined) throw new Error('no signing secrets')
    const marker = `text-${randomUUID()}`
    await untilHandedOff({ text: marker })
    await register({ event_filter: randomUUID() })
    await expect
      .poll(() =>
        captured.some((message) => /^hookline\.\w+\.worker\./.test(message) && message.includes(marker)),
      )
      .toBe(true)
    await expect.poll(() => captured.some((message) => /^hookline\.\w+\.hooks /.test(message))).toBe(true)
    await receiver.until((requests) => requests.length > 0)
    expect(receiver.requests[0]?.headers['x-token']).toBe(header.text)

    const find = searchFor([
      ...header.secrets,
      ...inUrl.secrets,
      secrets.secret.replace('whsec_', ''),
      Buffer.from(secrets.secret.replace('whsec_', ''), 'base64').toString('hex'),
      secrets.signingKey,
      account.key,
      account.password,
      gateway.key,
      hookline.masterKey,
      decodeURIComponent(hookline.database.url.password),
    ])
    expect(find(`… ${header.text} …`)).not.toEqual([])
    expect(find(captured.join('\n'))).toEqual([])
  })

  test('route a test event from the inbox and only to its webhook', async () => {
    const { json } = await register({ target_url: receiver.url('/tested') })
    await register({ target_url: receiver.url('/other') })
    const accepted = await untilHandedOff()
    await receiver.until((requests) => requests.length === 2 * accepted.length)

    const before = await readCounts()
    const { status } = await call(`${hookline.url}/api/hooks/${json.id}/test`, {
      method: 'POST',
      key: account.key,
    })
    expect(status).toBe(200)
    await receiver.until((requests) => requests.some(({ headers }) => headers['x-hookline-test'] === '1'))
    await expect.poll(readCounts).toEqual({ ...before, inbox: before.inbox + 1 })
    await expect.poll(() => hookline.database.query('SELECT FROM work')).toEqual([])
    const tests = receiver.requests.filter(({ headers }) => headers['x-hookline-test'] === '1')
    expect(tests.map(({ url }) => url)).toEqual(['/tested'])
    expect(receiver.at('/other')).toHaveLength(accepted.length)
  })

  test('deliver events after malformed messages', async () => {
    const prefix = `hookline.${await installationName(hookline.db)}`
    await register()
    const sent = await untilHandedOff()
    const [running] = await hookline.database.query<{ id: string }>('SELECT id FROM workers')
    const names = [`worker.${running?.id}`, 'rooms', 'hooks', 'tail', 'inbox']
    const subjects = names.map((name) => `${prefix}.${name}`)
    expect(captured.some((message) => message.startsWith(`${subjects[0]} `))).toBe(true)
    for (const subject of subjects) for (const text of malformed) listener.publish(subject, text)
    await listener.flush()
    await sleep(500)

    sent.push(...(await untilHandedOff()))
    await expect
      .poll(() => receiver.requests.map(({ headers }) => String(headers['webhook-id'])).toSorted(), {
        timeout: 10_000,
      })
      .toEqual(sent.toSorted())
    for (const { child } of [hookline.service, worker]) expect(child.exitCode).toBeNull()
    expect(hookline.service.output()).toContain('background task failed')
  })
})
