/**
 * Simulates the gateway: generates events at a steady rate that does not depend on responses (open model), each with a
 * unique idempotency key. Resubmits an event with the same key until the intake responds 202. The number of concurrent
 * calls is limited, so an outage makes calls larger instead of more numerous.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Producer {
  /** Starts the steady load. */
  start: () => void
  /** Pauses or resumes the load. */
  pause: (isPaused: boolean) => void
  /** Submits one more event of an account. Returns its key. */
  offer: (accountId: number) => string
  /** Ends the load and waits until all events are acknowledged. */
  finish: (timeoutMs: number) => Promise<void>
  /** Stops immediately. */
  abort: () => void
  /** Whether all submitted events are acknowledged. */
  isAcknowledged: () => boolean
  /** Submits acknowledged events again, with their keys. */
  repeat: (events: readonly AcknowledgedEvent[]) => void
  offered: ReadonlySet<string>
  acknowledged: readonly AcknowledgedEvent[]
  /** Keys of events that were resubmitted because their call failed or did not return 202. */
  resubmitted: ReadonlySet<string>
  /** Wall-clock time at which the load ended. */
  loadEndedAt: () => number
  /** Number of responses other than 202, by status. Calls without a response are not counted. */
  rejections: ReadonlyMap<number, number>
}

interface Options {
  url: () => string
  key: string
  accounts: readonly number[]
  eventsPerSecond: number
  /** The load ends after this number of events. */
  maxEvents: number
}

interface OfferedEvent {
  key: string
  accountId: number
}

export interface AcknowledgedEvent extends OfferedEvent {
  id: string
  /** Wall-clock time of the response. */
  at: number
}

const maxCalls = 8
const eventsPerCall = 100
const retryDelayMs = 200
const callTimeoutMs = 10_000

export function createProducer(options: Options): Producer {
  const pending: OfferedEvent[] = []
  const offered = new Set<string>()
  const acknowledged: AcknowledgedEvent[] = []
  const rejections = new Map<number, number>()
  const senders: Array<Promise<void>> = []
  let loading = Promise.resolve()
  let loadEndedAt = Number.POSITIVE_INFINITY
  let callsInFlight = 0
  const resubmitted = new Set<string>()
  const state = { isLoading: false, isPaused: false, isFinishing: false, isAborted: false }

  function offer(accountId: number): string {
    const key = `event-${offered.size + 1}`
    offered.add(key)
    pending.push({ key, accountId })
    return key
  }

  /** Generates Poisson arrivals. A late arrival does not delay the next. */
  async function load(): Promise<void> {
    let dueAt = performance.now()
    while (state.isLoading && offered.size < options.maxEvents) {
      dueAt += (-Math.log(1 - Math.random()) * 1_000) / options.eventsPerSecond
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      if (!state.isPaused) offer(options.accounts[offered.size % options.accounts.length] ?? 0)
    }
  }

  async function send(): Promise<void> {
    while (!state.isAborted && !(state.isFinishing && pending.length === 0 && callsInFlight === 0)) {
      const events = pending.splice(0, eventsPerCall)
      if (events.length === 0) {
        await sleep(5)
        continue
      }
      callsInFlight++
      const ids = await call(events)
      callsInFlight--
      const at = Date.now()
      for (const [index, event] of events.entries()) {
        const id = ids[index]
        if (id !== undefined) acknowledged.push({ ...event, id, at })
      }
      if (ids.length === events.length) continue
      for (const { key } of events) resubmitted.add(key)
      pending.unshift(...events)
      await sleep(retryDelayMs)
    }
  }

  /** Returns all ids, or none if the intake did not respond 202. */
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
      rejections.set(response.status, (rejections.get(response.status) ?? 0) + 1)
    } catch {
      // No response: the intake may have accepted the events.
    }
    return []
  }

  for (let sender = 0; sender < maxCalls; sender++) senders.push(send())

  return {
    start() {
      state.isLoading = true
      loading = load()
    },
    pause: (isPaused) => (state.isPaused = isPaused),
    offer,
    async finish(timeoutMs) {
      state.isLoading = false
      await loading
      loadEndedAt = Date.now()
      state.isFinishing = true
      const timeout = setTimeout(() => (state.isAborted = true), timeoutMs)
      await Promise.all(senders)
      clearTimeout(timeout)
      if (pending.length > 0) throw new Error(`${pending.length} events were not accepted in ${timeoutMs} ms`)
    },
    abort() {
      state.isLoading = false
      state.isAborted = true
    },
    repeat: (events) => void pending.push(...events.map(({ key, accountId }) => ({ key, accountId }))),
    isAcknowledged: () => pending.length === 0 && callsInFlight === 0,
    offered,
    acknowledged,
    resubmitted,
    loadEndedAt: () => loadEndedAt,
    rejections,
  }
}

function eventOf({ key, accountId }: OfferedEvent): object {
  const data = { id: key, sender: '491700000001', system: '491700000002', text: 'Hello', time: '1731656400' }
  return { account_id: accountId, type: 'sms_mo', key, data }
}
