/** One tail is nobody else's business: whatever somebody begins with, all others go on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../src/ops/clock.ts'
import { createTail } from '../src/pipeline/tail.ts'
import { openTail, type TailReader } from '../../dev/tail-reader.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 180_000 })

let world: TestWorld
let gateway: Gateway

beforeAll(async () => {
  world = await startWorld({ CALLS_PER_MINUTE: '100000' }, 'api')
  gateway = await createGateway(world)
})
afterAll(() => world.close())

function listen({ key }: TestAccount, from = 'now'): Promise<TailReader> {
  const url = `${world.url}/api/events/stream?from=${encodeURIComponent(from)}`
  return openTail(url, { headers: { 'x-api-key': key } })
}

const fields = { xid: '1', event: '0'.repeat(32), hook: '-1', round: '0', at: String(Date.now()) }

function cursor(more: Partial<typeof fields>): string {
  const { xid, event, hook, round, at } = { ...fields, ...more }
  return Buffer.from([xid, event, hook, round, at].join(' ')).toString('base64url')
}

/** Hands in an event of the account and waits until its tail has brought it. */
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
])('a cursor with %o is refused, and the tail of another account goes on', async (more) => {
  const [honest, hostile] = [await world.account(), await world.account()]
  const reader = await listen(honest)
  const refused = await listen(hostile, cursor(more))
  await expectEvent(honest, reader)
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.body())).toMatchObject({
    code: 1012,
    error_message: expect.stringContaining('Begin with from=now'),
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
])('beside a tail from %s another goes on, and so does itself', async (from) => {
  const [honest, odd] = [await world.account(), await world.account()]
  const reader = await listen(honest)
  const beside = await listen(odd, from)
  expect(beside.status).toBe(200)
  await expectEvent(honest, reader)
  if (!from.startsWith('9999')) await expectEvent(odd, beside)
  reader.cut()
  beside.cut()
})

/** A tail of this process, of an account that no statement can be asked for. */
const unreadable = 2_147_483_648

async function openBoth(account: TestAccount) {
  const errors: unknown[] = []
  const tail = createTail({ db: world.db, clock: systemClock, onError: (error) => errors.push(error) })
  const [honest, hostile] = await Promise.all([open(account.accountId), open(unreadable)])

  async function open(accountId: number) {
    const opened = { text: '', isEnded: false }
    const readable = await tail.open({
      accountId,
      from: 'now',
      write: (row) => `${row.position.eventId} `,
      greet: () => '',
      beat: '',
      isStillAllowed: () => Promise.resolve(true),
    })
    readable.on('data', (chunk: Buffer) => (opened.text += chunk.toString()))
    readable.once('close', () => (opened.isEnded = true))
    return opened
  }
  return { tail, errors, honest, hostile }
}

test('a tail that cannot be read ends, and no other', async () => {
  const account = await world.account()
  const { tail, errors, honest, hostile } = await openBoth(account)
  await expect.poll(() => hostile.isEnded, { timeout: 20_000 }).toBe(true)
  const id = await gateway.event(account.accountId)
  await expect.poll(() => honest.text, { timeout: 20_000 }).toBe(`${id} `)
  expect(honest.isEnded).toBe(false)
  expect(errors).toHaveLength(1)
  await tail.stop()
})

test('while PostgreSQL does not answer no tail ends, and all go on afterwards', async () => {
  const account = await world.account()
  const reader = await listen(account)
  await expectEvent(account, reader)
  await world.database.query('BEGIN')
  await world.database.query('LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE')
  // Longer than two statements may take: one for all, and one for this alone.
  await sleep(13_000)
  await world.database.query('ROLLBACK')
  await expectEvent(account, reader)
  reader.cut()
})
