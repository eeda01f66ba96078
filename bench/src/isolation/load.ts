/**
 * Load of an open model: events come up at times of their own (Poisson arrivals), whether or not earlier ones are
 * answered. What comes up within a tick is handed in with one call. Nothing is offered twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Intake {
  url: string
  key: string
}

export interface Load {
  /** Ids of accepted events, as they come. */
  accepted: readonly string[]
  /** Milliseconds from the moment each accepted event was due to the response of its call. */
  acceptMs: readonly number[]
  /** Events that were not accepted: refused, or their call broke. */
  refused: () => number
  offered: () => number
  /** Ends the load and waits for the calls that are under way. */
  stop: () => Promise<void>
}

const tickMs = 10
const eventsACall = 500
const mostCalls = 32
/** Of a burst: enough to keep the api busy. */
const callsAtOnce = 4
const callTimeoutMs = 30_000

export function startLoad(intake: Intake, accounts: readonly number[], ratePerSecond: number): Load {
  const accepted: string[] = []
  const acceptMs: number[] = []
  const calls = new Set<Promise<void>>()
  let offered = 0
  let refused = 0
  const stopping = new AbortController()

  function handIn(dueTimes: readonly number[]): void {
    const events = dueTimes.map(() => eventFor(accounts[offered++ % accounts.length] ?? 0))
    const call = postEvents(intake, events)
      .then((ids) => {
        for (const id of ids) accepted.push(id)
        if (ids.length > 0) for (const dueAt of dueTimes) acceptMs.push(performance.now() - dueAt)
        refused += events.length - ids.length
        return undefined
      })
      .finally(() => calls.delete(call))
    calls.add(call)
  }

  async function run(): Promise<void> {
    const waiting: number[] = []
    let dueAt = performance.now()
    while (!stopping.signal.aborted) {
      for (; dueAt <= performance.now(); dueAt += (-Math.log(1 - Math.random()) * 1_000) / ratePerSecond)
        waiting.push(dueAt)
      while (waiting.length > 0 && calls.size < mostCalls) handIn(waiting.splice(0, eventsACall))
      await sleep(tickMs)
    }
    await Promise.all(calls)
  }

  const running = run()
  return {
    accepted,
    acceptMs,
    refused: () => refused,
    offered: () => offered,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Hands in so many events as fast as they are taken; answers the ids of those that were accepted. */
export async function handInAtOnce(
  intake: Intake,
  accounts: readonly number[],
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  const sizes = Array.from({ length: Math.ceil(count / eventsACall) }, (_, n) =>
    Math.min(eventsACall, count - n * eventsACall),
  )
  let offered = 0
  const send = async (): Promise<void> => {
    for (let size = sizes.pop(); size !== undefined; size = sizes.pop()) {
      const events = Array.from({ length: size }, () => eventFor(accounts[offered++ % accounts.length] ?? 0))
      ids.push(...(await postEvents(intake, events)))
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, send))
  return ids
}

/** Ids of accepted events; a call that breaks accepted none that we know of. */
async function postEvents({ url, key }: Intake, events: readonly object[]): Promise<string[]> {
  try {
    const response = await fetch(`${url}/intake/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    const { accepted = [] } = (await response.json()) as { accepted?: string[] }
    return response.status === 202 ? accepted : []
  } catch {
    return []
  }
}

function eventFor(accountId: number): object {
  const data = { id: '1', sender: '491700000001', system: '491700000002', text: 'Hello', time: '1731656400' }
  return { account_id: accountId, type: 'sms_mo', data }
}
