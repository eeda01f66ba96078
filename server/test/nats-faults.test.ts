/**
 * What becomes of accepted events when NATS fails in every way we know: an api process, three workers, a receiver and a
 * steady load. Whatever happens to NATS, each event arrives once, none later than three seconds, and the stream is used
 * again when it can be.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../dev/receiver.ts'
import { installationName } from '../src/db/installation.ts'
import { consumerName, streamNames } from '../src/stream/fresh-events.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { createNatsServer, type NatsServer } from './nats-server.ts'
import { startWorld, type TestWorld } from './service.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const eventsPerSecond = 50
/** The inbox takes what is two seconds old; the rest is for looking there and sending. */
const longestDelayMs = 3_000
/** Waiting for conditions on a machine that does much else. */
const timeout = 90_000

interface Scene {
  world: TestWorld
  /** Does something to NATS while events come in steadily; then each of them must have arrived once, and in time. */
  underLoad: (act: () => Promise<void>) => Promise<void>
  /** Fresh events that the workers have taken from the stream so far. */
  byStream: () => Promise<number>
  /** Waits until the stream has carried more than what may have been left over. */
  untilStreamMoves: () => Promise<void>
  close: () => Promise<void>
}

async function startScene(natsPort: number): Promise<Scene> {
  const receiver = await startReceiver()
  const settings = { ALLOW_PRIVATE_TARGETS: 'true', NATS_URL: `nats://127.0.0.1:${natsPort}` }
  const world = await startWorld(settings, 'api')
  const workers = await Promise.all([1, 2, 3].map(() => world.startAnother({}, 'worker')))
  const gateway = await createGateway(world)
  const { key, accountId } = await world.account()
  const form = { target_url: receiver.url(), event_type: 'sms_mo', request_method: 'JSON' }
  const created = await call(`${world.url}/api/hooks`, { method: 'POST', key, form })
  expect(created.json).toMatchObject({ success: true })

  async function byStream(): Promise<number> {
    const counts = workers.map(async ({ internalUrl }) => {
      const { text } = await call(`${internalUrl}/metrics`)
      return Number(/^hookline_fresh_events_total\{source="stream"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }

  async function judge({ accepted, refused }: Load): Promise<void> {
    expect(refused).toEqual([])
    // With nothing left to route or to send, what has arrived is all that ever will.
    await expect.poll(() => unfinished(world), { timeout: 20_000 }).toEqual([{ inbox: 0, work: 0 }])
    const arrivals = receiver.requests
      .splice(0)
      .map(({ headers, at }) => ({ id: String(headers['webhook-id']), at }))
    const arrived = new Set(arrivals.map(({ id }) => id))
    const lost = accepted.filter((id) => !arrived.has(id))
    expect({ lost, extra: arrivals.length - accepted.length }).toEqual({ lost: [], extra: 0 })
    const delays = arrivals.map(({ id, at }) => at - acceptedMs(id))
    const longestMs = Math.max(...delays)
    const late = delays.filter((delay) => delay > 1_000).length
    const figures = `of ${delays.length} events the latest arrived after ${longestMs} ms, ${late} after more than a second`
    expect(longestMs, figures).toBeLessThanOrEqual(longestDelayMs)
  }

  return {
    world,
    byStream,
    async untilStreamMoves() {
      const enough = (await byStream()) + 2 * eventsPerSecond
      await expect.poll(byStream, { timeout: 20_000, interval: 100 }).toBeGreaterThanOrEqual(enough)
    },
    async underLoad(act) {
      // What a fault before this one has left is not of this one.
      await expect.poll(() => unfinished(world), { timeout: 20_000 }).toEqual([{ inbox: 0, work: 0 }])
      receiver.requests.splice(0)
      const load = startLoad(gateway, accountId)
      try {
        await act()
      } finally {
        await load.stop()
      }
      await judge(load)
    },
    async close() {
      await world.close()
      await receiver.close()
    },
  }
}

interface Load {
  accepted: string[]
  /** Answers that were not 202 with one id. */
  refused: unknown[]
  stop: () => Promise<void>
}

/** At even times, whether or not the calls before are answered. */
function startLoad(gateway: Gateway, accountId: number): Load {
  const accepted: string[] = []
  const refused: unknown[] = []
  const calls = new Set<Promise<void>>()
  const handIn = async (): Promise<void> => {
    try {
      const answer = await gateway.handIn(inboundSms(accountId))
      if (answer.status === 202 && answer.accepted.length === 1) accepted.push(...answer.accepted)
      else refused.push(answer)
    } catch (error) {
      refused.push(error)
    }
  }
  const timer = setInterval(() => {
    const one = handIn().finally(() => calls.delete(one))
    calls.add(one)
  }, 1_000 / eventsPerSecond)
  return {
    accepted,
    refused,
    async stop() {
      clearInterval(timer)
      await Promise.all(calls)
    },
  }
}

function unfinished({ database }: TestWorld): Promise<object[]> {
  return database.query(
    'SELECT (SELECT count(*)::integer FROM inbox) AS inbox, (SELECT count(*)::integer FROM work) AS work',
  )
}

/** The milliseconds in a version-7 UUID, when the database made it. */
function acceptedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** One after the other in the same processes: what a fault leaves behind must not harm them in the next. */
describe('a server that fails', { timeout }, () => {
  let nats: NatsServer
  let scene: Scene
  beforeAll(async () => {
    nats = await createNatsServer()
    scene = await startScene(nats.port)
  })
  afterAll(async () => {
    // The world removes its stream, for which there must be a server.
    nats.goOn()
    await nats.start()
    await scene.close()
    await nats.close()
  })

  /** The fault comes while the stream moves. */
  async function strike(fault: () => Promise<void>): Promise<void> {
    nats.goOn()
    await nats.start()
    await scene.underLoad(async () => {
      await scene.untilStreamMoves()
      await fault()
    })
  }

  test('NATS is absent at start and comes later', () =>
    scene.underLoad(async () => {
      await sleep(3_000)
      expect(await scene.byStream()).toBe(0)
      await nats.start()
      await scene.untilStreamMoves()
    }))

  test('NATS is restarted twice', () =>
    strike(async () => {
      for (let time = 0; time < 2; time++) {
        await nats.end('SIGTERM')
        await nats.start()
        await scene.untilStreamMoves()
      }
    }))

  test('NATS is killed, forgets everything and comes back', () =>
    strike(async () => {
      await nats.end('SIGKILL')
      await nats.wipe()
      await sleep(1_500)
      await nats.start()
      await scene.untilStreamMoves()
    }))

  test('NATS answers nobody for five seconds and then goes on where it was', () =>
    strike(async () => {
      nats.hold()
      await sleep(5_000)
      nats.goOn()
      await scene.untilStreamMoves()
    }))

  async function asOperator(
    act: (operator: NatsConnection, stream: string) => Promise<unknown>,
  ): Promise<void> {
    const operator = await connect({ servers: `127.0.0.1:${nats.port}` })
    await act(operator, streamNames(await installationName(scene.world.db)).stream)
    await operator.close()
  }

  test('an operator deletes the stream', () =>
    strike(async () => {
      await asOperator(async (operator, stream) => (await jetstreamManager(operator)).streams.delete(stream))
      await scene.untilStreamMoves()
    }))

  test('events get lost on their way through a stream that moves', () =>
    strike(async () => {
      await asOperator(async (operator, stream) => {
        const consumer = await jetstream(operator).consumers.get(stream, consumerName)
        // Taken like a worker does, and dropped.
        const taken: object[] = []
        const take = async (): Promise<void> => {
          for await (const message of await consumer.fetch({ max_messages: 40, expires: 3_000 }))
            taken.push(message)
        }
        // The client gives up when the machine stands still for a moment; what it has taken is lost all the same.
        await take().catch(() => {})
        expect(taken).not.toEqual([])
      })
      await scene.untilStreamMoves()
    }))

  test('NATS comes back without JetStream, and then with it', () =>
    strike(async () => {
      await nats.end('SIGTERM')
      await nats.start({ jetstream: false })
      await sleep(1_000)
      const before = await scene.byStream()
      await sleep(3_000)
      expect(await scene.byStream()).toBe(before)
      await nats.end('SIGTERM')
      await nats.start()
      await scene.untilStreamMoves()
    }))

  test('NATS is killed and stays away', () =>
    strike(async () => {
      await nats.end('SIGKILL')
      await sleep(1_000)
      const before = await scene.byStream()
      await sleep(3_000)
      expect(await scene.byStream()).toBe(before)
    }))
})

describe('a network that fails', { timeout }, () => {
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

  test('connections to NATS are forgotten, again and again for some seconds', () =>
    scene.underLoad(async () => {
      await scene.untilStreamMoves()
      // What connects anew in between works until the next time.
      for (let time = 0; time < 10; time++) {
        proxy.swallow()
        await sleep(500)
      }
      await scene.untilStreamMoves()
    }))
})
