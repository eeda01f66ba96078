/**
 * `npm run prove -- notices`: an outage of many webhooks of many accounts, whose notices are sent by email, to a chat service
 * and as account events while workers are killed. Each user and each channel must get one message about all webhooks of the
 * account, and each webhook must lead to one event. Only messages that a killed worker had in flight may arrive twice.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { startReceiver } from '../../../dev/receiver.ts'
import { type ServiceProcess, startProcess } from '../../../dev/service-process.ts'
import { startServices } from '../../../dev/services.ts'
import { openDatabase } from '../../../server/src/db/database.ts'
import { vaultKeyStore } from '../../../server/src/db/vault-key-store.ts'
import { recordWarnings } from '../../../server/src/delivery/queue/failure-warnings.ts'
import { createPartitions } from '../../../server/src/ledger/partitions.ts'
import { createChannel } from '../../../server/src/notices/channels.ts'
import { openVault } from '../../../server/src/vault/vault.ts'
import { createCleanup } from '../support/cleanup.ts'
import { createBenchDatabase } from '../support/database.ts'
import { startMailCounter } from '../support/mail-counter.ts'

const hooksPerAccount = 10
const workerCount = 3
/** Messages that one worker sends at a time. */
const maxInFlight = 5
/** Time that the mail server and the chat service take, so that each kill has messages in flight. */
const responseMs = 100
const timeoutMs = 120_000

interface Arrived {
  /** Times that each id arrived. */
  emails: ReadonlyMap<string, number>
  chats: ReadonlyMap<string, number>
  events: ReadonlyMap<string, number>
}

export async function proveNotices(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { accounts: { type: 'string', default: '50' }, kills: { type: 'string', default: '20' } },
  })
  const accounts = Number(values.accounts)
  const kills = Number(values.kills)
  const cleanup = createCleanup()
  try {
    const violations = await execute(accounts, kills, cleanup.push)
    for (const violation of violations) console.log(`  ✗ ${violation}`)
    console.log(`\nnotices: ${violations.length === 0 ? 'passed' : 'FAILED'}`)
    if (violations.length > 0) process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

async function execute(
  accounts: number,
  kills: number,
  addCleanup: (step: () => unknown) => void,
): Promise<string[]> {
  const { DATABASE_URL } = await startServices(() => {})
  const { url, client, drop } = await createBenchDatabase(DATABASE_URL, 'hookline_prove_notices')
  addCleanup(drop)
  const mail = await startMailCounter(responseMs)
  addCleanup(mail.close)
  const chats = new Map<string, number>()
  const events = new Map<string, number>()
  const receiver = await startReceiver(async ({ url: path, headers }, response) => {
    const isChat = path.startsWith('/chat')
    add(isChat ? chats : events, String(headers[isChat ? 'x-hookline-message' : 'webhook-id']))
    if (isChat) await sleep(responseMs)
    response.statusCode = 204
    response.end()
  })
  addCleanup(receiver.close)
  const env = {
    DATABASE_URL: url.href,
    MASTER_KEY: randomBytes(32).toString('base64'),
    ALLOW_PRIVATE_TARGETS: 'true',
    SMTP_URL: mail.url,
    MAIL_FROM: 'hookline@mail.example',
  }
  await seed(url, client, env.MASTER_KEY, receiver.url, accounts)
  console.log(
    `${accounts * hooksPerAccount} failing webhooks of ${accounts} accounts, ${workerCount} workers`,
  )

  const start = async (): Promise<ServiceProcess> => {
    const started = await startProcess(env, 'worker')
    addCleanup(() => started.stop())
    return started
  }
  const workers = await Promise.all(Array.from({ length: workerCount }, start))
  let killed = 0
  const arrived = { emails: mail.ids, chats, events }
  const endsAt = performance.now() + timeoutMs
  while (performance.now() < endsAt && !isComplete(arrived, accounts)) {
    const messages = mail.ids.size + chats.size
    if (killed < kills && messages >= ((killed + 1) * accounts) / kills) {
      workers.shift()?.child.kill('SIGKILL')
      workers.push(await start())
      killed++
    }
    // A killed worker holds its leases for minutes. The proof does not wait for that.
    await client.query(
      "UPDATE notice_messages SET next_at = now() WHERE state = 'queued' AND next_at < now() + interval '299 seconds' - $1 * interval '1 millisecond'",
      [2 * responseMs + 1_000],
    )
    await sleep(20)
  }
  await Promise.all(workers.map((worker) => worker.stop()))
  return [
    ...(killed === kills ? [] : [`proved nothing: all messages arrived after ${killed} of ${kills} kills`]),
    ...(await verify(client, arrived, accounts, killed)),
  ]
}

function isComplete({ emails, chats, events }: Arrived, accounts: number): boolean {
  return emails.size >= accounts && chats.size >= accounts && events.size >= accounts * hooksPerAccount
}

/** Each account has a user, a chat channel, failing webhooks, and a webhook for account events. */
async function seed(
  url: URL,
  client: Client,
  masterKey: string,
  urlOf: (path: string) => string,
  accounts: number,
): Promise<void> {
  const db = openDatabase(url, 4, () => {})
  const vault = await openVault(vaultKeyStore(db), { masterKey: Buffer.from(masterKey, 'base64') })
  await createPartitions(db, Date.now())
  await client.query(
    `WITH added AS (
       INSERT INTO accounts (name) SELECT 'account ' || number FROM generate_series(1, $1) AS number RETURNING id
     ), users AS (
       INSERT INTO logins (account_id, alias, email, password_hash, email_verified_at)
       SELECT id, 'user-' || id, 'user-' || id || '@example.com', '', now() FROM added
     ), failing AS (
       INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
       SELECT id, url, url, 'sms_mo', 'JSON', decode(md5(url), 'hex') FROM added
       CROSS JOIN LATERAL (
         SELECT 'https://shop.example/' || id || '/' || number AS url FROM generate_series(1, $2) AS number) AS urls
     )
     INSERT INTO hooks (account_id, target_url, call_url, event_type, request_method, fingerprint)
     SELECT id, $3, $3, 'webhook.failing', 'JSON', 'events' FROM added`,
    [accounts, hooksPerAccount, urlOf('/events')],
  )
  await client.query(
    `INSERT INTO hook_failures (account_id, hook_id, failing_since, attempts)
     SELECT account_id, id, now() - interval '61 minutes', 20 FROM hooks WHERE event_type = 'sms_mo'`,
  )
  const { rows } = await client.query<{ account_id: number; login_id: number }>(
    'SELECT account_id, login_id FROM memberships',
  )
  for (const { account_id: accountId, login_id: loginId } of rows)
    await createChannel(
      db,
      vault,
      { accountId, loginId },
      {
        kind: 'json',
        name: 'chat',
        target: urlOf(`/chat/${accountId}`),
        groups: ['failing'],
        mode: 'instant',
      },
    )
  await client.query('DELETE FROM notices')
  await recordWarnings(db)
  await client.query('UPDATE notices SET due_at = now()')
  await db.destroy()
}

async function verify(
  client: Client,
  { emails, chats, events }: Arrived,
  accounts: number,
  killed: number,
): Promise<string[]> {
  const hooks = accounts * hooksPerAccount
  const { rows } = await client.query<{ state: string; messages: number }>(
    'SELECT state, count(*)::integer AS messages FROM notice_messages GROUP BY state',
  )
  const stored = await client.query('SELECT FROM events')
  const repeated = duplicatesOf(emails) + duplicatesOf(chats)
  console.log(
    `  ${emails.size} emails, ${chats.size} chat messages, ${events.size} events, ${killed} workers killed, ${repeated} messages arrived twice`,
  )
  const states = JSON.stringify(rows)
  return [
    ...(emails.size === accounts ? [] : [`emails: ${emails.size} of ${accounts}`]),
    ...(chats.size === accounts ? [] : [`chat messages: ${chats.size} of ${accounts}`]),
    ...(events.size === hooks && stored.rowCount === hooks
      ? []
      : [`events: ${events.size} arrived and ${stored.rowCount} stored of ${hooks}`]),
    ...(states === JSON.stringify([{ state: 'sent', messages: 2 * accounts }])
      ? []
      : [`messages: ${states}`]),
    ...(repeated <= killed * maxInFlight ? [] : [`duplicates: ${repeated} after ${killed} kills`]),
  ]
}

function add(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1)
}

function duplicatesOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count - 1, 0)
}
