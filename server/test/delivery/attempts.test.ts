/** Tests the outcome of an attempt for each kind of response, and the time of the next one. One process, real receivers. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Pool } from 'pg'
import { afterAll, beforeAll, test as base, vi } from 'vitest'
import { setHookEnabled } from '../../src/hooks/set-enabled.ts'
import { enableHook } from '../../src/replays/enable-hook.ts'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { call } from '../support/http-call.ts'
import { createGateway, type Gateway, inboundSms } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

// Longer than the waits below, whose duration depends on the machine.
vi.setConfig({ testTimeout: 90_000 })

// Most tests wait for seconds and share no data, so they run concurrently.
const test = base.concurrent

let hookline: TestService
let gateway: Gateway
let receiver: Receiver
/** Concurrent tests need one connection each. */
let pool: Pool
const zipped = gzipSync('x'.repeat(1_000_000))
let bigBytesWritten = 0

const responses: Record<string, (response: ServerResponse) => void> = {
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
    const writeMore = (): void => {
      while (bigBytesWritten < 200_000_000 && !response.destroyed) {
        bigBytesWritten += chunk.length
        if (!response.write(chunk)) return void response.once('drain', writeMore)
      }
      response.end()
    }
    writeMore()
  },
  '/zipped': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped),
}

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  pool = new Pool({ connectionString: hookline.database.url.href, max: 4 })
  gateway = await createGateway(hookline)
  await recordDelays()
  receiver = await startReceiver((request, response) => {
    const respond = responses[request.url]
    if (respond === undefined) response.writeHead(204).end()
    else respond(response)
  })
})
afterAll(async () => {
  // Closes the receiver first, because the process waits for attempts that hang.
  await receiver.close()
  await pool.end()
  await hookline.close()
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

interface SentEvent {
  account: TestAccount
  hook: number
  event: string
}

/** Submits one event to one hook of a new account. */
async function send(
  path: string,
  createEvent: (accountId: number) => object = inboundSms,
): Promise<SentEvent> {
  const account = await hookline.account()
  const hook = await register(account, path)
  const { accepted } = await gateway.submitEvents(createEvent(account.accountId))
  return { account, hook, event: accepted[0] ?? '' }
}

async function register({ key }: TestAccount, path: string): Promise<number> {
  const form = { target_url: receiver.url(path), event_type: 'all' }
  return (await call(`${hookline.url}/api/hooks`, { method: 'POST', key, form })).json.id
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

function attemptsOf({ event }: SentEvent): Promise<AttemptRow[]> {
  return query('SELECT * FROM all_attempts WHERE event_id = $1 ORDER BY attempt', event)
}

function outcomesOf({ event }: SentEvent): Promise<object[]> {
  return query('SELECT state, reason, attempts FROM deliveries WHERE event_id = $1', event)
}

/** Records the delay that each settlement schedules, without the delay that a busy machine adds. */
async function recordDelays(): Promise<void> {
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

/** Returns the seconds from each settlement to the due time of the next attempt. */
async function delaysOf({ event }: SentEvent): Promise<number[]> {
  const rows = await query<{ seconds: number }>(
    'SELECT seconds FROM plans WHERE event_id = $1 ORDER BY attempts',
    event,
  )
  return rows.map(({ seconds }) => seconds)
}

test.for([
  ['/later-seconds', 3_600, 3_600],
  // Dates have whole seconds, and some time passes until the header is read.
  ['/later-date', 7_100, 7_200],
  ['/much-later', 86_400, 86_400],
  ['/sooner', 5, 6],
] as const)('Retry-After sets the time of the next attempt: %s', async ([path, min, max], { expect }) => {
  const sent = await send(path)
  await expect.poll(() => delaysOf(sent), { timeout: 30_000 }).toHaveLength(1)
  const [seconds] = await delaysOf(sent)
  expect(seconds).toBeGreaterThanOrEqual(min)
  expect(seconds).toBeLessThanOrEqual(max)
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
] as const)(
  'one deadline covers the whole attempt: %s %o',
  async ([path, createEvent, deadlineMs], { expect }) => {
    const sent = await send(path, createEvent)
    await expect.poll(() => attemptsOf(sent), { timeout: 45_000 }).toHaveLength(1)
    const [attempt] = await attemptsOf(sent)
    expect(attempt?.reason).toBe('timeout')
    expect(attempt?.total_ms).toBeGreaterThanOrEqual(deadlineMs - 5)
    // A busy machine may notice the deadline late. A second deadline after the first would take at least twice as long.
    expect(attempt?.total_ms).toBeLessThan(deadlineMs * 2)
  },
)

test('of a huge response 4 KiB are stored, and the rest is not read', async ({ expect }) => {
  const sent = await send('/big')
  await expect
    .poll(() => outcomesOf(sent), { timeout: 30_000 })
    .toEqual([{ state: 'delivered', reason: 'delivered', attempts: 1 }])
  const [attempt] = await attemptsOf(sent)
  expect(attempt?.answer_body?.toString()).toBe('x'.repeat(4_096))
  // The buffered bytes at disconnect depend on the system. The response is far larger.
  expect(bigBytesWritten).toBeLessThan(100_000_000)
})

test('a response is stored as received, never decompressed', async ({ expect }) => {
  const sent = await send('/zipped')
  await expect.poll(() => attemptsOf(sent), { timeout: 30_000 }).toHaveLength(1)
  const [attempt] = await attemptsOf(sent)
  expect(attempt?.answer_body?.equals(zipped)).toBe(true)
})

test.for([
  ['voice_call', voiceCall],
  ['voice_dtmf', voiceDtmf],
] as const)(
  '%s is attempted after 0, 1, 3 and 10 seconds, and no more',
  async ([, createEvent], { expect }) => {
    const sent = await send('/fails', createEvent)
    await expect
      .poll(() => outcomesOf(sent), { timeout: 45_000, interval: 200 })
      .toEqual([{ state: 'failed', reason: 'status', attempts: 4 }])
    const starts = (await attemptsOf(sent)).map((attempt) => attempt.started_at.getTime())
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
    const delays = await delaysOf(sent)
    expect(delays).toHaveLength(3)
    for (const [index, scheduled] of [1, 3, 10].entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(scheduled)
      expect(delays[index]).toBeLessThanOrEqual(scheduled * 1.2)
      expect(gaps[index]).toBeGreaterThanOrEqual(scheduled * 1_000)
    }
  },
)

test('a voice event whose next attempt is due after 30 seconds expires with the reason of the last attempt', async ({
  expect,
}) => {
  const sent = await send('/later-seconds', voiceCall)
  await expect
    .poll(() => outcomesOf(sent), { timeout: 30_000 })
    .toEqual([{ state: 'expired', reason: 'status', attempts: 1 }])
})

test('a voice event older than 30 seconds is not sent', async ({ expect }) => {
  const account = await hookline.account()
  const hook = await register(account, '/too-late')
  const { accountId } = account
  await setHookEnabled(hookline.db, 'operator', accountId, hook, { enabled: false, reason: 'operator' })
  const [event = ''] = (await gateway.submitEvents(voiceCall(accountId))).accepted
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
  await enableHook(hookline.db, { accountId, hookId: hook, actor: 'operator' }, 'deliver')
  await expect
    .poll(() => outcomesOf({ account, hook, event }), { timeout: 30_000 })
    .toEqual([{ state: 'expired', reason: 'too_late', attempts: 0 }])
  expect(receiver.at('/too-late')).toEqual([])
})
