/** How fresh events are written into the stream, what a publisher does when nobody answers, and what is never in there. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../dev/receiver.ts'
import { signingSecrets } from '../src/hooks/delivery-hooks.ts'
import { eventTypes } from '../src/model/hook.ts'
import type { DeliverableType, Event } from '../src/model/event.ts'
import { decodeEvents, encodeEvents, ensureStream, streamNames } from '../src/stream/fresh-events.ts'
import { openNats, type NatsState } from '../src/stream/nats.ts'
import { createFreshPublisher } from '../src/stream/publish-fresh.ts'
import { call } from './call.ts'
import { makeCanary, searchFor } from './canaries.ts'
import { createGateway, inboundSms } from './gateway.ts'
import { createNatsServer, type NatsServer } from './nats-server.ts'
import { startWorld } from './service.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** What NATS allows by default. */
const mostBytesAMessage = 1024 * 1024
const mostCharacters = 64 * 1024
const mostEvents = 8

function eventOf(data: string): Event {
  return { id: randomUUID(), accountId: 1, type: 'sms_mo', acceptedAt: new Date(), data }
}

/** Through bytes and back, as on the wire. */
function carry(events: readonly Event[]): Event[][] {
  return [...encodeEvents(events)].map((message) => decodeEvents(Buffer.from(message).toString()))
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

  test('any events come out as they went in, in their order', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const carried = carry(events).flat()
        expect(carried.map(({ testHookId = null, ...event }) => ({ ...event, testHookId }))).toEqual(events)
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

  test('a message has at most eight events and 64 KiB of data, unless one event is larger', () => {
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 60 }), (given) => {
        const events = given.map((size) => eventOf(`"${'x'.repeat(size - 2)}"`))
        const messages = carry(events)
        for (const own of messages) {
          expect(own.length).toBeGreaterThan(0)
          expect(own.length).toBeLessThanOrEqual(mostEvents)
          if (own.length > 1) expect(charactersOf(own)).toBeLessThanOrEqual(mostCharacters)
        }
        // And none is sent that the one before had room for.
        for (const [place, own] of messages.entries()) {
          const [next] = messages[place + 1] ?? []
          if (next !== undefined && own.length < mostEvents)
            expect(charactersOf(own) + next.data.length).toBeGreaterThan(mostCharacters)
        }
        expect(messages.flat().map(({ id }) => id)).toEqual(events.map(({ id }) => id))
      }),
      { numRuns: 100 },
    )
  })

  test('no message of events of the largest size is more than NATS takes, however many bytes a character has', () => {
    const largest = 262_144
    for (const letter of ['x', 'ü', '漢', '\u{1F680}']) {
      const inAll = letter.repeat(Math.floor((largest - 2) / Buffer.byteLength(letter)))
      const inSixth = letter.repeat(Math.floor(mostCharacters / 6 / letter.length))
      const events = [inAll, inSixth, inSixth, inSixth, inSixth, inSixth, inAll].map((text) =>
        eventOf(`"${text}"`),
      )
      for (const message of encodeEvents(events))
        expect(Buffer.byteLength(message)).toBeLessThan(mostBytesAMessage)
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
      publisher.publish([eventOf('{}')])
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

  test('what is on its way to a server that does not answer is bounded, and it goes on when it answers', async () => {
    const proxy = await startTcpProxy(server.port)
    const { nats, states, publisher, publishOne, close } = await openPublisher(proxy.port)
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    const connection = nats.live()
    if (connection === undefined) throw new Error('no connection')
    proxy.swallow()
    const before = connection.stats().outMsgs
    const eight = Array.from({ length: mostEvents }, () => eventOf('{}'))
    for (let count = 0; count < 20_000; count++) publisher.publish(eight)
    const onTheirWay = connection.stats().outMsgs - before
    expect(onTheirWay).toBeGreaterThan(1_000)
    expect(onTheirWay).toBeLessThanOrEqual(5_000)
    // The dead line is noticed, another is opened, and events are published again.
    await expect.poll(() => states, { timeout: 10_000 }).toEqual(['connected', 'gone', 'connected'])
    const kept = await publishOne()
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(kept)
    await close()
    await proxy.close()
  })

  test('nothing is kept for later while there is no connection', async () => {
    const proxy = await startTcpProxy(server.port)
    const { nats, publisher, publishOne, close } = await openPublisher(proxy.port)
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    const connection = nats.live()
    await proxy.close()
    await expect.poll(() => nats.live(), { timeout: 5_000 }).toBeUndefined()
    const before = connection?.stats().outMsgs
    for (let count = 0; count < 20_000; count++) publisher.publish([eventOf('{}')])
    expect(connection?.stats().outMsgs).toBe(before)
    await close()
  })

  test('answers that never come do not silence it for good', async () => {
    const { publisher, direct, installation, manager, stream, subject, publishOne, close } =
      await openPublisher()
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    // Somebody listens, so the server does not say that nobody does; and there is no stream that would answer.
    direct.subscribe(subject)
    await direct.flush()
    await manager.streams.delete(stream)
    for (let count = 0; count < 6_000; count++) publisher.publish([eventOf('{}')])
    await ensureStream(direct, installation)
    await expect.poll(publishOne, { timeout: 10_000 }).toBeGreaterThan(0)
    await close()
  })

  test('an event that is larger than the server takes does not break the one who announces it', async () => {
    const { publisher, publishOne, close } = await openPublisher()
    await expect.poll(publishOne, { timeout: 5_000 }).toBeGreaterThan(0)
    const large = eventOf(`"${'x'.repeat(2 * mostBytesAMessage)}"`)
    expect(() => publisher.publish([eventOf('{}'), large, eventOf('{}')])).not.toThrow()
    await close()
  })
})

test('no secret is in any message of the broker', async () => {
  const server = await createNatsServer()
  await server.start()
  const everything = await connect({ servers: `127.0.0.1:${server.port}` })
  let heard = ''
  const subjects = new Set<string>()
  everything.subscribe('>', {
    callback(_error, message) {
      subjects.add(message.subject)
      heard += `${message.subject} ${message.reply} ${JSON.stringify([...(message.headers ?? [])])} ${message.string()}\n`
    },
  })
  await everything.flush()
  const world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: server.url })
  const receiver = await startReceiver()
  try {
    const account = await world.account()
    const gateway = await createGateway(world)
    const [header, inAddress] = [makeCanary('plain'), makeCanary('plain')]
    const form = {
      target_url: receiver.url(`/?token=${inAddress.text}`),
      event_type: 'sms_mo',
      headers: `X-Token: ${header.text}`,
    }
    const register = (more: object) =>
      call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form: { ...form, ...more } })
    const { json } = await register({})
    const secrets = await signingSecrets(world.db, world.vault, account.accountId, json.id)
    if (secrets === undefined) throw new Error('no signing secrets')

    // Until the stream carries them, with changes of hooks in between.
    const marker = `text-${randomUUID()}`
    await expect
      .poll(
        async () => {
          await gateway.handIn(inboundSms(account.accountId, { text: marker }))
          await register({ event_filter: randomUUID() })
          return heard.includes(marker) && [...subjects].some((subject) => subject.endsWith('.hooks'))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
    await receiver.until((requests) => requests.length > 0)
    expect(receiver.requests[0]?.headers['x-token']).toBe(header.text)

    const find = searchFor([
      ...header.secrets,
      ...inAddress.secrets,
      secrets.secret.replace('whsec_', ''),
      Buffer.from(secrets.secret.replace('whsec_', ''), 'base64').toString('hex'),
      secrets.signatureKey,
      account.key,
      account.password,
      gateway.key,
      world.masterKey,
      decodeURIComponent(world.database.url.password),
    ])
    expect(find(`… ${header.text} …`)).not.toEqual([])
    expect(find(heard)).toEqual([])
  } finally {
    await world.close()
    await receiver.close()
    await everything.close()
    await server.close()
  }
})

test('a test of a webhook comes by the stream too, and goes to that webhook alone', async () => {
  const server = await createNatsServer()
  await server.start()
  const world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: server.url })
  const receiver = await startReceiver()
  const taken = async () => {
    const { text } = await call(`${world.service.internalUrl}/metrics`)
    const by = (source: string) =>
      Number(
        new RegExp(`^hookline_fresh_events_total\\{source="${source}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
      )
    return { stream: by('stream'), inbox: by('inbox') }
  }
  try {
    const account = await world.account()
    const gateway = await createGateway(world)
    const register = async (path: string): Promise<number> => {
      const form = { target_url: receiver.url(path), event_type: 'sms_mo', request_method: 'JSON' }
      return (await call(`${world.url}/api/hooks`, { method: 'POST', key: account.key, form })).json.id
    }
    const tested = await register('/tested')
    await register('/other')
    let accepted = 0
    await expect
      .poll(
        async () => {
          await gateway.handIn(inboundSms(account.accountId))
          accepted++
          return (await taken()).stream
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0)
    const all = async () => Object.values(await taken()).reduce((sum, count) => sum + count)
    await expect.poll(all, { timeout: 10_000 }).toBe(accepted)
    await receiver.until((requests) => requests.length === 2 * accepted)

    const before = await taken()
    const { status } = await call(`${world.url}/api/hooks/${tested}/test`, {
      method: 'POST',
      key: account.key,
    })
    expect(status).toBe(200)
    await expect.poll(taken, { timeout: 10_000 }).toEqual({ ...before, stream: before.stream + 1 })
    await receiver.until((requests) => requests.some(({ headers }) => headers['x-hookline-test'] === '1'))
    const tests = receiver.requests.filter(({ headers }) => headers['x-hookline-test'] === '1')
    expect(tests.map(({ url }) => url)).toEqual(['/tested'])
    expect(receiver.requests.filter(({ url }) => url === '/other')).toHaveLength(accepted)
  } finally {
    await world.close()
    await receiver.close()
    await server.close()
  }
})
