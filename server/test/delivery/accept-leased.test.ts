/**
 * Tests which events are leased to a worker in the commit that accepts them, and which go to the inbox: only an event
 * whose hooks are known, current and able to receive may skip the route commit.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { createStop, endStop } from '../../src/db/stops.ts'
import { vaultKeyStore } from '../../src/db/vault-key-store.ts'
import { createAccept } from '../../src/delivery/accept.ts'
import { commitEvents } from '../../src/delivery/commit-events.ts'
import { createEventPlacer, type HandOffTarget } from '../../src/delivery/place-events.ts'
import type { ClaimedDelivery } from '../../src/delivery/queue/claim.ts'
import type { Lease } from '../../src/delivery/queue/lease.ts'
import { createHookCache, type HookCache } from '../../src/hooks/hook-cache.ts'
import { createPartitions } from '../../src/ledger/partitions.ts'
import { takeIdEndings } from '../../src/model/event-id.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { noTracing } from '../../src/runtime/tracing.ts'
import { openVault, type Vault } from '../../src/vault/vault.ts'
import { builtInTypes } from '../support/built-in-types.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { inboundSms } from '../support/gateway.ts'

let database: TestDatabase
let db: Database
let vault: Vault
let hooks: HookCache
let handedOff: Array<{ deliveries: readonly ClaimedDelivery[]; lease: Lease }>
let commits: Array<{ isInboxUsed: boolean }>
let target: HandOffTarget
/** Milliseconds since the process started. */
let uptimeMs: number
let accept: ReturnType<typeof createAccept>

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.url, 4, () => {})
  vault = await openVault(vaultKeyStore(db), { masterKey: randomBytes(32) })
  await createPartitions(db, Date.now())
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

beforeEach(async () => {
  await database.query('TRUNCATE inbox, work, lane, rollup_deltas')
  hooks = createHookCache(db, vault)
  handedOff = []
  commits = []
  target = {
    worker: randomUUID(),
    room: () => 100,
    maxBytes: () => 1_000_000,
    roomOf: () => 1_000,
    handOff: (deliveries, lease) => handedOff.push({ deliveries, lease }),
  }
  uptimeMs = 0
  const placer = createEventPlacer({
    hooks,
    eventTypes: builtInTypes,
    chooseTarget: () => target,
    now: () => uptimeMs,
    onError: (error) => expect.unreachable(String(error)),
  })
  uptimeMs = 120_000
  accept = createAccept({
    db,
    limits: { eventsPerCall: 500, eventBytes: 262_144 },
    eventTypes: builtInTypes,
    tracing: noTracing,
    clock: systemClock,
    isOverQuota: async () => false,
    placer,
    room: { waitMs: () => 0, commitSize: () => undefined },
    onCommitted: (commit) => commits.push(commit),
    onError: (error) => expect.unreachable(String(error)),
  })
})

interface HookOptions {
  type?: string
  filter?: string
  enabled?: boolean
}

async function createAccount(
  ...hookOptions: HookOptions[]
): Promise<{ accountId: number; hookIds: number[] }> {
  const [account] = await database.query<{ id: number }>(
    `INSERT INTO accounts (name) VALUES ('accept') RETURNING id`,
  )
  const accountId = account?.id ?? 0
  const hookIds: number[] = []
  for (const { type = 'sms_mo', filter = null, enabled = true } of hookOptions) {
    const [hook] = await database.query<{ id: number }>(
      `INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, event_filter, enabled, fingerprint)
       VALUES ($1, 'http://203.0.113.7/', 'http://203.0.113.7/', $2, 'JSON', $3, $4, $5) RETURNING id`,
      [accountId, type, filter, enabled, randomBytes(32)],
    )
    hookIds.push(hook?.id ?? 0)
  }
  await hooks.load([accountId])
  return { accountId, hookIds }
}

async function submit(...events: object[]): Promise<string[]> {
  const { accepted, rejected } = await accept(0, JSON.stringify({ events }))
  expect(rejected).toEqual([])
  return accepted
}

/** Returns where the accepted events are. */
async function readQueue() {
  const work = await database.query<{
    event_id: string
    hook_id: number
    lease: string
    hooks_version: string
  }>('SELECT event_id, hook_id, lease, hooks_version FROM work ORDER BY event_id, hook_id')
  const inbox = await database.query<{ event_id: string }>('SELECT event_id FROM inbox ORDER BY event_id')
  return { work, inbox: inbox.map(({ event_id }) => event_id) }
}

test('an event is stored, leased and handed off to its worker in one commit', async () => {
  const { accountId, hookIds } = await createAccount({}, { type: 'all' }, { type: 'dlr' })
  const [id = ''] = await submit(inboundSms(accountId))
  const [commit] = handedOff
  const matched = hookIds.slice(0, 2)
  expect(await readQueue()).toEqual({
    work: matched.map((hook_id) => ({ event_id: id, hook_id, lease: commit?.lease.id, hooks_version: '0' })),
    inbox: [],
  })
  expect(commit?.lease.id.slice(0, 18)).toBe(target.worker.slice(0, 18))
  expect(commit?.deliveries).toMatchObject(
    matched.map((hookId) => ({ accountId, hookId, eventId: id, type: 'sms_mo', round: 1, attempts: 0 })),
  )
  const [stored] = await database.query<{ data: string; accepted_at: Date }>(
    'SELECT data, accepted_at FROM events WHERE id = $1',
    [id],
  )
  expect(commit?.deliveries[0]).toMatchObject({ data: stored?.data, acceptedAt: stored?.accepted_at })
  expect(commits).toEqual([{ isInboxUsed: false }])
})

test('an event that matches no webhook is recorded as such, and leaves nothing to do', async () => {
  const { accountId } = await createAccount({ type: 'dlr' })
  const [id] = await submit(inboundSms(accountId))
  expect(await readQueue()).toEqual({ work: [], inbox: [] })
  expect(
    await database.query('SELECT event_id, hooks_version FROM routes WHERE event_id = $1', [id]),
  ).toEqual([{ event_id: id, hooks_version: '0' }])
  expect(handedOff).toEqual([])
})

test('events are counted when they are leased', async () => {
  const { accountId } = await createAccount({})
  await submit(...Array.from({ length: 3 }, () => inboundSms(accountId)))
  expect(await database.query('SELECT account_ids, hook_ids, counts FROM rollup_deltas')).toEqual([
    { account_ids: [accountId], hook_ids: null, counts: [3] },
  ])
})

/** Each prepares an account whose events must be routed by a worker. */
const undecided: Array<[name: string, prepare: () => Promise<{ accountId: number; event?: object }>]> = [
  [
    'hooks that are not cached',
    async () => {
      const created = await createAccount({})
      hooks.invalidate(created.accountId)
      return created
    },
  ],
  [
    'hooks that have changed since they were cached',
    async () => {
      const created = await createAccount({})
      await database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
        created.accountId,
      ])
      return created
    },
  ],
  [
    'a stop that was created since the hooks were cached',
    async () => {
      const created = await createAccount({})
      const id = await db
        .transaction()
        .execute((trx) =>
          createStop(trx, 'operator', { target: { scope: 'host', host: 'example.com' }, reason: 'test' }),
        )
      await db.transaction().execute((trx) => endStop(trx, 'operator', id ?? 0))
      return created
    },
  ],
  ['a disabled hook, whose events are held', () => createAccount({ enabled: false })],
  [
    'an open circuit breaker',
    async () => {
      const created = await createAccount({})
      await database.query(
        `INSERT INTO lane (account_id, hook_id, due_at, open_seconds, not_before) VALUES ($1, $2, 'infinity', 5, now())`,
        [created.accountId, created.hookIds[0]],
      )
      return created
    },
  ],
  [
    'a circuit breaker that has just closed',
    async () => {
      const created = await createAccount({}, {})
      await database.query(
        'INSERT INTO lane (account_id, hook_id, due_at, recovered_at) VALUES ($1, $2, now(), now())',
        [created.accountId, created.hookIds[1]],
      )
      return created
    },
  ],
  ['many webhooks', () => createAccount(...Array.from({ length: 33 }, () => ({})))],
  ['a filter that reads the id', () => createAccount({ filter: `cel:event.id != ''` })],
  [
    'a filter that reads the time of acceptance',
    () => createAccount({ filter: `cel:event.type == 'sms_mo' && event.accepted_at.getHours() >= 0` }),
  ],
  [
    'a filter that costs more than its part of a millisecond',
    () =>
      createAccount({
        filter: `cel:${Array.from({ length: 90 }, () => `data.text.matches('(a|b)*c')`).join('||')}`,
      }),
  ],
  [
    'an expression in the first minute of the process',
    async () => {
      uptimeMs = 59_000
      return createAccount({ filter: `cel:data.text != 'never'` })
    },
  ],
  [
    'a large event',
    async () => {
      const { accountId } = await createAccount({})
      return { accountId, event: inboundSms(accountId, { text: 'x'.repeat(70_000) }) }
    },
  ],
  [
    'a worker without room',
    async () => {
      target.room = () => 0
      return createAccount({})
    },
  ],
  [
    'a worker with room for fewer deliveries',
    async () => {
      target.room = () => 1
      return createAccount({}, {})
    },
  ],
  [
    'a message without space for the event',
    async () => {
      target.maxBytes = () => 300
      return createAccount({})
    },
  ],
  [
    'a webhook at its limit of attempts',
    async () => {
      const created = await createAccount({}, {})
      target.roomOf = (_account, { id }) => (id === created.hookIds[1] ? 0 : 100)
      return created
    },
  ],
]

test.each(undecided)('events with %s go to the inbox, and others of the call do not', async (_, prepare) => {
  const other = await createAccount({})
  const { accountId, event = inboundSms(accountId) } = await prepare()
  // All events of the call share the stops and the worker.
  const isShared = /stop|worker|message/.test(_)
  const [first, second, third] = await submit(inboundSms(other.accountId), event, inboundSms(other.accountId))
  const { work, inbox } = await readQueue()
  expect(inbox).toContain(second)
  expect(work.map(({ event_id }) => event_id)).not.toContain(second)
  if (!isShared) expect(work.map(({ event_id }) => event_id)).toEqual([first, third])
  expect(handedOff.flatMap(({ deliveries }) => deliveries).map(({ eventId }) => eventId)).not.toContain(
    second,
  )
  expect(commits).toEqual([{ isInboxUsed: true }])
})

test.each([
  ['plain values', '491700000002'],
  ['an expression over the data', `cel:data.text != 'never'`],
  ['a list of types', `cel:event.type in ['sms_mo', 'dlr']`],
])('a filter of %s is evaluated at accept', async (_, filter) => {
  const { accountId } = await createAccount({ filter, type: 'all' }, { filter: '1', type: 'sms_mo' })
  await submit(inboundSms(accountId, { system: '491700000002' }))
  const { work, inbox } = await readQueue()
  expect({ deliveries: work.length, inbox }).toEqual({ deliveries: 1, inbox: [] })
})

test('one account cannot use up the time or the room of a commit', async () => {
  target.room = () => 1_000
  const greedy = await createAccount(
    ...Array.from({ length: 32 }, () => ({ filter: `cel:data.text.matches('(x+x+)+y')` })),
  )
  const wide = await createAccount(...Array.from({ length: 32 }, () => ({})))
  const other = await createAccount({ filter: `cel:data.text == 'hello'` })
  await submit(
    ...Array.from({ length: 60 }, () => inboundSms(greedy.accountId, { text: 'x'.repeat(500) })),
    ...Array.from({ length: 60 }, () => inboundSms(wide.accountId)),
    inboundSms(other.accountId, { text: 'hello' }),
  )
  const { work, inbox } = await readQueue()
  expect(work.filter(({ hook_id }) => other.hookIds.includes(hook_id))).toHaveLength(1)
  const ofWide = work.filter(({ hook_id }) => wide.hookIds.includes(hook_id))
  expect(ofWide).toHaveLength(8 * 32)
  expect(inbox.length).toBeGreaterThan(60)
})

function values(first: number): string {
  return Array.from({ length: 70 }, (_, index) => first + index).join(',')
}

test('long filters are compiled one per commit, and evaluated from then on', async () => {
  const { accountId } = await createAccount(
    { filter: values(491_700_000_000) },
    { filter: values(491_800_000_000) },
  )
  const counts: number[] = []
  for (let count = 0; count < 3; count++) {
    await submit(inboundSms(accountId, { system: '491700000002' }))
    counts.push((await readQueue()).work.length)
  }
  expect(counts).toEqual([0, 1, 2])
})

test('accounts without filters do not depend on the time that filters of others take', async () => {
  const plain = await createAccount({})
  const events: object[] = []
  for (let count = 0; count < 6; count++) {
    const filter = `cel:data.text.matches('(x+x+)+y${count}')`
    const { accountId } = await createAccount(...Array.from({ length: 32 }, () => ({ filter })))
    for (let event = 0; event < 20; event++) events.push(inboundSms(accountId, { text: 'x'.repeat(500) }))
  }
  await submit(...events, inboundSms(plain.accountId))
  const { work, inbox } = await readQueue()
  expect(work.map(({ hook_id }) => hook_id)).toEqual(plain.hookIds)
  expect(inbox.length).toBe(events.length)
})

test('hooks that are not cached are loaded for the next event', async () => {
  const { accountId } = await createAccount({})
  hooks.invalidate(accountId)
  await submit(inboundSms(accountId))
  await expect.poll(() => hooks.get(accountId)).toBeDefined()
  await submit(inboundSms(accountId))
  expect(handedOff).toHaveLength(1)
})

test.each([
  ['hooks', 'UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1'],
  ['stops', 'UPDATE stops_version SET version = version + 1 WHERE $1::integer > 0'],
])('a commit that finds newer %s makes the process load them, without a hint', async (_, change) => {
  const { accountId } = await createAccount({})
  await database.query(change, [accountId])
  await submit(inboundSms(accountId))
  expect(handedOff).toEqual([])
  await expect
    .poll(async () => {
      await submit(inboundSms(accountId))
      return handedOff.length
    })
    .toBeGreaterThan(0)
})

test('an event with a key is leased once, however often it is submitted', async () => {
  const { accountId } = await createAccount({})
  const event = { ...inboundSms(accountId), key: 'once' }
  const [first, second] = await submit(event, event)
  const [third] = await submit(event)
  expect([second, third]).toEqual([first, first])
  const { work, inbox } = await readQueue()
  expect(work.map(({ event_id }) => event_id)).toEqual([first])
  expect(inbox).toEqual([])
  expect(handedOff.flatMap(({ deliveries }) => deliveries)).toHaveLength(1)
})

test('ids of one call sort in the order of its events, whether they are leased or not', async () => {
  const leased = await createAccount({})
  const held = await createAccount({ enabled: false })
  const ids = await submit(
    ...Array.from({ length: 200 }, (_, index) => inboundSms((index % 2 === 0 ? leased : held).accountId)),
  )
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids.map((id) => id.slice(0, 13))).size).toBe(1)
})

test('ids of later calls sort after earlier ones, by the millisecond of the database', async () => {
  const { accountId } = await createAccount({})
  const earlier = await submit(...Array.from({ length: 20 }, () => inboundSms(accountId)))
  await sleep(5)
  const later = await submit(...Array.from({ length: 20 }, () => inboundSms(accountId)))
  expect([...earlier, ...later]).toEqual([...earlier, ...later].toSorted())
})

test('events of an unknown or a suspended account are rejected, and the others of the commit are leased', async () => {
  const { accountId } = await createAccount({})
  const suspended = await createAccount({})
  await database.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [suspended.accountId])
  const events = [2_000_000_000, suspended.accountId, accountId].map((id) => inboundSms(id))
  const { accepted, rejected } = await accept(0, JSON.stringify({ events }))
  expect(rejected.map(({ index, reason }) => [index, reason])).toEqual([
    [0, 'unknownAccount'],
    [1, 'accountSuspended'],
  ])
  expect((await readQueue()).work.map(({ event_id }) => event_id)).toEqual(accepted)
})

test('without a worker to lease to, no hook is looked at', async () => {
  const { accountId } = await createAccount({})
  const [idEnding = ''] = takeIdEndings(1)
  const event = { accountId, idEnding, type: 'sms_mo', data: '{}', producerId: 0 }
  const rest = {
    occurredAt: null,
    key: null,
    digest: null,
    messageId: null,
    sender: null,
    recipient: null,
    foreignId: null,
  }
  const match = { version: '0', hookIds: [1] }
  expect(await commitEvents(db, [{ ...event, ...rest, match }])).toMatchObject([
    { state: 'accepted', isLeased: false },
  ])
})
