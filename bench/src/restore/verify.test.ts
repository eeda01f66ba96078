/** Tests that `verify` detects each kind of violation. Each test injects one violation into consistent observations. */
import { expect, test } from 'vitest'
import { type Observations, verify } from './verify.ts'

const target = 1_800_000_000_000
const restartedAt = target + 20_000

/** Returns an event id with a time relative to the target. */
function idAt(ms: number): string {
  const hex = (target + ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

const settled = idAt(-9_000)
const inFlight = idAt(-100)
const pending = idAt(-200)
const lost = idAt(1_000)
const renewed = idAt(21_000)

function request(eventId: string, key: string, at: number) {
  return { eventId, hookId: 7, key, digest: key, attempt: 1, at }
}

/** An event that was settled before the target, one in flight at it, one pending until the crash, and a lost one. */
function consistentObservations() {
  const told = [
    { id: settled, key: 'settled', accountId: 1, at: target - 8_990 },
    { id: inFlight, key: 'in-flight', accountId: 1, at: target - 90 },
    { id: pending, key: 'pending', accountId: 1, at: target - 190 },
    { id: lost, key: 'lost', accountId: 1, at: target + 1_010 },
  ]
  const restored = told.slice(0, 3).map(({ id, key, accountId }) => ({ id, key, accountId }))
  const events = [...restored, { id: renewed, key: 'lost', accountId: 1 }]
  return {
    target,
    restartedAt,
    told,
    repeated: [
      { key: 'in-flight', id: inFlight },
      { key: 'pending', id: pending },
      { key: 'lost', id: renewed },
    ],
    restored: { events: restored, settled: new Set([`${settled} at hook 7`]) },
    final: {
      events,
      deliveries: events.map(({ id }) => ({ eventId: id, hookId: 7, state: 'delivered' })),
      left: { inbox: 0, work: 0, parked: 0 },
    },
    received: [
      request(settled, 'settled', target - 8_000),
      request(inFlight, 'in-flight', target + 10),
      request(lost, 'lost', target + 1_100),
      request(inFlight, 'in-flight', restartedAt + 100),
      request(pending, 'pending', restartedAt + 100),
      request(renewed, 'lost', restartedAt + 200),
    ],
    hooksByAccount: new Map([[1, [7]]]),
  } satisfies Observations
}

type MutableObservations = ReturnType<typeof consistentObservations>

test('consistent observations have no violations', () => {
  expect(verify(consistentObservations())).toEqual({
    counts: {
      acceptedBeforeTarget: 3,
      acceptedAfterTarget: 1,
      settledDeliveries: 1,
      resentDeliveries: 1,
      firstSentDeliveries: 1,
      repeatedKnown: 2,
      repeatedLost: 1,
      newIdDeliveries: 1,
    },
    violations: [],
  })
})

test.each<[name: string, inject: (observations: MutableObservations) => void, expectedLine: RegExp]>([
  ['an event lost before the target', (o) => o.restored.events.shift(), /^lost: .* \(settled\)/m],
  [
    'an event restored from after the target',
    (o) => o.restored.events.push({ id: idAt(4_000), key: 'late', accountId: 1 }),
    /^restored past the target: .* 4000 ms after it/m,
  ],
  ['a lost event that is not repeated', (o) => o.repeated.pop(), /^not repeated: .* \(lost\)/m],
  [
    'a known key with a new id',
    (o) => (o.repeated[0]!.id = renewed),
    /^wrong id for a repeated key: in-flight/m,
  ],
  ['a lost key with its old id', (o) => (o.repeated[2]!.id = lost), /^wrong id for a repeated key: lost/m],
  [
    'a key with two events',
    (o) => o.final.events.push({ id: idAt(22_000), key: 'pending', accountId: 1 }),
    /^accepted twice: pending/m,
  ],
  ['an unfinished delivery', (o) => (o.final.left.work = 2), /^unfinished: 2 rows are left in work/m],
  ['an event that is gone at the end', (o) => o.final.events.pop(), /^gone: .* \(lost\)/m],
  ['a pending delivery that never arrives', (o) => o.received.splice(4, 1), /^never arrived: /m],
  ['a failed delivery', (o) => (o.final.deliveries[2]!.state = 'failed'), /^not delivered once: /m],
  [
    'a settled delivery that is sent after the restore',
    (o) => o.received.push(request(settled, 'settled', restartedAt + 300)),
    /^settled, but sent after the restore: /m,
  ],
  [
    'an event that only a stream has',
    (o) => o.received.push(request(lost, 'lost', restartedAt + 50)),
    /^sent without an event: /m,
  ],
  ['another body on the second attempt', (o) => (o.received[3]!.digest = 'other'), /^body changed: /m],
  [
    'a crash with nothing in flight',
    (o) => o.received.splice(3, 1),
    /^proved nothing: resentDeliveries is 0/m,
  ],
])('%s is detected', (_name, inject, expectedLine) => {
  const observations = consistentObservations()
  inject(observations)
  expect(verify(observations).violations.join('\n')).toMatch(expectedLine)
})
