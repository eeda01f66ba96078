/** Tests that `verify` detects each kind of violation. Each test injects one violation into consistent observations. */
import { expect, test } from 'vitest'
import { type Observations, verify, deliveryName } from './verify.ts'

const faultAt = 10_000
const fault = { from: faultAt, until: faultAt + 500 }
const noFaults = { faults: [] }

/** Two events of an account with two hooks, all accepted, delivered once and recorded. */
function consistentObservations() {
  const events = ['a', 'b'].map((id) => ({ id, key: `key-${id}`, accountId: 1 }))
  const finalDeliveries = events.flatMap(({ id, key }) =>
    [7, 8].map((hookId) => ({ eventId: id, hookId, key, attempts: 1, state: 'delivered' })),
  )
  return {
    producer: {
      acknowledged: events.map(({ id, key }) => ({ id, key })),
      offered: new Set(events.map(({ key }) => key)),
      loadEndedAt: 20_000,
    },
    database: {
      events,
      deliveries: finalDeliveries.map((delivery) => ({ ...delivery, finishedAt: faultAt + 100 })),
      attempts: new Map(finalDeliveries.map((delivery) => [deliveryName(delivery), 1])),
      left: { inbox: 0, work: 0, parked: 0 },
      counted: { delivered: finalDeliveries.length, events: events.length },
    },
    receivers: finalDeliveries.map(({ eventId, hookId, key }) => ({
      eventId,
      hookId,
      key,
      attempt: 1,
      digest: key,
      at: faultAt - 100,
    })),
    reportedByUnaffected: new Map<string, number>(),
    hooksByAccount: new Map([[1, [7, 8]]]),
  } satisfies Observations
}

type MutableObservations = ReturnType<typeof consistentObservations>

function violations(
  inject: (observations: MutableObservations) => void,
  allowance: Parameters<typeof verify>[1] = noFaults,
) {
  const observations = consistentObservations()
  inject(observations)
  return verify(observations, allowance).violations.join('\n')
}

/** Repeats the first request. Returns the name of its delivery. */
function duplicate(observations: MutableObservations, times = 1): string {
  const [first] = observations.receivers
  if (first === undefined) throw new Error('no requests')
  for (let time = 1; time <= times; time++)
    observations.receivers.push({ ...first, at: first.at + time * 30_000 })
  return deliveryName(first)
}

test('consistent observations have no violations', () => {
  expect(verify(consistentObservations(), noFaults)).toEqual({
    accepted: 2,
    delivered: 4,
    duplicates: 0,
    maxGapMs: 0,
    violations: [],
  })
})

test.each<[name: string, inject: (observations: MutableObservations) => void, expectedLine: RegExp]>([
  ['a missing acknowledged event', (b) => b.database.events.shift(), /^lost: a /m],
  [
    'an acknowledged id of another event',
    (b) => b.producer.acknowledged.splice(0, 1, { id: 'b', key: 'key-a' }),
    /^lost: b /m,
  ],
  ['an unrouted event', (b) => (b.database.left.inbox = 1), /^unfinished: 1 rows are left in inbox/m],
  ['an unfinished delivery', (b) => (b.database.left.work = 3), /^unfinished: 3 rows are left in work/m],
  ['a parked event', (b) => (b.database.left.parked = 1), /^unfinished: 1 rows are left in parked/m],
  [
    'a key accepted twice',
    (b) => b.database.events.push({ id: 'c', key: 'key-a', accountId: 2 }),
    /^accepted twice: key-a as a, c/m,
  ],
  [
    'a key with two acknowledged ids',
    (b) => b.producer.acknowledged.push({ id: 'b', key: 'key-a' }),
    /^conflicting ids: key-a/m,
  ],
  [
    'a delivery without a result',
    (b) => b.database.deliveries.shift(),
    /^not exactly one result: a at hook 7 has 0/m,
  ],
  [
    'a delivery with two results',
    (b) => b.database.deliveries.push(...b.database.deliveries.slice(0, 1)),
    /^not exactly one result: a at hook 7 has 2/m,
  ],
  [
    'a delivery to a hook that did not match',
    (b) => b.database.deliveries.push({ ...b.database.deliveries[0]!, hookId: 9 }),
    /^unexpected: a at hook 9/m,
  ],
  ['a failed delivery', (b) => (b.database.deliveries[0]!.state = 'failed'), /^not delivered: a at hook 7/m],
  ['an extra attempt', (b) => (b.database.deliveries[0]!.attempts = 2), /^extra attempts: a at hook 7/m],
  ['a delivery that never arrived', (b) => b.receivers.shift(), /^never arrived: a at hook 7/m],
  [
    'an attempt missing from the ledger',
    (b) => b.database.attempts.clear(),
    /^attempts differ: a at hook 7/m,
  ],
  [
    'an unrecorded arrival',
    (b) => b.receivers.push({ ...b.receivers[0]!, hookId: 9 }),
    /^unrecorded: a at hook 9/m,
  ],
  [
    'a different rollup count',
    (b) => b.database.counted.delivered++,
    /^wrong count: rollups have 5, deliveries 4/m,
  ],
  [
    'an event that is not counted',
    (b) => b.database.counted.events--,
    /^wrong count: rollups have 1 events of 2/m,
  ],
  [
    'an event that was never submitted',
    (b) => b.producer.offered.delete('key-b'),
    /^never submitted: b \(key-b\)/m,
  ],
  [
    'an arrival of an event that does not exist',
    (b) => b.receivers.push({ ...b.receivers[0]!, eventId: 'z' }),
    /^never accepted: z at hook 7/m,
  ],
  [
    "an arrival with another event's body",
    (b) => (b.receivers[0]!.key = 'key-b'),
    /^never accepted: a at hook 7/m,
  ],
])('%s is detected', (_name, inject, expectedLine) => {
  expect(violations(inject)).toMatch(expectedLine)
})

test('a duplicate without a fault is detected', () => {
  expect(violations(duplicate)).toMatch(/^duplicate: a at hook 7 arrived 2 times, in flight during 0 faults/m)
})

test('a duplicate in flight during the fault is allowed and counted', () => {
  const observations = consistentObservations()
  duplicate(observations)
  expect(verify(observations, { faults: [fault] })).toMatchObject({ duplicates: 1, violations: [] })
})

test('a third arrival is not allowed after one fault', () => {
  expect(violations((observations) => duplicate(observations, 2), { faults: [fault] })).toMatch(
    /^duplicate: .* 3 times, in flight during 1 faults/m,
  )
})

test('a third arrival is allowed if the repeated request was in flight during another fault', () => {
  const observations = consistentObservations()
  duplicate(observations, 2)
  const repeatedAt = faultAt - 100 + 30_000
  observations.database.deliveries[0]!.finishedAt = repeatedAt + 31_000
  const second = { from: repeatedAt + 50, until: repeatedAt + 60 }
  expect(verify(observations, { faults: [fault, second] })).toMatchObject({ duplicates: 2, violations: [] })

  const before = { from: repeatedAt - 60, until: repeatedAt - 50 }
  expect(verify(observations, { faults: [fault, before] }).violations.join()).toMatch(
    /3 times, in flight during 1 faults/,
  )
})

test('a duplicate settled before the fault is not allowed', () => {
  expect(
    violations(
      (observations) => {
        duplicate(observations)
        observations.database.deliveries[0]!.finishedAt = faultAt - 1
      },
      { faults: [fault] },
    ),
  ).toMatch(/^duplicate: .* in flight during 0 faults/m)
})

test('a duplicate first sent after the fault is not allowed', () => {
  expect(
    violations(
      (observations) => {
        observations.receivers[0]!.at = fault.until + 1
        duplicate(observations)
      },
      { faults: [fault] },
    ),
  ).toMatch(/^duplicate: .* in flight during 0 faults/m)
})

test('a duplicate sent by unaffected processes is not allowed', () => {
  expect(
    violations(
      (observations) => {
        observations.reportedByUnaffected.set(duplicate(observations), 2)
      },
      { faults: [fault] },
    ),
  ).toMatch(/^duplicate: /m)
})

test('a different body on the second attempt is detected', () => {
  expect(
    violations(
      (observations) => {
        duplicate(observations)
        observations.receivers.at(-1)!.digest = 'other'
      },
      { faults: [fault] },
    ),
  ).toMatch(/^body changed: a at hook 7/m)
})

test('many violations of a kind are shortened to a few and a total', () => {
  const lines = violations((observations) => {
    for (let count = 0; count < 40; count++)
      observations.producer.acknowledged.push({ id: `gone-${count}`, key: `gone-${count}` })
  }).split('\n')
  expect(lines.filter((line) => line.startsWith('lost: gone-'))).toHaveLength(5)
  expect(lines).toContain('lost: 40 in total')
})
