/** The judge of the fault rounds must notice what it is there for: each test plants one fault in books that agree. */
import { expect, test } from 'vitest'
import { type Books, judge, nameOf } from '../bench/src/faults/judge.ts'

const faultAt = 10_000
const fault = { from: faultAt, until: faultAt + 500 }
const spared = { faults: [] }

/** Two events of one account with two hooks, all accepted, delivered once and written down. */
function agreeing() {
  const events = ['a', 'b'].map((id) => ({ id, key: `key-${id}`, accountId: 1 }))
  const ends = events.flatMap(({ id, key }) =>
    [7, 8].map((hookId) => ({ eventId: id, hookId, key, attempts: 1, state: 'delivered' })),
  )
  return {
    producer: {
      acknowledged: events.map(({ id, key }) => ({ id, key })),
      offered: new Set(events.map(({ key }) => key)),
      loadedUntil: 20_000,
    },
    database: {
      events,
      deliveries: ends.map((end) => ({ ...end, finishedAt: faultAt + 100 })),
      attempts: new Map(ends.map((end) => [nameOf(end), 1])),
      left: { inbox: 0, work: 0, parked: 0 },
      countedDelivered: ends.length,
    },
    receivers: ends.map(({ eventId, hookId, key }) => ({
      eventId,
      hookId,
      key,
      attempt: 1,
      digest: key,
      at: faultAt - 100,
    })),
    reportedBySpared: new Map<string, number>(),
    hooksOf: new Map([[1, [7, 8]]]),
  } satisfies Books
}

type PlantedBooks = ReturnType<typeof agreeing>

function violations(plant: (books: PlantedBooks) => void, allowance: Parameters<typeof judge>[1] = spared) {
  const books = agreeing()
  plant(books)
  return judge(books, allowance).violations.join('\n')
}

/** The first request, and the same again some time later. */
function duplicate(books: PlantedBooks, times = 1): string {
  const [first] = books.receivers
  if (first === undefined) throw new Error('there are no requests')
  for (let time = 1; time <= times; time++) books.receivers.push({ ...first, at: first.at + time * 30_000 })
  return nameOf(first)
}

test('books that agree are found to agree', () => {
  expect(judge(agreeing(), spared)).toEqual({
    accepted: 2,
    delivered: 4,
    duplicates: 0,
    longestGapMs: 0,
    violations: [],
  })
})

test.each<[what: string, plant: (books: PlantedBooks) => void, said: RegExp]>([
  ['an acknowledged event that is not there', (b) => b.database.events.shift(), /^lost: a /m],
  [
    'an acknowledged id that is another event',
    (b) => b.producer.acknowledged.splice(0, 1, { id: 'b', key: 'key-a' }),
    /^lost: b /m,
  ],
  ['an event nobody routed', (b) => (b.database.left.inbox = 1), /^unfinished: 1 rows are left in inbox/m],
  ['work nobody finished', (b) => (b.database.left.work = 3), /^unfinished: 3 rows are left in work/m],
  ['an event set aside', (b) => (b.database.left.parked = 1), /^unfinished: 1 rows are left in parked/m],
  [
    'a key accepted twice',
    (b) => b.database.events.push({ id: 'c', key: 'key-a', accountId: 2 }),
    /^accepted twice: key-a as a, c/m,
  ],
  [
    'a key answered with two ids',
    (b) => b.producer.acknowledged.push({ id: 'b', key: 'key-a' }),
    /^answered differently: key-a/m,
  ],
  ['a delivery without an end', (b) => b.database.deliveries.shift(), /^no single end: a at hook 7 has 0/m],
  [
    'a delivery with two ends',
    (b) => b.database.deliveries.push(...b.database.deliveries.slice(0, 1)),
    /^no single end: a at hook 7 has 2/m,
  ],
  [
    'a delivery at a hook that did not match',
    (b) => b.database.deliveries.push({ ...b.database.deliveries[0]!, hookId: 9 }),
    /^unexpected: a at hook 9/m,
  ],
  [
    'a delivery that failed',
    (b) => (b.database.deliveries[0]!.state = 'failed'),
    /^not delivered: a at hook 7/m,
  ],
  [
    'an attempt used up by us',
    (b) => (b.database.deliveries[0]!.attempts = 2),
    /^attempts used up: a at hook 7/m,
  ],
  ['a delivery that never arrived', (b) => b.receivers.shift(), /^never arrived: a at hook 7/m],
  [
    'an attempt that is not in the ledger',
    (b) => b.database.attempts.clear(),
    /^attempts differ: a at hook 7/m,
  ],
  [
    'an arrival that is not recorded',
    (b) => b.receivers.push({ ...b.receivers[0]!, hookId: 9 }),
    /^unrecorded: a at hook 9/m,
  ],
  [
    'figures that differ',
    (b) => b.database.countedDelivered++,
    /^counted wrongly: rollups say 5, deliveries 4/m,
  ],
  ['an event that was never offered', (b) => b.producer.offered.delete('key-b'), /^invented: b \(key-b\)/m],
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
])('%s is noticed', (_what, plant, said) => {
  expect(violations(plant)).toMatch(said)
})

test('a duplicate is noticed where none is excused', () => {
  expect(violations(duplicate)).toMatch(/^duplicate: a at hook 7 arrived 2 times, not in flight/m)
})

test('a duplicate of what was in flight at the fault is excused, and counted', () => {
  const books = agreeing()
  duplicate(books)
  expect(judge(books, { faults: [fault] })).toMatchObject({ duplicates: 1, violations: [] })
})

test('a third arrival is not excused', () => {
  expect(violations((books) => duplicate(books, 2), { faults: [fault] })).toMatch(/^duplicate: .* 3 times/m)
})

test('a duplicate of what was settled before the fault is not excused', () => {
  expect(
    violations(
      (books) => {
        duplicate(books)
        books.database.deliveries[0]!.finishedAt = faultAt - 1
      },
      { faults: [fault] },
    ),
  ).toMatch(/^duplicate: .* not in flight/m)
})

test('a duplicate of what was first sent after the fault is not excused', () => {
  expect(
    violations(
      (books) => {
        books.receivers[0]!.at = fault.until + 1
        duplicate(books)
      },
      { faults: [fault] },
    ),
  ).toMatch(/^duplicate: .* not in flight/m)
})

test('a duplicate that processes sent which the fault spared is not excused', () => {
  expect(
    violations(
      (books) => {
        books.reportedBySpared.set(duplicate(books), 2)
      },
      { faults: [fault] },
    ),
  ).toMatch(/^duplicate: /m)
})

test('another body on the second attempt is noticed', () => {
  expect(
    violations(
      (books) => {
        duplicate(books)
        books.receivers.at(-1)!.digest = 'other'
      },
      { faults: [fault] },
    ),
  ).toMatch(/^changed: a at hook 7/m)
})

test('many of a kind are shown as a few and a number', () => {
  const said = violations((books) => {
    for (let count = 0; count < 40; count++)
      books.producer.acknowledged.push({ id: `gone-${count}`, key: `gone-${count}` })
  }).split('\n')
  expect(said.filter((line) => line.startsWith('lost: gone-'))).toHaveLength(5)
  expect(said).toContain('lost: 40 in all')
})
