/**
 * Tests accepted events during NATS failures of every known kind, with an api process, three workers, a receiver and a
 * steady load. Each event arrives once and within three seconds, and workers get hand-offs again as soon as possible.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { createNatsServer, type NatsServer } from '../support/servers/nats-server.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts'

const eventsPerSecond = 50
/** Workers find lost hand-offs after two seconds. The rest is for claiming and sending. */
const maxDelayMs = 3_000
/** Timeout for conditions on a busy machine. */
const timeout = 90_000

interface Scene {
  hookline: TestService
  /** Runs an action under a steady load of events. Each event must arrive once and in time. */
  underLoad: (action: () => Promise<void>) => Promise<void>
  /** Counts fresh events that were handed off to the workers so far. */
  countHandedOff: () => Promise<number>
  /** Waits until more events were handed off than can be left over. */
  untilHandedOff: () => Promise<void>
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

  async function countHandedOff(): Promise<number> {
    const counts = workers.map(async ({ internalUrl }) => {
      const { text } = await call(`${internalUrl}/metrics`)
      return Number(/^hookline_fresh_events_total\{source="handoff"\} (\d+)$/m.exec(text)?.[1] ?? 0)
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
    countHandedOff,
    async untilHandedOff() {
      const minCount = (await countHandedOff()) + 2 * eventsPerSecond
      await expect.poll(countHandedOff, { timeout: 20_000, interval: 100 }).toBeGreaterThanOrEqual(minCount)
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
    nats.resume()
    await scene.close()
    await nats.close()
  })

  /** Injects a fault while events are handed off. */
  async function injectFault(fault: () => Promise<void>): Promise<void> {
    nats.resume()
    await nats.start()
    await scene.underLoad(async () => {
      await scene.untilHandedOff()
      await fault()
    })
  }

  test('NATS is absent at start and starts later', () =>
    scene.underLoad(async () => {
      await sleep(3_000)
      expect(await scene.countHandedOff()).toBe(0)
      await nats.start()
      await scene.untilHandedOff()
    }))

  test('NATS is restarted twice', () =>
    injectFault(async () => {
      for (let time = 0; time < 2; time++) {
        await nats.end('SIGTERM')
        await nats.start()
        await scene.untilHandedOff()
      }
    }))

  test('NATS is killed and restarts', () =>
    injectFault(async () => {
      await nats.end('SIGKILL')
      await sleep(1_500)
      await nats.start()
      await scene.untilHandedOff()
    }))

  test('NATS hangs for five seconds and then continues', () =>
    injectFault(async () => {
      nats.pause()
      await sleep(5_000)
      nats.resume()
      await scene.untilHandedOff()
    }))

  test('NATS is killed and does not return', () =>
    injectFault(async () => {
      await nats.end('SIGKILL')
      await sleep(1_000)
      const before = await scene.countHandedOff()
      await sleep(3_000)
      expect(await scene.countHandedOff()).toBe(before)
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
      await scene.untilHandedOff()
      // New connections in between work until the next drop.
      for (let time = 0; time < 10; time++) {
        proxy.blackhole()
        await sleep(500)
      }
      await scene.untilHandedOff()
    }))
})
