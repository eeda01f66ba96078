/**
 * Generates an open load of events: arrivals are a Poisson process and do not depend on earlier responses. Events that
 * are due within a tick are submitted in one call. No event is submitted twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Intake {
  url: string
  key: string
}

export interface Load {
  /** Ids of accepted events. Grows while the load runs. */
  accepted: readonly string[]
  /** Milliseconds from the scheduled time of each accepted event to the response of its call. */
  acceptMs: readonly number[]
  /** Number of events that were rejected or whose call failed. */
  rejected: () => number
  offered: () => number
  /** Stops the load and waits for calls in flight. */
  stop: () => Promise<void>
}

const tickMs = 10
const eventsPerCall = 500
const maxCalls = 32
/** Concurrent calls of a burst: enough to keep the api busy. */
const concurrentCalls = 4
const callTimeoutMs = 30_000

export function startLoad(intake: Intake, accounts: readonly number[], ratePerSecond: number): Load {
  const accepted: string[] = []
  const acceptMs: number[] = []
  const calls = new Set<Promise<void>>()
  let offered = 0
  let rejected = 0
  const stopping = new AbortController()

  function submitEvents(dueTimes: readonly number[]): void {
    const events = dueTimes.map(() => eventFor(accounts[offered++ % accounts.length] ?? 0))
    const call = postEvents(intake, events)
      .then((ids) => {
        for (const id of ids) accepted.push(id)
        if (ids.length > 0) for (const dueAt of dueTimes) acceptMs.push(performance.now() - dueAt)
        rejected += events.length - ids.length
        return undefined
      })
      .finally(() => calls.delete(call))
    calls.add(call)
  }

  async function run(): Promise<void> {
    const due: number[] = []
    let dueAt = performance.now()
    while (!stopping.signal.aborted) {
      for (; dueAt <= performance.now(); dueAt += (-Math.log(1 - Math.random()) * 1_000) / ratePerSecond)
        due.push(dueAt)
      while (due.length > 0 && calls.size < maxCalls) submitEvents(due.splice(0, eventsPerCall))
      await sleep(tickMs)
    }
    await Promise.all(calls)
  }

  const running = run()
  return {
    accepted,
    acceptMs,
    rejected: () => rejected,
    offered: () => offered,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Submits `count` events as fast as possible. Returns the ids of accepted events. */
export async function submitImmediately(
  intake: Intake,
  accounts: readonly number[],
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  const sizes = Array.from({ length: Math.ceil(count / eventsPerCall) }, (_, n) =>
    Math.min(eventsPerCall, count - n * eventsPerCall),
  )
  let offered = 0
  const send = async (): Promise<void> => {
    for (let size = sizes.pop(); size !== undefined; size = sizes.pop()) {
      const events = Array.from({ length: size }, () => eventFor(accounts[offered++ % accounts.length] ?? 0))
      ids.push(...(await postEvents(intake, events)))
    }
  }
  await Promise.all(Array.from({ length: concurrentCalls }, send))
  return ids
}

/** Returns the ids of accepted events. Returns none if the call fails, although the service may have accepted some. */
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
