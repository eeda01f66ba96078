/**
 * The gateway's side: events come up at a steady rate whether or not earlier ones are answered (open model), each under a
 * key of its own. What is not answered with 202 is offered again, as the same event, until it is. Calls under way are few,
 * so that an outage makes the calls larger and not more.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Producer {
  /** Starts the steady load. */
  start: () => void
  /** Holds the load up, and lets it go on. */
  pause: (isPaused: boolean) => void
  /** One event more, of one account; answers its key. */
  offer: (accountId: number) => string
  /** Ends the load and waits until everything is answered. */
  finish: (withinMs: number) => Promise<void>
  /** Ends everything at once. */
  abandon: () => void
  /** Whether everything that was offered is answered. */
  isAnswered: () => boolean
  offered: ReadonlySet<string>
  acknowledged: ReadonlyArray<{ id: string; key: string }>
  /** Events that were offered again, because their call was not answered or not with 202. */
  repeated: ReadonlySet<string>
  /** When the load ended, by the wall clock. */
  loadedUntil: () => number
  /** Answers other than 202, by status; a call that got no answer is not one. */
  refusals: ReadonlyMap<number, number>
}

interface Options {
  url: () => string
  key: string
  accounts: readonly number[]
  eventsPerSecond: number
  /** The load ends by itself after so many. */
  mostEvents: number
}

interface OfferedEvent {
  key: string
  accountId: number
}

const mostCalls = 8
const eventsACall = 100
const afterFailureMs = 200
const callTimeoutMs = 10_000

export function createProducer(options: Options): Producer {
  const waiting: OfferedEvent[] = []
  const offered = new Set<string>()
  const acknowledged: Array<{ id: string; key: string }> = []
  const refusals = new Map<number, number>()
  const senders: Array<Promise<void>> = []
  let loading = Promise.resolve()
  let loadedUntil = Number.POSITIVE_INFINITY
  let callsUnderWay = 0
  const repeated = new Set<string>()
  const state = { isLoading: false, isPaused: false, isFinishing: false, isAbandoned: false }

  function offer(accountId: number): string {
    const key = `event-${offered.size + 1}`
    offered.add(key)
    waiting.push({ key, accountId })
    return key
  }

  /** Poisson arrivals, drawn ahead of time; an arrival that comes late does not delay the next. */
  async function load(): Promise<void> {
    let dueAt = performance.now()
    while (state.isLoading && offered.size < options.mostEvents) {
      dueAt += (-Math.log(1 - Math.random()) * 1_000) / options.eventsPerSecond
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      if (!state.isPaused) offer(options.accounts[offered.size % options.accounts.length] ?? 0)
    }
  }

  async function send(): Promise<void> {
    while (!state.isAbandoned && !(state.isFinishing && waiting.length === 0 && callsUnderWay === 0)) {
      const events = waiting.splice(0, eventsACall)
      if (events.length === 0) {
        await sleep(5)
        continue
      }
      callsUnderWay++
      const ids = await call(events)
      callsUnderWay--
      for (const [place, { key }] of events.entries()) {
        const id = ids[place]
        if (id !== undefined) acknowledged.push({ id, key })
      }
      if (ids.length === events.length) continue
      for (const { key } of events) repeated.add(key)
      waiting.unshift(...events)
      await sleep(afterFailureMs)
    }
  }

  /** All ids, or none if the call was not answered with 202. */
  async function call(events: readonly OfferedEvent[]): Promise<string[]> {
    try {
      const response = await fetch(`${options.url()}/intake/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ events: events.map(eventOf) }),
        signal: AbortSignal.timeout(callTimeoutMs),
      })
      const body = (await response.json()) as { accepted?: string[] }
      if (response.status === 202 && body.accepted?.length === events.length) return body.accepted
      refusals.set(response.status, (refusals.get(response.status) ?? 0) + 1)
    } catch {
      // No answer: it may have been accepted or not.
    }
    return []
  }

  for (let sender = 0; sender < mostCalls; sender++) senders.push(send())

  return {
    start() {
      state.isLoading = true
      loading = load()
    },
    pause: (shall) => (state.isPaused = shall),
    offer,
    async finish(withinMs) {
      state.isLoading = false
      await loading
      loadedUntil = Date.now()
      state.isFinishing = true
      const timeout = setTimeout(() => (state.isAbandoned = true), withinMs)
      await Promise.all(senders)
      clearTimeout(timeout)
      if (waiting.length > 0) throw new Error(`${waiting.length} events were not accepted in ${withinMs} ms`)
    },
    abandon() {
      state.isLoading = false
      state.isAbandoned = true
    },
    isAnswered: () => waiting.length === 0 && callsUnderWay === 0,
    offered,
    acknowledged,
    repeated,
    loadedUntil: () => loadedUntil,
    refusals,
  }
}

function eventOf({ key, accountId }: OfferedEvent): object {
  const data = { id: key, sender: '491700000001', system: '491700000002', text: 'Hello', time: '1731656400' }
  return { account_id: accountId, type: 'sms_mo', key, data }
}
