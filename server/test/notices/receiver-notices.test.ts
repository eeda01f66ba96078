/** Notices about receivers that will fail soon: certificates, slow responses, breakers that stay open. */
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { createReceiverWatch } from '../../src/delivery/receiver-watch.ts'
import { openBreakers } from '../../src/delivery/queue/circuit-breaker.ts'
import type { Outcome } from '../../src/model/delivery/outcome.ts'
import { recordBackingOff, recordCertificates, recordSlow } from '../../src/notices/detect-receivers.ts'
import { recordRecovered } from '../../src/notices/detect-recovered.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { addAttempt, createHook, endHour, mailsAfterWait, recover, statesOf } from '../support/notices.ts'
import { type Certificates, createCertificates } from '../support/servers/broken-certificates.ts'
import { listenOnLoopback, type LoopbackServer } from '../support/servers/loopback-server.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let mailServer: MailServer
let certificates: Certificates
let hookline: TestService
let secure: LoopbackServer
let slow: Receiver
let gateway: Gateway

beforeAll(async () => {
  mailServer = await startMailServer()
  certificates = createCertificates()
  hookline = await startDashboardService(
    {
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'hookline@mail.example',
      ALLOW_PRIVATE_TARGETS: 'true',
      NODE_EXTRA_CA_CERTS: certificates.authoritiesFile,
    },
    'api',
  )
  gateway = await createGateway(hookline)
  secure = await listenOnLoopback(
    createServer(certificates.good, (_request, response) => {
      response.statusCode = 204
      response.end()
    }),
  )
  slow = await startReceiver(async (_request, response) => {
    await sleep(4_200)
    response.statusCode = 204
    response.end()
  })
})
afterAll(async () => {
  await hookline.close()
  await secure.close()
  await slow.close()
  await mailServer.close()
  certificates.remove()
})

const mailsOf = (account: TestAccount) => mailsAfterWait(hookline, mailServer, account)
const ok: Outcome = { reason: 'delivered', status: 204, timings: { totalMs: 20 } }
const day = 24 * 60 * 60_000

function watch() {
  return createReceiverWatch(
    hookline.db,
    () => performance.now(),
    (error) => {
      throw error
    },
  )
}

/** Stores what a worker observes of a webhook. */
async function observe(account: TestAccount, hookId: number, outcomes: readonly Outcome[]): Promise<void> {
  const receivers = watch()
  for (const outcome of outcomes)
    receivers.observe({ accountId: account.accountId, hookId, host: 'shop.example' }, outcome, 15_000)
  await receivers.stop()
}

test('a worker stores the certificate and the slow responses of real receivers', async () => {
  const account = await hookline.account()
  const tls = await createHook(hookline, account, `https://127.0.0.1:${secure.port}/`)
  // Time-sensitive events time out after 5 seconds, so 4.2 seconds are slow.
  const json = { target_url: slow.url('/'), event_type: 'voice_call', request_method: 'JSON' }
  const created = await call(`${hookline.url}/api/hooks/create`, { method: 'POST', key: account.key, json })
  const worker = await hookline.startAnother({ PORT: '0' }, 'worker')
  await gateway.event(account.accountId)
  await gateway.submitEvents({
    account_id: account.accountId,
    type: 'voice_call',
    data: { id: '1', caller: '491700000001', system: '491700000002', time: '1731656400' },
  })
  const finished = () =>
    hookline.database.query('SELECT state FROM deliveries WHERE account_id = $1', [account.accountId])
  await expect.poll(finished, { timeout: 30_000 }).toEqual([{ state: 'delivered' }, { state: 'delivered' }])
  await worker.stop()
  const [certificate, ...others] = await hookline.database.query<{
    hook_id: number
    host: string
    days: number
  }>(
    `SELECT hook_id, host, extract(epoch FROM valid_until - now())::float8 / 86400 AS days FROM hook_certificates
     WHERE account_id = $1`,
    [account.accountId],
  )
  expect(others).toEqual([])
  expect(certificate).toMatchObject({ hook_id: tls, host: `127.0.0.1:${secure.port}` })
  expect(certificate?.days).toBeGreaterThan(1)
  expect(certificate?.days).toBeLessThan(2.1)
  const slowAttempts = await hookline.database.query(
    'SELECT hook_id, attempts FROM hook_slow_attempts WHERE account_id = $1',
    [account.accountId],
  )
  expect(slowAttempts).toEqual([{ hook_id: created.json.hook.id, attempts: 1 }])
})

async function certificateOf(account: TestAccount, days: number, more = 0): Promise<number> {
  const hookId = await createHook(hookline, account, `https://shop.example/${days}/${more}`)
  await observe(account, hookId, [{ ...ok, certificateUntil: Date.now() + days * day + more }])
  await recordCertificates(hookline.db)
  return hookId
}

describe('a certificate', () => {
  test.each([
    [22, []],
    [20, ['certificate_21d ready']],
    [6, ['certificate_7d ready']],
    [0.5, ['certificate_1d ready']],
    [-1, []],
  ])('that expires in %d days leads to %j', async (days, expected) => {
    const account = await hookline.account()
    await certificateOf(account, days)
    await recordCertificates(hookline.db)
    await withWorker(() => mailsOf(account))
    expect(await statesOf(hookline, account)).toEqual(expected)
  })

  test('is told for all webhooks of a host together, with its end and the fix', async () => {
    const account = await hookline.account()
    const until = Date.now() + 6 * day
    for (const path of ['/a', '/b']) {
      const hookId = await createHook(hookline, account, `https://shop.example${path}`)
      await observe(account, hookId, [{ ...ok, certificateUntil: until }])
    }
    await recordCertificates(hookline.db)
    const mails = await withWorker(() => mailsOf(account))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.header('subject')).toBe(
      '2 webhooks at shop.example: the certificate expires within 7 days',
    )
    expect(mails[0]?.text).toContain(new Date(until).toISOString().slice(0, 16).replace('T', ' '))
    expect(mails[0]?.text).toContain('Renew it')
  })

  test('that was renewed before the email is not told', async () => {
    const account = await hookline.account()
    const hookId = await certificateOf(account, 6)
    await observe(account, hookId, [{ ...ok, certificateUntil: Date.now() + 90 * day }])
    expect(await withWorker(() => mailsOf(account))).toEqual([])
    expect(await statesOf(hookline, account)).toEqual(['certificate_7d dropped'])
  })

  test('of a previous URL, or that was not seen for days, is not told', async () => {
    const account = await hookline.account()
    const changed = await createHook(hookline, account, 'https://shop.example/old')
    const stale = await createHook(hookline, account, 'https://shop.example/stale')
    for (const hookId of [changed, stale])
      await observe(account, hookId, [{ ...ok, certificateUntil: Date.now() + 6 * day }])
    const json = { target_url: 'https://other.example/' }
    const edited = await call(`${hookline.url}/api/hooks/${changed}`, {
      method: 'POST',
      key: account.key,
      json,
    })
    expect(edited.status, edited.text).toBe(200)
    await hookline.database.query("UPDATE hook_certificates SET seen_at = now() - interval '3 days'")
    await recordCertificates(hookline.db)
    expect(await statesOf(hookline, account)).toEqual([])
  })
})

describe('slow responses', () => {
  const late: Outcome = { ...ok, timings: { totalMs: 12_500 } }

  test('are told if there are 20, and one in twenty of the attempts of a day', async () => {
    const account = await hookline.account()
    const hookIds = await Promise.all(
      ['/few', '/rare', '/slow'].map((path) => createHook(hookline, account, `https://shop.example${path}`)),
    )
    const [few = 0, rare = 0, often = 0] = hookIds
    await observe(
      account,
      few,
      Array.from({ length: 19 }, () => late),
    )
    await observe(
      account,
      rare,
      Array.from({ length: 20 }, () => late),
    )
    await observe(account, often, [...Array.from({ length: 20 }, () => late), ok])
    await hookline.database.query(
      `INSERT INTO rollups (account_id, hook_id, hour, delivered, attempts)
       SELECT $1, id, date_trunc('hour', now()), attempts, attempts
       FROM unnest($2::integer[], '{19,401,400}'::integer[]) AS made (id, attempts)`,
      [account.accountId, hookIds],
    )
    await recordSlow(hookline.db)
    await recordSlow(hookline.db)
    const mails = await withWorker(() => mailsOf(account))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.header('subject')).toBe(`Webhook ${often} at shop.example responds close to the timeout`)
    expect(mails[0]?.text).toContain(
      '20 of 400 attempts in the last 24 hours took more than 80% of the timeout',
    )
  })

  test('of a webhook that only fails are told as a failure', async () => {
    const account = await hookline.account()
    const hookId = await createHook(hookline, account, 'https://shop.example/')
    await observe(
      account,
      hookId,
      Array.from({ length: 30 }, () => ({ ...late, reason: 'timeout' as const })),
    )
    await hookline.database.query(
      'INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts) VALUES ($1, $2, now(), 30)',
      [account.accountId, hookId],
    )
    await recordSlow(hookline.db)
    expect(await statesOf(hookline, account)).toEqual([])
  })
})

async function openFor(account: TestAccount, minutes: number): Promise<number> {
  const hookId = await createHook(hookline, account, 'https://shop.example/breaker')
  await addAttempt(hookline, account, hookId, { reason: 'status', status: 503 })
  await openBreakers(hookline.db, [{ accountId: account.accountId, hookId }])
  await hookline.database.query(
    'UPDATE lane SET opened_at = opened_at - make_interval(mins => $2) WHERE hook_id = $1',
    [hookId, minutes],
  )
  await recordBackingOff(hookline.db)
  return hookId
}

describe('an open circuit breaker', () => {
  test('is told after ten minutes, with the likely cause', async () => {
    const account = await hookline.account()
    await openFor(account, 9)
    expect(await statesOf(hookline, account)).toEqual([])
    const other = await hookline.account()
    const hookId = await openFor(other, 11)
    const [mail] = await withWorker(() => mailsOf(other))
    expect(mail?.header('subject')).toBe(
      `Webhook ${hookId} at shop.example fails often, so Hookline backs off`,
    )
    expect(mail?.text).toContain('Likely cause: Responded 503.')
  })

  test('that closes is a recovery, once, also if the webhook was told as failing', async () => {
    const account = await hookline.account()
    const hookId = await openFor(account, 11)
    await withWorker(() => mailsOf(account))
    await recordRecovered(hookline.db)
    expect(await statesOf(hookline, account), 'still open').toEqual(['backing_off ready'])
    await hookline.database.query('UPDATE lane SET open_seconds = 0, opened_at = NULL WHERE hook_id = $1', [
      hookId,
    ])
    await recover(hookline, account.accountId, [hookId])
    await recover(hookline, account.accountId, [hookId])
    await endHour(hookline, account)
    const mails = await withWorker(() => mailsOf(account))
    expect(mails).toHaveLength(2)
    expect(mails[1]?.header('subject')).toBe(`Webhook ${hookId} at shop.example works again`)
  })

  test('that closes before the email is not told', async () => {
    const account = await hookline.account()
    const hookId = await openFor(account, 11)
    await hookline.database.query('UPDATE lane SET open_seconds = 0, opened_at = NULL WHERE hook_id = $1', [
      hookId,
    ])
    expect(await withWorker(() => mailsOf(account))).toEqual([])
    expect(await statesOf(hookline, account)).toEqual(['backing_off dropped'])
  })
})

/** Sends notices with a worker that is stopped again: its own observations must not mix with those of the test. */
async function withWorker<T>(run: () => Promise<T>): Promise<T> {
  const worker = await hookline.startAnother({ PORT: '0' }, 'worker')
  try {
    return await run()
  } finally {
    await worker.stop()
  }
}
