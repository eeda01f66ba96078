/** Tests encoding of fresh events, publishing without responses from NATS, and the absence of secrets in messages. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { signingSecrets } from '../../src/hooks/open-secrets.ts'
import { eventTypes } from '../../src/model/hook.ts'
import type { DeliverableType, Event } from '../../src/model/event.ts'
import { decodeEvents, encodeEvents, ensureStream, streamNames } from '../../src/nats/fresh-events.ts'
import { openNats, type NatsState } from '../../src/nats/nats.ts'
import { createFreshPublisher } from '../../src/nats/publish-fresh.ts'
import { call } from '../support/http-call.ts'
import { plantSecret, searchFor } from '../support/planted-secrets.ts'
import { createGateway, inboundSms } from '../support/gateway.ts'
import { createNatsServer, type NatsServer } from '../support/servers/nats-server.ts'
import { startTestService } from '../support/test-service.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'

/** The default limit of NATS. */
const maxBytesPerMessage = 1024 * 1024
const maxCharacters = 64 * 1024
const maxEvents = 8

function createEvent(data: string): Event {
  return { id: randomUUID(), accountId: 1, type: 'sms_mo', acceptedAt: new Date(), data }
}

/** Encodes and decodes events, as on the wire. */
function roundTrip(events: readonly Event[]): Event[][] {
  return [...encodeEvents(events)].map(({ body, headers }) =>
    decodeEvents(Buffer.from(body).toString(), headers),
  )
}

describe('messages', () => {
  const types = eventTypes.filter((type): type is DeliverableType => type !== 'all')
  const anyEvent = fc.record({
    id: fc.uuid({ version: 7 }),
    accountId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    type: fc.constantFrom(...types),
    testHookId: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
    acceptedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
    data: fc
      .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
      .map((data) => JSON.stringify(data)),
  })

  test('events round-trip unchanged and in order', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const decoded = roundTrip(events).flat()
        expect(decoded.map(({ testHookId = null, ...event }) => ({ ...event, testHookId }))).toEqual(events)
      }),
      { numRuns: 300 },
    )
  })

  const sizes = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 2, max: 400 }) },
    { weight: 5, arbitrary: fc.integer({ min: 7_000, max: 9_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 70_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 200_000, max: 262_144 }) },
  )

  test('a message has at most eight events and 64 KiB of data, unless a single event is larger', () => {
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 60 }), (input) => {
        const events = input.map((size) => createEvent(`"${'x'.repeat(size - 2)}"`))
        const messages = roundTrip(events)
        for (const batch of messages) {
          expect(batch.length).toBeGreaterThan(0)
          expect(batch.length).toBeLessThanOrEqual(maxEvents)
          if (batch.length > 1) expect(charactersOf(batch)).toBeLessThanOrEqual(maxCharacters)
        }
        // No message starts before the previous one is full.
        for (const [index, batch] of messages.entries()) {
          const [next] = messages[index + 1] ?? []
          if (next !== undefined && batch.length < maxEvents)
            expect(charactersOf(batch) + next.data.length).toBeGreaterThan(maxCharacters)
        }
        expect(messages.flat().map(({ id }) => id)).toEqual(events.map(({ id }) => id))
      }),
      { numRuns: 100 },
    )
  })

  test('messages with events of the largest size stay within the NATS limit, regardless of bytes per character', () => {
    const maxBytes = 262_144
    for (const letter of ['x', 'ü', '漢', '\u{1F680}']) {
      const fullText = letter.repeat(Math.floor((maxBytes - 2) / Buffer.byteLength(letter)))
      const partialText = letter.repeat(Math.floor(maxCharacters / 6 / letter.length))
      const events = [
        fullText,
        partialText,
        partialText,
        partialText,
        partialText,
        partialText,
        fullText,
      ].map((text) => createEvent(`"${text}"`))
      for (const { body } of encodeEvents(events))
        expect(Buffer.byteLength(body)).toBeLessThan(maxBytesPerMessage)
    }
  })
})

function charactersOf(events: readonly Event[]): number {
  return events.reduce((sum, { data }) => sum + data.length, 0)
}

describe('publishing', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await createNatsServer()
    await server.start()
  })
  afterAll(() => server.close())

  async function openPublisher(port = server.port) {
    const installation = `test-${randomBytes(6).toString('hex')}`
    const states: NatsState[] = []
    const nats = openNats(new URL(`nats://127.0.0.1:${port}`), (state) => states.push(state))
    const publisher = createFreshPublisher(nats, installation, () => {})
    await nats.first
    const direct = await connect({ servers: `127.0.0.1:${server.port}` })
    const manager = await jetstreamManager(direct)
    const { stream, subject } = streamNames(installation)
    const messages = async (): Promise<number> =>
      (await manager.streams.info(stream).catch(() => undefined))?.state.messages ?? 0
    const publishOne = async (): Promise<number> => {
      publisher.publish([createEvent('{}')])
      await sleep(20)
      return messages()
    }
    return {
      installation,
      nats,
      states,
      publisher,
      direct,
      manager,
      stream,
      subject,
      publishOne,
      close: async (): Promise<void> => {
        await nats.close()
        await direct.close()
      },
    }
  }

  test('messages in flight to an unresponsive server are bounded, and publishing resumes with its responses', async () => {
    const proxy = await startTcpProxy(server.port)
    const { nats, states, publisher, publishOne, close } = await openPublisher(proxy.port)
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    const connection = nats.live()
    if (connection === undefined) throw new Error('no connection')
    proxy.blackhole()
    const before = connection.stats().outMsgs
    const eight = Array.from({ length: maxEvents }, () => createEvent('{}'))
    for (let count = 0; count < 20_000; count++) publisher.publish(eight)
    const inFlight = connection.stats().outMsgs - before
    expect(inFlight).toBeGreaterThan(1_000)
    expect(inFlight).toBeLessThanOrEqual(5_000)
    // The dead connection is detected, another is opened, and events are published again.
    await expect.poll(() => states, { timeout: 10_000 }).toEqual(['connected', 'gone', 'connected'])
    const storedBefore = await publishOne()
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(storedBefore)
    await close()
    await proxy.close()
  })

  test('events are not buffered while there is no connection', async () => {
    const proxy = await startTcpProxy(server.port)
    const { nats, publisher, publishOne, close } = await openPublisher(proxy.port)
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    const connection = nats.live()
    await proxy.close()
    await expect.poll(() => nats.live(), { timeout: 5_000 }).toBeUndefined()
    const before = connection?.stats().outMsgs
    for (let count = 0; count < 20_000; count++) publisher.publish([createEvent('{}')])
    expect(connection?.stats().outMsgs).toBe(before)
    await close()
  })

  test('missing responses do not stop publishing permanently', async () => {
    const { publisher, direct, installation, manager, stream, subject, publishOne, close } =
      await openPublisher()
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    // A subscriber prevents the "no responders" reply, and there is no stream that would respond.
    direct.subscribe(subject)
    await direct.flush()
    await manager.streams.delete(stream)
    for (let count = 0; count < 6_000; count++) publisher.publish([createEvent('{}')])
    await ensureStream(direct, installation)
    await expect.poll(publishOne, { timeout: 10_000 }).toBeGreaterThan(0)
    await close()
  })

  test('an event larger than the limit of the server does not break the publisher', async () => {
    const { publisher, publishOne, close } = await openPublisher()
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    const large = createEvent(`"${'x'.repeat(2 * maxBytesPerMessage)}"`)
    expect(() => publisher.publish([createEvent('{}'), large, createEvent('{}')])).not.toThrow()
    await close()
  })
})

test('no NATS message contains a secret', async () => {
  const server = await createNatsServer()
  await server.start()
  const listener = await connect({ servers: `127.0.0.1:${server.port}` })
  let captured = ''
  const subjects = new Set<string>()
  listener.subscribe('>', {
    callback(_error, message) {
      subjects.add(message.subject)
      captured += `${message.subject} ${message.reply} ${JSON.stringify([...(message.headers ?? [])])} ${message.string()}\n`
    },
  })
  await listener.flush()
  const hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: server.url })
  const receiver = await startReceiver()
  try {
    const account = await hookline.account()
    const gateway = await createGateway(hookline)
    const [header, inUrl] = [plantSecret('plain'), plantSecret('plain')]
    const form = {
      target_url: receiver.url(`/?token=${inUrl.text}`),
      event_type: 'sms_mo',
      headers: `X-Token: ${header.text}`,
    }
    const register = (fields: object) =>
      call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form: { ...form, ...fields } })
    const { json } = await register({})
    const secrets = await signingSecrets(hookline.db, hookline.vault, account.accountId, json.id)
    if (secrets === undefined) throw new Error('no signing secrets')

    // Repeats until the stream has carried an event, with changes of hooks in between.
    const marker = `text-${randomUUID()}`
    await expect
      .poll(
        async () => {
          await gateway.submitEvents(inboundSms(account.accountId, { text: marker }))
          await register({ event_filter: randomUUID() })
          return captured.includes(marker) && [...subjects].some((subject) => subject.endsWith('.hooks'))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
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
    expect(find(captured)).toEqual([])
  } finally {
    await hookline.close()
    await receiver.close()
    await listener.close()
    await server.close()
  }
})

test('a test event also arrives through the stream, and goes only to its webhook', async () => {
  const server = await createNatsServer()
  await server.start()
  const hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: server.url })
  const receiver = await startReceiver()
  const readCounts = async () => {
    const { text } = await call(`${hookline.service.internalUrl}/metrics`)
    const countOf = (source: string) =>
      Number(
        new RegExp(`^hookline_fresh_events_total\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
      )
    return { stream: countOf('stream'), inbox: countOf('inbox') }
  }
  try {
    const account = await hookline.account()
    const gateway = await createGateway(hookline)
    const register = async (path: string): Promise<number> => {
      const form = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
      return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key: account.key, form })).json.id
    }
    const tested = await register('/tested')
    await register('/other')
    let accepted = 0
    await expect
      .poll(
        async () => {
          await gateway.submitEvents(inboundSms(account.accountId))
          accepted++
          return (await readCounts()).stream
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0)
    const all = async () => Object.values(await readCounts()).reduce((sum, count) => sum + count)
    await expect.poll(all, { timeout: 10_000 }).toBe(accepted)
    await receiver.until((requests) => requests.length === 2 * accepted)

    const before = await readCounts()
    const { status } = await call(`${hookline.url}/api/hooks/${tested}/test`, {
      method: 'POST',
      key: account.key,
    })
    expect(status).toBe(200)
    await expect.poll(readCounts, { timeout: 10_000 }).toEqual({ ...before, stream: before.stream + 1 })
    await receiver.until((requests) => requests.some(({ headers }) => headers['x-hookline-test'] === '1'))
    const tests = receiver.requests.filter(({ headers }) => headers['x-hookline-test'] === '1')
    expect(tests.map(({ url }) => url)).toEqual(['/tested'])
    expect(receiver.requests.filter(({ url }) => url === '/other')).toHaveLength(accepted)
  } finally {
    await hookline.close()
    await receiver.close()
    await server.close()
  }
})
