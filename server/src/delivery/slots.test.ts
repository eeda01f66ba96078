import { expect, test } from 'vitest'
import { createSlots, type Slot, type SlotLimits, type Slots } from './slots.ts'

const limits: SlotLimits = { total: 100, perHook: 16, perAccount: 40 }

function setup(overrides: Partial<SlotLimits> = {}) {
  const clock = { ms: 0 }
  const slots = createSlots({ ...limits, ...overrides }, () => clock.ms)
  return { clock, slots }
}

function hook(id: number, options: { host?: string; maxPerSecond?: number } = {}) {
  return { id, host: options.host ?? `host-${id}`, maxPerSecond: options.maxPerSecond ?? null }
}

function reserveSlot(
  slots: Slots,
  accountId: number,
  target: ReturnType<typeof hook>,
  use: Slot['use'] = 'fresh',
): Slot {
  const slot = slots.reserve(accountId, target, use)
  if (typeof slot === 'string') throw new Error(`rejected: ${slot}`)
  slots.begin(slot)
  return slot
}

/** Reserves slots until a reservation is rejected. */
function reserveAll(
  slots: Slots,
  next: (count: number) => [number, ReturnType<typeof hook>],
  use: Slot['use'] = 'fresh',
) {
  const reserved: Slot[] = []
  for (;;) {
    const slot = slots.reserve(...next(reserved.length), use)
    if (typeof slot === 'string') return { reserved, rejected: slot }
    slots.begin(slot)
    reserved.push(slot)
  }
}

/** Makes hooks count as fast, by responding immediately. */
function markFast(slots: Slots, ids: readonly number[]): void {
  for (const id of ids) slots.release(reserveSlot(slots, id, hook(id)))
}

test('a hook is limited to its share of slots, divided among the workers', () => {
  const { slots } = setup()
  expect(reserveAll(slots, () => [1, hook(1)])).toMatchObject({ reserved: { length: 16 }, rejected: 'limit' })
  expect(slots.atLimit().hooks).toEqual([1])

  const shared = setup().slots
  shared.setWorkerCount(3)
  expect(reserveAll(shared, () => [1, hook(1)]).reserved).toHaveLength(6)
  shared.setWorkerCount(50)
  expect(reserveAll(shared, () => [2, hook(2)]).reserved).toHaveLength(1)
})

test('an account is limited to its share of slots, regardless of its number of hooks', () => {
  const { slots } = setup()
  expect(reserveAll(slots, (count) => [1, hook(count)])).toMatchObject({
    reserved: { length: 40 },
    rejected: 'limit',
  })
  expect(slots.atLimit().accounts).toEqual([1])
  slots.setWorkerCount(2)
  expect(slots.atLimit().accounts).toEqual([1])
})

test('a host is limited to a quarter of the slots, regardless of the number of accounts', () => {
  const { slots } = setup()
  const all = reserveAll(slots, (count) => [count, hook(count, { host: 'one' })])
  expect(all).toMatchObject({ reserved: { length: 25 }, rejected: 'limit' })
  expect(slots.atLimit().hosts).toEqual(['one'])
  reserveSlot(slots, 1_000, hook(1_000))
})

test('hooks not known as fast get at most half of the slots; fast hooks always get one', () => {
  const { slots } = setup()
  markFast(slots, [9_001, 9_002])
  const unproven = reserveAll(slots, (count) => [count, hook(count)])
  expect(unproven).toMatchObject({ reserved: { length: 50 }, rejected: 'slowLimit' })
  reserveSlot(slots, 9_001, hook(9_001))
  for (const slot of unproven.reserved) slots.release(slot)
  expect(reserveAll(slots, (count) => [count, hook(count)]).reserved).toHaveLength(74)
})

/** Takes all slots of hooks that are not known to be fast. */
function fillSlow(slots: Slots): Slot[] {
  return reserveAll(slots, (count) => [100 + count, hook(100 + count)]).reserved
}

/** One rejected reservation for each hook. */
function joinLine(slots: Slots, ids: readonly number[]): void {
  for (const id of ids) expect(slots.reserve(id, hook(id), 'fresh')).toBe('slowLimit')
  // Of the filling.
  slots.leaveLine([150])
}

test('hooks without a slot wait in line: claims skip those whose turn it is not', () => {
  const { slots } = setup()
  const [first, second] = fillSlow(slots)
  joinLine(slots, [1, 2, 3])
  expect(slots.nextInLine()).toEqual([])
  expect(slots.atLimit().hooks).toEqual([1, 2, 3])

  for (const slot of [first, second]) if (slot) slots.release(slot)
  expect(slots.nextInLine()).toEqual([1, 2])
  expect(slots.atLimit().hooks).toEqual([3])
})

test('a free slot goes to the hook that has waited longest, then to the others in turn', () => {
  const { slots } = setup()
  const filling = fillSlow(slots)
  joinLine(slots, [1, 2])
  const served = Array.from({ length: 4 }, () => {
    const slot = filling.pop()
    if (slot) slots.release(slot)
    // A hook that has not waited, and all that wait.
    return [9, 2, 1].filter((id) => typeof slots.reserve(id, hook(id), 'due') !== 'string')
  })
  expect(served).toEqual([[1], [2], [9], [1]])
})

test('a hook leaves the line when it becomes fast or has nothing to deliver', () => {
  const { clock, slots } = setup()
  const filling = fillSlow(slots)
  joinLine(slots, [1, 2, 3])
  for (const slot of filling.splice(0, 1)) slots.release(slot)
  slots.release(reserveSlot(slots, 1, hook(1), 'due'))
  expect(slots.nextInLine()).toEqual([2])
  slots.leaveLine([2])
  expect(slots.nextInLine()).toEqual([3])
  // A fast hook needs no turn.
  reserveSlot(slots, 1, hook(1))
  clock.ms += 1_000
  expect(slots.nextInLine()).toEqual([])
})

test('nobody waits for a hook in line that cannot use its turn', () => {
  const { slots } = setup()
  markFast(slots, [7, 8, 9])
  const filling = fillSlow(slots)
  joinLine(slots, [1, 2, 3])
  for (const slot of filling.splice(0, 1)) slots.release(slot)
  expect([slots.nextInLine([1]), slots.atLimit([1]).hooks]).toEqual([[2], [3]])
  // The account of hook 2 reaches its limit.
  for (const id of [7, 8, 9]) reserveAll(slots, () => [2, hook(id)], id === 7 ? 'fresh' : 'due')
  expect(slots.atLimit().accounts).toEqual([2])
  expect(slots.nextInLine([1])).toEqual([3])
})

test('a claim skips at most a thousand hooks of the line', () => {
  const { slots } = setup()
  fillSlow(slots)
  joinLine(
    slots,
    Array.from({ length: 2_000 }, (_, count) => 1_000 + count),
  )
  expect(slots.atLimit().hooks).toHaveLength(1_000)
})

test('a hook that takes longer than a second is no longer fast, even while the request is in flight', () => {
  const { clock, slots } = setup()
  markFast(slots, [1, 2])
  reserveSlot(slots, 1, hook(1))
  clock.ms += 1_000
  const others = reserveAll(slots, (count) => [100 + count, hook(100 + count)])
  expect(others).toMatchObject({ reserved: { length: 49 }, rejected: 'slowLimit' })
  expect(slots.reserve(1, hook(1), 'fresh')).toBe('slowLimit')
  reserveSlot(slots, 2, hook(2))
})

test('fresh and due deliveries each leave a quarter of the slots to the other', () => {
  const { slots } = setup()
  markFast(
    slots,
    Array.from({ length: 200 }, (_, id) => id),
  )
  expect(reserveAll(slots, (count) => [count, hook(count)], 'due').reserved).toHaveLength(75)
  expect([slots.free('due'), slots.free('fresh')]).toEqual([0, 25])
  expect(reserveAll(slots, (count) => [100 + count, hook(100 + count)], 'fresh').reserved).toHaveLength(25)
})

test('a waiter wakes when a slot for its use is free', async () => {
  const { slots } = setup({ total: 1 })
  const slot = reserveSlot(slots, 1, hook(1))
  let isWoken = false
  const woken = slots.whenFree('due').then(() => (isWoken = true))
  await Promise.resolve()
  expect(isWoken).toBe(false)
  slots.release(slot)
  await woken
  await slots.whenFree('fresh')
})

test('after the circuit breaker closes, a hook gets 1, 2, 4, 8 slots for a second each, then its share', () => {
  const { clock, slots } = setup()
  slots.enterSlowStart(1, 0)
  const max = [0, 999, 1_000, 2_000, 3_000, 4_000, 9_000].map((ms) => {
    clock.ms = ms
    const { reserved } = reserveAll(slots, () => [1, hook(1)])
    for (const slot of reserved) slots.release(slot)
    return reserved.length
  })
  expect(max).toEqual([1, 1, 2, 4, 8, 16, 16])
  expect(slots.isStartingSlowly(1)).toBe(false)
})

test('a hook with a rate limit never exceeds the limit in any second, divided among the workers', () => {
  const { clock, slots } = setup({ total: 10_000, perHook: 10_000, perAccount: 10_000 })
  slots.setWorkerCount(2)
  const limitedHook = hook(1, { maxPerSecond: 20 })
  const reserved = [0, 0, 500, 1_000, 10_000].map((ms) => {
    clock.ms = ms
    return reserveAll(slots, () => [1, limitedHook]).reserved.length
  })
  expect(reserved).toEqual([10, 0, 5, 5, 10])
  expect(slots.atLimit().hooks).toEqual([1])
  clock.ms += 100
  expect(slots.atLimit().hooks).toEqual([])
})

test('an account or host that is nearly full counts as full for lanes; fresh events can use the remaining slots', () => {
  const { slots } = setup()
  for (let count = 0; count < 19; count++) reserveSlot(slots, count, hook(count, { host: 'one' }))
  expect(slots.atLimit().hosts).toEqual(['one'])
  reserveSlot(slots, 100, hook(100, { host: 'one' }))
})
