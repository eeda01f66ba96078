import { expect, test } from 'vitest'
import type { AccountHooks, HookCache } from '../hooks/hook-cache.ts'
import { builtInCatalog } from '../model/event-type/catalog.ts'
import type { Event } from '../model/event.ts'
import { createLog } from '../runtime/log.ts'
import { createMetrics } from '../runtime/metrics.ts'
import { noTracing } from '../runtime/tracing.ts'
import { createFreshPoller, type FreshPoller } from './fresh-poller.ts'
import { createHeavyAccounts } from './heavy-accounts.ts'
import { createSlots } from './slots.ts'

const now = (): number => 0

/** A poller whose clock stands still, so it waits for nothing but loads. */
function setup() {
  const cached = new Map<number, AccountHooks>()
  const inbox: Event[] = []
  const started: number[] = []
  const loads: Array<{ accounts: number[]; finish: () => void }> = []
  let routes = 0
  const hooks: Pick<HookCache, 'get' | 'load' | 'stopsVersion' | 'findStop'> = {
    get: (accountId) => cached.get(accountId),
    async load(accountIds) {
      const accounts = [...accountIds].filter((id) => !cached.has(id))
      if (accounts.length === 0) return
      await new Promise<void>((resolve) => loads.push({ accounts, finish: resolve }))
      for (const id of accounts) cached.set(id, hooksOf(id))
    },
    stopsVersion: () => '0',
    findStop: () => undefined,
  }
  const fresh: FreshPoller = createFreshPoller(
    {
      store: {
        async commitRoute(events: readonly unknown[]) {
          routes++
          return events.map(() => ({ state: 'routed', deferred: [] }))
        },
        isUnavailable: () => false,
      },
      inbox: { pull: async (max: number) => inbox.splice(0, max).map((event) => ({ event, tries: 1 })) },
      hooks,
      eventTypes: { current: () => builtInCatalog, refresh: async () => {} },
      clock: { monotonic: now, now, sleep: () => new Promise(() => {}) },
      log: createLog('silent'),
      metrics: createMetrics(),
      tracing: noTracing,
      isHoldFull: async () => false,
      heavy: createHeavyAccounts({ now, isBusy: () => false, isOverShare: () => false }),
      maxInboxIdleMs: () => 20,
    } as unknown as Parameters<typeof createFreshPoller>[0],
    'worker',
    createSlots({ total: 4_000, perHook: 1_000, perAccount: 1_000 }, now),
    { start: ({ event }: { event: Event }) => started.push(event.accountId) } as never,
    { onOverflow() {}, onSetApart() {} },
  )
  return {
    fresh,
    inbox,
    started,
    loads,
    routes: () => routes,
    cache: (id: number) => cached.set(id, hooksOf(id)),
  }
}

function hooksOf(accountId: number): AccountHooks {
  const hook = {
    id: accountId,
    host: 'example.com',
    eventType: 'all',
    enabled: true,
    filter: null,
    maxPerSecond: null,
  }
  return { version: '1', hooks: new Map([[accountId, hook]]), unloadable: new Map() } as never
}

let events = 0
function eventOf(accountId: number): Event {
  return {
    id: `event ${++events}`,
    accountId,
    type: 'sms_mo',
    data: '{}',
    acceptedAt: new Date(0),
    testHookId: null,
    traceparent: null,
  }
}

test('events do not wait for the webhooks of other accounts to load', async () => {
  const { fresh, inbox, started, loads, cache } = setup()
  cache(1)
  inbox.push(eventOf(2), eventOf(1))
  await fresh.poll()
  expect(started).toEqual([1])
  inbox.push(eventOf(3), eventOf(1))
  await fresh.poll()
  expect(started).toEqual([1, 1])

  for (const { finish } of loads) finish()
  await expect.poll(() => loads.length).toBeGreaterThan(1)
  for (const { finish } of loads) finish()
  await fresh.whenDone()
  expect(started).toEqual([1, 1, 2, 3])
})

test('accounts that are missing during a load are loaded together, and their events routed together', async () => {
  const { fresh, inbox, loads, routes } = setup()
  for (const accountId of [1, 2, 3]) {
    inbox.push(eventOf(accountId))
    await fresh.poll()
  }
  expect(loads.map(({ accounts }) => accounts)).toEqual([[1]])
  loads[0]?.finish()
  await expect.poll(() => loads.length).toBe(3)
  for (const { finish } of loads) finish()
  await fresh.whenDone()
  expect(routes()).toBe(2)
})

test('events that wait for a load are at most as many as a batch has: the others stay in the inbox', async () => {
  const { fresh, inbox, started, loads } = setup()
  for (let count = 0; count < 500; count++) inbox.push(eventOf(7))
  await fresh.poll()
  const second = fresh.poll()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(inbox).toHaveLength(300)
  loads[0]?.finish()
  await second
  await fresh.whenDone()
  expect(inbox).toHaveLength(100)
  expect(started).toHaveLength(400)
})
