import { expect, test } from 'vitest'
import { createSlots, type Slot, type SlotLimits, type Slots } from './slots.ts'

const limits: SlotLimits = { total: 100, ofHook: 16, ofAccount: 40 }

function world(own: Partial<SlotLimits> = {}) {
  const clock = { ms: 0 }
  const slots = createSlots({ ...limits, ...own }, () => clock.ms)
  return { clock, slots }
}

function hook(id: number, more: { host?: string; mostPerSecond?: number } = {}) {
  return { id, host: more.host ?? `host-${id}`, mostPerSecond: more.mostPerSecond ?? null }
}

function taken(
  slots: Slots,
  accountId: number,
  of: ReturnType<typeof hook>,
  use: Slot['use'] = 'fresh',
): Slot {
  const slot = slots.reserve(accountId, of, use)
  if (typeof slot === 'string') throw new Error(`refused: ${slot}`)
  slots.begin(slot)
  return slot
}

/** As many as there are to have. */
function takeAll(
  slots: Slots,
  next: (count: number) => [number, ReturnType<typeof hook>],
  use: Slot['use'] = 'fresh',
) {
  const got: Slot[] = []
  for (;;) {
    const slot = slots.reserve(...next(got.length), use)
    if (typeof slot === 'string') return { got, refused: slot }
    slots.begin(slot)
    got.push(slot)
  }
}

/** Hooks that have answered at once. */
function prove(slots: Slots, ids: readonly number[]): void {
  for (const id of ids) slots.giveBack(taken(slots, id, hook(id)))
}

test('a hook has at most its share of what it may have over all workers', () => {
  const { slots } = world()
  expect(takeAll(slots, () => [1, hook(1)])).toMatchObject({ got: { length: 16 }, refused: 'full' })
  expect(slots.full().hooks).toEqual([1])

  const shared = world().slots
  shared.shareAmong(3)
  expect(takeAll(shared, () => [1, hook(1)]).got).toHaveLength(6)
  shared.shareAmong(50)
  expect(takeAll(shared, () => [2, hook(2)]).got).toHaveLength(1)
})

test('an account has at most its share, however many hooks it has', () => {
  const { slots } = world()
  expect(takeAll(slots, (count) => [1, hook(count)])).toMatchObject({ got: { length: 40 }, refused: 'full' })
  expect(slots.full().accounts).toEqual([1])
  slots.shareAmong(2)
  expect(slots.full().accounts).toEqual([1])
})

test('a host has at most a quarter, however many accounts call it', () => {
  const { slots } = world()
  const all = takeAll(slots, (count) => [count, hook(count, { host: 'one' })])
  expect(all).toMatchObject({ got: { length: 25 }, refused: 'full' })
  expect(slots.full().hosts).toEqual(['one'])
  taken(slots, 1_000, hook(1_000))
})

test('hooks that are not known to be quick have at most half; those that are always find a place', () => {
  const { slots } = world()
  prove(slots, [9_001, 9_002])
  const unknown = takeAll(slots, (count) => [count, hook(count)])
  expect(unknown).toMatchObject({ got: { length: 50 }, refused: 'crowded' })
  taken(slots, 9_001, hook(9_001))
  for (const slot of unknown.got) slots.giveBack(slot)
  expect(takeAll(slots, (count) => [count, hook(count)]).got).toHaveLength(74)
})

test('a hook that takes longer than a second is not quick any more, also while it is under way', () => {
  const { clock, slots } = world()
  prove(slots, [1, 2])
  taken(slots, 1, hook(1))
  clock.ms += 1_000
  const others = takeAll(slots, (count) => [100 + count, hook(100 + count)])
  expect(others).toMatchObject({ got: { length: 49 }, refused: 'crowded' })
  expect(slots.reserve(1, hook(1), 'fresh')).toBe('crowded')
  taken(slots, 2, hook(2))
})

test('fresh and due work leave each other a quarter', () => {
  const { slots } = world()
  prove(
    slots,
    Array.from({ length: 200 }, (_, id) => id),
  )
  expect(takeAll(slots, (count) => [count, hook(count)], 'due').got).toHaveLength(75)
  expect([slots.free('due'), slots.free('fresh')]).toEqual([0, 25])
  expect(takeAll(slots, (count) => [100 + count, hook(100 + count)], 'fresh').got).toHaveLength(25)
})

test('whoever waits for a place is woken when there is one of its kind', async () => {
  const { slots } = world({ total: 1 })
  const slot = taken(slots, 1, hook(1))
  let isWoken = false
  const woken = slots.whenFree('due').then(() => (isWoken = true))
  await Promise.resolve()
  expect(isWoken).toBe(false)
  slots.giveBack(slot)
  await woken
  await slots.whenFree('fresh')
})

test('after its breaker closed a hook gets 1, 2, 4, 8 at once, a second each, and then its share', () => {
  const { clock, slots } = world()
  slots.startSlowly(1, 0)
  const most = [0, 999, 1_000, 2_000, 3_000, 4_000, 9_000].map((ms) => {
    clock.ms = ms
    const { got } = takeAll(slots, () => [1, hook(1)])
    for (const slot of got) slots.giveBack(slot)
    return got.length
  })
  expect(most).toEqual([1, 1, 2, 4, 8, 16, 16])
  expect(slots.isStartingSlowly(1)).toBe(false)
})

test('a hook with a rate gets no more than that in any second, shared among the workers', () => {
  const { clock, slots } = world({ total: 10_000, ofHook: 10_000, ofAccount: 10_000 })
  slots.shareAmong(2)
  const rated = hook(1, { mostPerSecond: 20 })
  const got = [0, 0, 500, 1_000, 10_000].map((ms) => {
    clock.ms = ms
    return takeAll(slots, () => [1, rated]).got.length
  })
  expect(got).toEqual([10, 0, 5, 5, 10])
  expect(slots.full().hooks).toEqual([1])
  clock.ms += 100
  expect(slots.full().hooks).toEqual([])
})

test('for turns, an account or a host that is nearly full counts as full; a fresh event may still have the rest', () => {
  const { slots } = world()
  for (let count = 0; count < 19; count++) taken(slots, count, hook(count, { host: 'one' }))
  expect(slots.full().hosts).toEqual(['one'])
  taken(slots, 100, hook(100, { host: 'one' }))
})
