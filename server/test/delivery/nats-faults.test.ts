/**
 * Tests accepted events during NATS failures of every known kind, with an api process, three workers, a receiver and a
 * steady load. Each event arrives once and within three seconds, and workers use the stream again as soon as
 * possible.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { installationName } from '../../src/db/installation.ts'
import { consumerName, streamNames } from '../../src/nats/fresh-events.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { createNatsServer, type NatsServer } from '../support/servers/nats-server.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'

const eventsPerSecond = 50
/** Workers claim events from the inbox after two seconds. The rest is for polling and sending. */
const maxDelayMs = 3_000
/** Timeout for conditions on a busy machine. */
const timeout = 90_000

interface Scene {
  hookline: TestService
  /** Runs an action under a steady load of events. Each event must arrive once and in time. */
  underLoad: (action: () => Promise<void>) => Promise<void>
  /** Counts fresh events that the workers have read from the stream so far. */
  countStreamEvents: () => Promise<number>
  /** Waits until the stream has delivered more events than can be left over. */
  untilStreamDelivers: () => Promise<void>
  close: () => Promise<void>
}

async function startScene(natsPort: number): Promise<Scene> {
  const receiver = await startReceiver()
  const settings = { ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: `nats://127.0.0.1:${natsPort}` }
  const hookline = await startTestService(settings, 'api')
  const workers = await Promise.all([1, 2, 3].map(() => hookline.startAnother({}, 'worker')))
  const gateway = await createGateway(hookline)
  const { key, accountId } = await hookline.account()
  const form = { target_url: receiver.url(), event_type: 'sms_mo', request_method: 'JSON' }
  const created = await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })
  expect(created.json).toMatchObject({ success: true })

  async function countStreamEvents(): Promise<number> {
    const counts = workers.map(async ({ internalUrl }) => {
      const { text } = await call(`${internalUrl}/metrics`)
      return Number(/^hookline_fresh_events_total\{source="stream"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }

  async function verify({ accepted, rejected }: Load): Promise<void> {
    expect(rejected).toEqual([])
    // With an empty inbox and queue, no further request can arrive.
    await expect.poll(() => unfinished(hookline), { timeout: 20_000 }).toEqual([{ inbox: 0, work: 0 }])
    const arrivals = receiver.requests
      .splice(0)
      .map(({ headers, at }) => ({ id: String(headers['webhook-id']), at }))
    const arrived = new Set(arrivals.map(({ id }) => id))
    const lost = accepted.filter((id) => !arrived.has(id))
    expect({ lost, extra: arrivals.length - accepted.length }).toEqual({ lost: [], extra: 0 })
    const delays = arrivals.map(({ id, at }) => at - acceptedMs(id))
    const maxMs = Math.max(...delays)
    const late = delays.filter((delay) => delay > 1_000).length
    const summary = `of ${delays.length} events the latest arrived after ${maxMs} ms, ${late} after more than a second`
    expect(maxMs, summary).toBeLessThanOrEqual(maxDelayMs)
  }

  return {
    hookline,
    countStreamEvents,
    async untilStreamDelivers() {
      const minCount = (await countStreamEvents()) + 2 * eventsPerSecond
      await expect
        .poll(countStreamEvents, { timeout: 20_000, interval: 100 })
        .toBeGreaterThanOrEqual(minCount)
    },
    async underLoad(action) {
      // Waits until the events of the previous fault are finished.
      await expect.poll(() => unfinished(hookline), { timeout: 20_000 }).toEqual([{ inbox: 0, work: 0 }])
      receiver.requests.splice(0)
      const load = startLoad(gateway, accountId)
      try {
        await action()
      } finally {
        await load.stop()
      }
      await verify(load)
    },
    async close() {
      await hookline.close()
      await receiver.close()
    },
  }
}

interface Load {
  accepted: string[]
  /** Responses other than 202 with one id. */
  rejected: unknown[]
  stop: () => Promise<void>
}

/** Submits events at a constant rate, regardless of pending calls. */
function startLoad(gateway: Gateway, accountId: number): Load {
  const accepted: string[] = []
  const rejected: unknown[] = []
  const calls = new Set<Promise<void>>()
  const submitEvents = async (): Promise<void> => {
    try {
      const response = await gateway.submitEvents(inboundSms(accountId))
      if (response.status === 202 && response.accepted.length === 1) accepted.push(...response.accepted)
      else rejected.push(response)
    } catch (error) {
      rejected.push(error)
    }
  }
  const timer = setInterval(() => {
    const submission = submitEvents().finally(() => calls.delete(submission))
    calls.add(submission)
  }, 1_000 / eventsPerSecond)
  return {
    accepted,
    rejected,
    async stop() {
      clearInterval(timer)
      await Promise.all(calls)
    },
  }
}

function unfinished({ database }: TestService): Promise<object[]> {
  return database.query(
    'SELECT (SELECT count(*)::integer FROM inbox) AS inbox, (SELECT count(*)::integer FROM work) AS work',
  )
}

/** Returns the timestamp of a version 7 UUID, set by the database. */
function acceptedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** Faults run one after the other in the same processes, so that effects of one fault on the next are covered. */
describe('a failing server', { timeout }, () => {
  let nats: NatsServer
  let scene: Scene
  beforeAll(async () => {
    nats = await createNatsServer()
    scene = await startScene(nats.port)
  })
  afterAll(async () => {
    // The test service removes its stream, which needs a server.
    nats.resume()
    await nats.start()
    await scene.close()
    await nats.close()
  })

  /** Injects a fault while the stream delivers events. */
  async function injectFault(fault: () => Promise<void>): Promise<void> {
    nats.resume()
    await nats.start()
    await scene.underLoad(async () => {
      await scene.untilStreamDelivers()
      await fault()
    })
  }

  test('NATS is absent at start and starts later', () =>
    scene.underLoad(async () => {
      await sleep(3_000)
      expect(await scene.countStreamEvents()).toBe(0)
      await nats.start()
      await scene.untilStreamDelivers()
    }))

  test('NATS is restarted twice', () =>
    injectFault(async () => {
      for (let time = 0; time < 2; time++) {
        await nats.end('SIGTERM')
        await nats.start()
        await scene.untilStreamDelivers()
      }
    }))

  test('NATS is killed, loses its data and restarts', () =>
    injectFault(async () => {
      await nats.end('SIGKILL')
      await nats.wipe()
      await sleep(1_500)
      await nats.start()
      await scene.untilStreamDelivers()
    }))

  test('NATS hangs for five seconds and then continues', () =>
    injectFault(async () => {
      nats.pause()
      await sleep(5_000)
      nats.resume()
      await scene.untilStreamDelivers()
    }))

  async function asOperator(
    action: (operator: NatsConnection, stream: string) => Promise<unknown>,
  ): Promise<void> {
    const operator = await connect({ servers: `127.0.0.1:${nats.port}` })
    await action(operator, streamNames(await installationName(scene.hookline.db)).stream)
    await operator.close()
  }

  test('an operator deletes the stream', () =>
    injectFault(async () => {
      await asOperator(async (operator, stream) => (await jetstreamManager(operator)).streams.delete(stream))
      await scene.untilStreamDelivers()
    }))

  test('messages are lost in a working stream', () =>
    injectFault(async () => {
      await asOperator(async (operator, stream) => {
        const consumer = await jetstream(operator).consumers.get(stream, consumerName)
        // Fetched like a worker does, and dropped.
        const fetched: object[] = []
        const fetchMessages = async (): Promise<void> => {
          for await (const message of await consumer.fetch({ max_messages: 40, expires: 3_000 }))
            fetched.push(message)
        }
        // The client gives up if the machine stalls. The fetched messages are lost anyway.
        await fetchMessages().catch(() => {})
        expect(fetched).not.toEqual([])
      })
      await scene.untilStreamDelivers()
    }))

  test('NATS restarts without JetStream, and then with JetStream', () =>
    injectFault(async () => {
      await nats.end('SIGTERM')
      await nats.start({ jetstream: false })
      await sleep(1_000)
      const before = await scene.countStreamEvents()
      await sleep(3_000)
      expect(await scene.countStreamEvents()).toBe(before)
      await nats.end('SIGTERM')
      await nats.start()
      await scene.untilStreamDelivers()
    }))

  test('NATS is killed and does not return', () =>
    injectFault(async () => {
      await nats.end('SIGKILL')
      await sleep(1_000)
      const before = await scene.countStreamEvents()
      await sleep(3_000)
      expect(await scene.countStreamEvents()).toBe(before)
    }))
})

describe('a failing network', { timeout }, () => {
  let nats: NatsServer
  let proxy: TcpProxy
  let scene: Scene
  beforeAll(async () => {
    nats = await createNatsServer()
    await nats.start()
    proxy = await startTcpProxy(nats.port)
    scene = await startScene(proxy.port)
  })
  afterAll(async () => {
    await scene.close()
    await proxy.close()
    await nats.close()
  })

  test('connections to NATS are dropped silently and repeatedly for some seconds', () =>
    scene.underLoad(async () => {
      await scene.untilStreamDelivers()
      // New connections in between work until the next drop.
      for (let time = 0; time < 10; time++) {
        proxy.blackhole()
        await sleep(500)
      }
      await scene.untilStreamDelivers()
    }))
})
