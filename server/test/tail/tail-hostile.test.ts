/** Tests that tails are isolated: no cursor of one tail stops another. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createTail, type Tail } from '../../src/tail/live-tail.ts'
import { openTail, type TailReader } from '../../../dev/tail-reader.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 180_000 })

let hookline: TestService
let gateway: Gateway

beforeAll(async () => {
  hookline = await startTestService({ CALLS_PER_MINUTE: '100000' }, 'api')
  gateway = await createGateway(hookline)
})
afterAll(() => hookline.close())

function openReader({ key }: TestAccount, from = 'now'): Promise<TailReader> {
  const url = `${hookline.url}/api/events/stream?from=${encodeURIComponent(from)}`
  return openTail(url, { headers: { 'x-api-key': key } })
}

const fields = { xid: '1', event: '0'.repeat(32), hook: '-1', round: '0', at: String(Date.now()) }

function cursor(overrides: Partial<typeof fields>): string {
  const { xid, event, hook, round, at } = { ...fields, ...overrides }
  return Buffer.from([xid, event, hook, round, at].join(' ')).toString('base64url')
}

/** Submits an event of the account and waits until its tail has received it. */
async function expectEvent(account: TestAccount, reader: TailReader): Promise<void> {
  const id = await gateway.event(account.accountId)
  await expect.poll(() => reader.messages.map(({ data }) => data.id), { timeout: 20_000 }).toContain(id)
}

test.each([
  { at: '0' },
  { at: '1' },
  { at: '86399999' },
  { at: '999999999999' },
  { at: '9999999999999' },
  { at: '99999999999999' },
  { at: '-1' },
  { hook: '2147483648' },
  { hook: '9999999999' },
  { hook: '-2' },
  { round: '32768' },
  { round: '99999' },
  { round: '-1' },
  { xid: '9999999999999999999' },
  { xid: '18446744073709551616' },
  { xid: '-1' },
  { event: 'f'.repeat(33) },
  { event: 'g'.repeat(32) },
])('a cursor with %o is rejected, and the tail of another account continues', async (overrides) => {
  const [honest, hostile] = [await hookline.account(), await hookline.account()]
  const reader = await openReader(honest)
  const rejected = await openReader(hostile, cursor(overrides))
  await expectEvent(honest, reader)
  expect(rejected.status).toBe(400)
  expect(JSON.parse(rejected.body())).toMatchObject({
    code: 1012,
    error_message: expect.stringContaining('Start with from=now'),
  })
  reader.cut()
})

test.each([
  cursor({}),
  cursor({ xid: '0' }),
  cursor({ xid: '0000000000000000001', event: 'f'.repeat(32), hook: '2147483647', round: '32767' }),
  cursor({ at: '1000000000000' }),
  '0000-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
])('a tail from %s works, and so does another beside it', async (from) => {
  const [honest, unusual] = [await hookline.account(), await hookline.account()]
  const reader = await openReader(honest)
  const unusualReader = await openReader(unusual, from)
  expect(unusualReader.status).toBe(200)
  await expectEvent(honest, reader)
  if (!from.startsWith('9999')) await expectEvent(unusual, unusualReader)
  reader.cut()
  unusualReader.cut()
})

/** An account id outside the integer range, for which every statement fails. */
const unreadable = 2_147_483_648

async function openIn(tail: Tail, accountId: number, accepts: (eventId: string) => boolean = () => true) {
  const opened = { text: '', routes: [] as string[], isEnded: false }
  const readable = await tail.open({
    accountId,
    from: 'now',
    accepts: ({ id }) => accepts(id),
    write: (row) => `${row.position.eventId} `,
    writeRoute({ eventId }) {
      opened.routes.push(eventId)
      return ''
    },
    greet: () => '',
    heartbeat: () => '',
    isStillAllowed: () => Promise.resolve(true),
  })
  readable.on('data', (chunk: Buffer) => (opened.text += chunk.toString()))
  readable.once('close', () => (opened.isEnded = true))
  return opened
}

async function openBoth(account: TestAccount) {
  const errors: unknown[] = []
  const tail = createTail({ db: hookline.db, clock: systemClock, onError: (error) => errors.push(error) })
  const [honest, hostile] = await Promise.all([openIn(tail, account.accountId), openIn(tail, unreadable)])
  return { tail, errors, honest, hostile }
}

/** Splits events into ten groups. */
function groupOf(eventId: string): number {
  return Number.parseInt(eventId.slice(-4), 16) % 10
}

test('an account that waits for 2,000 routes in ten tails does not delay the routes of others', async () => {
  const [victim, hostile] = [await hookline.account(), await hookline.account()]
  const tail = createTail({
    db: hookline.db,
    clock: systemClock,
    onError: (error) => expect.fail(String(error)),
  })
  const crowd = await Promise.all(
    Array.from({ length: 10 }, (_, index) => openIn(tail, hostile.accountId, (id) => groupOf(id) === index)),
  )
  const reader = await openIn(tail, victim.accountId)
  // There is no worker, so no event is routed.
  const events = Array.from({ length: 100 }, () => inboundSms(hostile.accountId))
  for (let batch = 0; batch < 26; batch++) await gateway.submitEvents(...events)
  const sizes = () => crowd.map(({ text }) => text.split(' ').length - 1)
  await expect.poll(() => Math.min(...sizes()), { timeout: 20_000 }).toBeGreaterThanOrEqual(200)
  const id = await gateway.event(victim.accountId)
  await expect.poll(() => reader.text, { timeout: 20_000 }).toContain(id)
  await hookline.database.query('DELETE FROM inbox WHERE event_id = $1', [id])
  await expect.poll(() => reader.routes, { timeout: 5_000 }).toEqual([id])
  await tail.stop()
})

test('an event in several tails of an account is reported in each', async () => {
  const account = await hookline.account()
  const tail = createTail({
    db: hookline.db,
    clock: systemClock,
    onError: (error) => expect.fail(String(error)),
  })
  const readers = await Promise.all([openIn(tail, account.accountId), openIn(tail, account.accountId)])
  const id = await gateway.event(account.accountId)
  await hookline.database.query('DELETE FROM inbox WHERE event_id = $1', [id])
  await expect.poll(() => readers.map(({ routes }) => routes), { timeout: 20_000 }).toEqual([[id], [id]])
  await tail.stop()
})

test('a tail that cannot be read ends, and no other does', async () => {
  const account = await hookline.account()
  const { tail, errors, honest, hostile } = await openBoth(account)
  await expect.poll(() => hostile.isEnded, { timeout: 20_000 }).toBe(true)
  const id = await gateway.event(account.accountId)
  await expect.poll(() => honest.text, { timeout: 20_000 }).toBe(`${id} `)
  expect(honest.isEnded).toBe(false)
  expect(errors).toHaveLength(1)
  await tail.stop()
})

test('no tail ends while PostgreSQL does not respond, and all continue afterwards', async () => {
  const account = await hookline.account()
  const reader = await openReader(account)
  await expectEvent(account, reader)
  await hookline.database.query('BEGIN')
  await hookline.database.query('LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE')
  // Longer than two statement timeouts: one for all tails, and one for this tail alone.
  await sleep(13_000)
  await hookline.database.query('ROLLBACK')
  await expectEvent(account, reader)
  reader.cut()
})
