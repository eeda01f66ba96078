/** What an attempt makes of each kind of answer, and when the next one comes. One process, real receivers. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, test as base, vi } from 'vitest'
import { setHookEnabled } from '../src/hooks/set-enabled.ts'
import { enableHook } from '../src/pipeline/switch-hook.ts'
import { type Receiver, startReceiver } from '../../dev/receiver.ts'
import { call } from './call.ts'
import { createGateway, type Gateway, inboundSms } from './gateway.ts'
import { startWorld, type TestAccount, type TestWorld } from './service.ts'

// Longer than any of the waits below, of which the machine decides how long they take.
vi.setConfig({ testTimeout: 90_000 })

// Most of these wait for seconds and use nothing in common, so they wait together.
const test = base.concurrent

let world: TestWorld
let gateway: Gateway
let receiver: Receiver
/** Tests that run at once need a connection each. */
let pool: Pool
const zipped = gzipSync('x'.repeat(1_000_000))
let bigBytesTaken = 0

const answers: Record<string, (response: ServerResponse) => void> = {
  '/fails': (response) => response.writeHead(500).end(),
  '/later-seconds': (response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
  '/later-date': (response) =>
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() }).end(),
  '/much-later': (response) => response.writeHead(503, { 'retry-after': '900000' }).end(),
  '/sooner': (response) => response.writeHead(503, { 'retry-after': '1' }).end(),
  '/moved': (response) => response.writeHead(302, { location: receiver.url('/target') }).end(),
  '/hangs': () => {},
  '/hangs-in-body': (response) => void response.writeHead(200, { 'content-length': '10' }).write('half'),
  '/big': (response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const more = (): void => {
      while (bigBytesTaken < 200_000_000 && !response.destroyed) {
        bigBytesTaken += chunk.length
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  },
  '/zipped': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped),
}

beforeAll(async () => {
  world = await startWorld({ ALLOW_PRIVATE_TARGETS: 'true' })
  pool = new Pool({ connectionString: world.database.url.href, max: 4 })
  gateway = await createGateway(world)
  await recordPlans()
  receiver = await startReceiver((request, response) => {
    const answer = answers[request.url]
    if (answer === undefined) response.writeHead(204).end()
    else answer(response)
  })
})
afterAll(async () => {
  // First the receiver: the process waits for attempts that hang.
  await receiver.close()
  await pool.end()
  await world.close()
})

const voiceCall = (accountId: number): object => ({
  account_id: accountId,
  type: 'voice_call',
  data: { id: '1', caller: '491', system: '492', time: '1731656400' },
})
const voiceDtmf = (accountId: number): object => ({
  account_id: accountId,
  type: 'voice_dtmf',
  data: { id: '1', dtmf_digit: '5' },
})

interface Sent {
  account: TestAccount
  hook: number
  event: string
}

/** One event at one hook of an account of its own. */
async function send(path: string, make: (accountId: number) => object = inboundSms): Promise<Sent> {
  const account = await world.account()
  const hook = await register(account, path)
  const { accepted } = await gateway.handIn(make(account.accountId))
  return { account, hook, event: accepted[0] ?? '' }
}

async function register({ key }: TestAccount, path: string): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'all' }
  return (await call(`${world.url}/api/hooks`, { method: 'POST', key, form })).json.id
}

interface AttemptRow {
  reason: string
  status: number | null
  total_ms: number
  answer_body: Buffer | null
  started_at: Date
}

async function query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>(sql, values)).rows
}

function attemptsOf({ event }: Sent): Promise<AttemptRow[]> {
  return query('SELECT * FROM attempts WHERE event_id = $1 ORDER BY attempt', event)
}

function endsOf({ event }: Sent): Promise<object[]> {
  return query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', event)
}

/** Keeps the delay that each settling plans: what a busy machine adds before the next attempt is no part of it. */
async function recordPlans(): Promise<void> {
  await query(`
    CREATE TABLE plans (event_id uuid, attempts integer, seconds float8);
    CREATE FUNCTION record_plan() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO plans VALUES (NEW.event_id, NEW.attempts, extract(epoch FROM NEW.due_at - now()));
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_plan AFTER UPDATE ON work FOR EACH ROW
      WHEN (NEW.attempts > OLD.attempts) EXECUTE FUNCTION record_plan();
  `)
}

/** Seconds from the settling of each attempt to when the next one is due. */
async function plansOf({ event }: Sent): Promise<number[]> {
  const rows = await query<{ seconds: number }>(
    'SELECT seconds FROM plans WHERE event_id = $1 ORDER BY attempts',
    event,
  )
  return rows.map(({ seconds }) => seconds)
}

test.for([
  ['/later-seconds', 3_600, 3_600],
  // Dates have whole seconds, and some time passes until it is read.
  ['/later-date', 7_100, 7_200],
  ['/much-later', 86_400, 86_400],
  ['/sooner', 5, 6],
] as const)('Retry-After moves the next attempt: %s', async ([path, least, most], { expect }) => {
  const sent = await send(path)
  await expect.poll(() => plansOf(sent), { timeout: 30_000 }).toHaveLength(1)
  const [seconds] = await plansOf(sent)
  expect(seconds).toBeGreaterThanOrEqual(least)
  expect(seconds).toBeLessThanOrEqual(most)
})

test('a redirect is a failure and is not followed', async ({ expect }) => {
  const sent = await send('/moved')
  await expect
    .poll(() => attemptsOf(sent), { timeout: 30_000 })
    .toMatchObject([{ reason: 'redirect', status: 302 }])
  expect(await query('SELECT attempts, held FROM work WHERE event_id = $1', sent.event)).toEqual([
    { attempts: 1, held: false },
  ])
  expect(receiver.at('/target')).toEqual([])
})

test.for([
  ['/hangs', inboundSms, 15_000],
  ['/hangs-in-body', inboundSms, 15_000],
  ['/hangs', voiceCall, 5_000],
  ['/hangs-in-body', voiceDtmf, 5_000],
] as const)('one deadline for the whole attempt: %s %o', async ([path, make, deadlineMs], { expect }) => {
  const sent = await send(path, make)
  await expect.poll(() => attemptsOf(sent), { timeout: 45_000 }).toHaveLength(1)
  const [attempt] = await attemptsOf(sent)
  expect(attempt?.reason).toBe('timeout')
  expect(attempt?.total_ms).toBeGreaterThanOrEqual(deadlineMs - 5)
  // A busy machine may notice it late; a second deadline behind the first would take at least twice as long.
  expect(attempt?.total_ms).toBeLessThan(deadlineMs * 2)
})

test('of a huge answer 4 KiB are kept, and the rest is not even taken', async ({ expect }) => {
  const sent = await send('/big')
  await expect
    .poll(() => endsOf(sent), { timeout: 30_000 })
    .toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1 }])
  const [attempt] = await attemptsOf(sent)
  expect(attempt?.answer_body?.toString()).toBe('x'.repeat(4_096))
  // What the buffers of both sides hold by the time the connection is cut depends on the system, the answer is far larger.
  expect(bigBytesTaken).toBeLessThan(100_000_000)
})

test('an answer is kept as it came, never decompressed', async ({ expect }) => {
  const sent = await send('/zipped')
  await expect.poll(() => attemptsOf(sent), { timeout: 30_000 }).toHaveLength(1)
  const [attempt] = await attemptsOf(sent)
  expect(attempt?.answer_body?.equals(zipped)).toBe(true)
})

test.for([
  ['voice_call', voiceCall],
  ['voice_dtmf', voiceDtmf],
] as const)('%s is tried after 0, 1, 3 and 10 seconds, and then no more', async ([, make], { expect }) => {
  const sent = await send('/fails', make)
  await expect
    .poll(() => endsOf(sent), { timeout: 45_000, interval: 200 })
    .toEqual([{ state: 'failed', reason: 'status', attempts: 4 }])
  const starts = (await attemptsOf(sent)).map((attempt) => attempt.started_at.getTime())
  const gaps = starts.slice(1).map((at, place) => at - (starts[place] ?? 0))
  const plans = await plansOf(sent)
  expect(plans).toHaveLength(3)
  for (const [place, planned] of [1, 3, 10].entries()) {
    expect(plans[place]).toBeGreaterThanOrEqual(planned)
    expect(plans[place]).toBeLessThanOrEqual(planned * 1.2)
    expect(gaps[place]).toBeGreaterThanOrEqual(planned * 1_000)
  }
})

test('a voice event whose next attempt would come after 30 seconds expires with what happened', async ({
  expect,
}) => {
  const sent = await send('/later-seconds', voiceCall)
  await expect
    .poll(() => endsOf(sent), { timeout: 30_000 })
    .toEqual([{ state: 'expired', reason: 'status', attempts: 1 }])
})

test('a voice event older than 30 seconds is not sent any more', async ({ expect }) => {
  const account = await world.account()
  const hook = await register(account, '/too-late')
  const { accountId } = account
  await setHookEnabled(world.db, 'operator', accountId, hook, { enabled: false, reason: 'test' })
  const [event = ''] = (await gateway.handIn(voiceCall(accountId))).accepted
  await expect
    .poll(
      () =>
        query(
          `UPDATE work SET accepted_at = now() - interval '31 seconds' WHERE event_id = $1 RETURNING held`,
          event,
        ),
      { timeout: 30_000 },
    )
    .toEqual([{ held: true }])
  await enableHook(world.db, { accountId, hookId: hook, actor: 'operator' }, 'deliver')
  await expect
    .poll(() => endsOf({ account, hook, event }), { timeout: 30_000 })
    .toEqual([{ state: 'expired', reason: 'too_late', attempts: 0 }])
  expect(receiver.at('/too-late')).toEqual([])
})
