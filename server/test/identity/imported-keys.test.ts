/** API keys and logins of another provider: how they authenticate after an import, and when they do not. */
import { hash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startReceiver } from '../../../dev/receiver.ts'
import { setSuspended } from '../../src/identity/accounts/accounts.ts'
import { revokeKey } from '../../src/identity/keys/revoke-key.ts'
import { runAdmin } from '../support/admin-tool.ts'
import { signIn } from '../support/browser-session.ts'
import { expectOutcome, send } from '../support/credential-call.ts'
import { createGateway } from '../support/gateway.ts'
import { call } from '../support/http-call.ts'
import { createImportFolder, header, type ImportFolder, runImport } from '../support/import-file.ts'
import { type MailServer, startMailServer } from '../support/servers/mail-server.ts'
import { startDashboardService, startTestService, type TestService } from '../support/test-service.ts'

// These tests start processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

let mailServer: MailServer
let hookline: TestService
let settings: Record<string, string>
let folder: ImportFolder
beforeAll(async () => {
  mailServer = await startMailServer()
  hookline = await startDashboardService({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Hookline <hookline@mail.example>',
    LOGIN_ATTEMPTS: '0',
  })
  settings = { DATABASE_URL: hookline.database.url.href, MASTER_KEY: hookline.masterKey }
  folder = await createImportFolder()
})
afterAll(async () => {
  await folder.remove()
  await hookline.close()
  await mailServer.close()
})

/** Descending: new accounts get ids above the imported ones. */
let nextId = 1_000_000

/** Imports an account with a key, in clear text or as a digest. */
async function importAccount(
  { key = randomBytes(20).toString('base64url'), form = 'key', ...fields }: Record<string, unknown> = {},
  accountFields: object = {},
): Promise<{ accountId: number; key: string; alias: string; email: string }> {
  const accountId = nextId--
  const alias = `imported-${accountId}`
  const source: Record<string, unknown> = {
    key: { key },
    sha256: { key_sha256: hash('sha256', String(key), 'hex') },
    'sha256 in base64': { key_sha256: hash('sha256', String(key), 'base64') },
    sha512: { key_sha512: hash('sha512', String(key), 'hex') },
    'sha512 in base64url': { key_sha512: hash('sha512', String(key), 'base64url') },
  }
  const file = await folder.write(
    header,
    { kind: 'account', id: accountId, name: alias, ...accountFields },
    { kind: 'login', account_id: accountId, alias, email: `${alias}@example.com` },
    { kind: 'key', account_id: accountId, name: 'imported', ...fields, ...(source[String(form)] as object) },
  )
  const { report } = await runImport(settings, file)
  expect(report.errors).toEqual([])
  return { accountId, key: String(key), alias, email: `${alias}@example.com` }
}

/** A process rejects keys of another format without a lookup until it learns of the first import. */
const learnsWithinMs = 6_000

test('without imported keys, a malformed key is rejected without a lookup, and later imported keys work', async () => {
  const { key } = await hookline.account()
  const foreign = randomBytes(20).toString('base64url')
  expect((await call(`${hookline.url}/api/hooks`, { key: foreign })).status).toBe(401)
  const lookups = async () =>
    Number(
      (
        await hookline.database.query<{ scans: string }>(
          `SELECT idx_scan AS scans FROM pg_stat_user_indexes WHERE indexrelname = 'keys_digest_key'`,
        )
      )[0]?.scans,
    )
  const before = await lookups()
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      call(`${hookline.url}/api/hooks`, { key: `${foreign}${index}` }),
    ),
  )
  // PostgreSQL reports its counters with a delay.
  await sleep(3_000)
  expect((await lookups()) - before).toBeLessThan(20)
  expect((await call(`${hookline.url}/api/hooks`, { key })).status).toBe(200)

  const imported = await importAccount({ key: foreign })
  await sleep(learnsWithinMs)
  expect((await call(`${hookline.url}/api/hooks`, { key: imported.key })).status).toBe(200)
})

describe('an imported key', () => {
  test.each(['key', 'sha256', 'sha256 in base64', 'sha512', 'sha512 in base64url'])(
    'imported as %s authenticates in every way of sending',
    async (form) => {
      const { accountId, key, alias } = await importAccount({ form })
      await sleep(learnsWithinMs)
      const values = { key, alias, wrong: `${key}x` }
      for (const [sent, outcome] of [
        ['X-Api-Key: {key}', '200'],
        ['Authorization: basic {key}', '200'],
        ['Authorization: Basic {key}', '200'],
        ['?p={key}', '200'],
        ['?u={alias}&p={key}', '200'],
        ['?u=nobody&p={key}', '200'],
        ['X-Api-Key: {key} + ?p={key}', '200'],
        ['X-Api-Key: {key} + Authorization: basic {key} + ?u={alias}&p={key}', '200'],
        ['X-Api-Key: {wrong}', '401/900'],
        ['Authorization: basic {wrong}', '401/900'],
        ['Authorization: Bearer {key}', '401/900'],
        ['?p={wrong}', '401/900'],
        ['?u={alias}&p={wrong}', '401/900'],
        ['X-Api-Key: {key} + ?p={wrong}', '400/905'],
        ['X-Api-Key: {key} + ?u={alias}&p={wrong}', '400/905'],
      ] as const)
        expectOutcome(await send(hookline.url, 'GET', sent, values), outcome, sent)
      const params = { target_url: `https://example.com/${accountId}`, event_type: 'all' }
      for (const sent of ['form p={key}', 'form u={alias}&p={key}', 'json "p":"{key}"'])
        expectOutcome(await send(hookline.url, 'POST', sent, values, params), '200', sent)
      const [used] = await hookline.database.query(`SELECT id FROM hooks WHERE account_id = $1`, [accountId])
      expect(used).toEqual({ id: expect.any(Number) })
    },
  )

  test('is a deprecated credential as a parameter beside a login', async () => {
    const { key, alias } = await importAccount()
    const response = await send(hookline.url, 'GET', '?u={alias}&p={key}', { key, alias })
    expect(response.headers.get('deprecation')).not.toBeNull()
    await expect
      .poll(() => hookline.database.query(`SELECT last_used_method FROM keys ORDER BY id DESC LIMIT 1`), {
        timeout: 30_000,
      })
      .toEqual([{ last_used_method: 'parameter-key' }])
  })

  test('passwords of logins still work, of any length and beside keys', async () => {
    const account = await hookline.account()
    const password = 'a password as long as any imported key'.replaceAll(' ', '-')
    for (const value of [account.password, password]) {
      await runAdmin(settings, ['login', 'set-password', account.alias, '--password', value])
      const values = { alias: account.alias, password: value, wrong: `${value}x` }
      expectOutcome(await send(hookline.url, 'GET', '?u={alias}&p={password}', values), '200', value)
      expectOutcome(await send(hookline.url, 'GET', '?u={alias}&p={wrong}', values), '401/900', value)
    }
  })

  test('obeys scopes, networks, expiry, revocation and suspension', async () => {
    const readOnly = await importAccount({ form: 'sha256', scopes: ['hooks:read'] })
    const elsewhere = await importAccount({ allowed_ips: ['203.0.113.0/24'] })
    const expired = await importAccount({ form: 'sha512', expires_at: '2020-01-01T00:00:00Z' })
    const suspended = await importAccount({}, { suspended: true })
    const hooks = (key: string, method = 'GET') =>
      call(`${hookline.url}/api/hooks`, {
        key,
        method,
        ...(method === 'POST' && { form: { target_url: 'https://example.com/', event_type: 'all' } }),
      })
    expect((await hooks(readOnly.key)).status).toBe(200)
    expect((await hooks(readOnly.key, 'POST')).json.code).toBe(902)
    expect((await hooks(elsewhere.key)).json.code).toBe(903)
    expect((await hooks(expired.key)).json.error_message).toBe('API key expired.')
    expect((await hooks(suspended.key)).json.code).toBe(904)
    await setSuspended(hookline.db, 'operator', suspended.accountId, false)
    expect((await hooks(suspended.key)).status).toBe(200)

    const [row] = await hookline.database.query<{ id: number }>('SELECT id FROM keys WHERE account_id = $1', [
      readOnly.accountId,
    ])
    await revokeKey(hookline.db, 'operator', row?.id ?? 0)
    expect((await hooks(readOnly.key)).json.error_message).toBe('API key revoked.')
    const beside = await send(hookline.url, 'GET', '?u=nobody&p={key}', { key: readOnly.key })
    expect(beside.json.error_message).toBe('API key revoked.')
  })

  test('that was imported as two digests is revoked with either', async () => {
    const { key } = await importAccount({ form: 'sha256' })
    const second = await importAccount({ form: 'sha512', key })
    const [row] = await hookline.database.query<{ id: number }>('SELECT id FROM keys WHERE account_id = $1', [
      second.accountId,
    ])
    await revokeKey(hookline.db, 'operator', row?.id ?? 0)
    expect((await call(`${hookline.url}/api/hooks`, { key })).status).toBe(401)
  })

  test('that was imported as a digest cannot be revealed, and the response says why', async () => {
    const imported = await importAccount({ form: 'sha256' })
    await runAdmin(settings, ['login', 'set-password', imported.alias, '--password', 'a new password'])
    const session = await signIn(hookline.url, { alias: imported.alias, password: 'a new password' })
    const listed = await session.call('/api/keys')
    expect(listed.json.keys).toMatchObject([{ prefix: '', revealable: false }])
    const viewed = await session.call(`/api/keys/${listed.json.keys[0].id}/view`, {
      method: 'POST',
      json: { password: 'a new password' },
    })
    expect(viewed).toMatchObject({
      status: 409,
      json: {
        code: 1106,
        error_message: `API key ${listed.json.keys[0].id} was imported as a digest, so Hookline does not know the key. Create a new one if it is lost.`,
      },
    })
  })

  test('that was imported in clear text can be revealed', async () => {
    const imported = await importAccount()
    await runAdmin(settings, ['login', 'set-password', imported.alias, '--password', 'a new password'])
    const session = await signIn(hookline.url, { alias: imported.alias, password: 'a new password' })
    const listed = await session.call('/api/keys')
    expect(listed.json.keys).toMatchObject([{ prefix: imported.key.slice(0, 4), revealable: true }])
    const viewed = await session.call(`/api/keys/${listed.json.keys[0].id}/view`, {
      method: 'POST',
      json: { password: 'a new password' },
    })
    expect(viewed.json.secret).toBe(imported.key)
  })
})

test('disabled kinds apply to imported keys: beside a login, p is a parameter key', async () => {
  const { key, alias } = await importAccount()
  const noParameters = await hookline.startAnother({ CREDENTIALS_OFF: 'parameter-key', PORT: '0' }, 'api')
  const noPasswords = await hookline.startAnother({ CREDENTIALS_OFF: 'login-password', PORT: '0' }, 'api')
  const sent = '?u={alias}&p={key}'
  expectOutcome(await send(noParameters.url, 'GET', sent, { key, alias }), '401/906', 'no parameters')
  expectOutcome(await send(noPasswords.url, 'GET', sent, { key, alias }), '200', 'no passwords')
})

test('a user without a password gets one with the reset email', async () => {
  const { alias, email } = await importAccount()
  await expect(signIn(hookline.url, { alias, password: '' })).rejects.toThrow()
  await expect(signIn(hookline.url, { alias, password: 'a guessed password' })).rejects.toThrow('900')
  const post = (path: string, json: object) =>
    call(`${hookline.url}${path}`, { method: 'POST', json, headers: { origin: hookline.url } })
  await post('/api/password-resets', { login: email })
  await expect.poll(() => mailServer.mailsTo(email).length, { timeout: 15_000 }).toBe(1)
  const token = /\/reset#token=([\w-]{43})\s/.exec(mailServer.mailsTo(email)[0]?.text ?? '')?.[1]
  await post('/api/password-resets/confirm', { token, new_password: 'my own password' })
  const session = await signIn(hookline.url, { alias, password: 'my own password' })
  expect((await session.call('/api/session')).status).toBe(200)
})

test('workers that run during an import deliver to imported webhooks at once', async () => {
  const receiver = await startReceiver((_request, response) => void response.writeHead(204).end())
  const running = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  try {
    const { accountId, alias } = await running.account()
    const gateway = await createGateway(running)
    const env = {
      DATABASE_URL: running.database.url.href,
      MASTER_KEY: running.masterKey,
      ALLOW_PRIVATE_TARGETS: 'true',
    }
    const importHook = async (id: number) =>
      runImport(
        env,
        await folder.write(
          header,
          { kind: 'account', id: accountId, name: alias },
          {
            kind: 'hook',
            account_id: accountId,
            id,
            target_url: receiver.url(`/${id}`),
            event_type: 'sms_mo',
            request_method: 'JSON',
          },
        ),
      )
    await importHook(11)
    await gateway.event(accountId)
    await receiver.until((received) => received.length === 1, 30_000)
    await importHook(12)
    await gateway.event(accountId)
    await receiver.until((received) => received.length === 3, 30_000)
    expect(
      receiver.requests
        .map(({ headers }) => String(headers['x-hookline-hook']))
        .toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['11', '11', '12'])
  } finally {
    await running.close()
    await receiver.close()
  }
})

test('an imported key beside a changing login name is one caller, and above its limit costs no lookup', async () => {
  const limited = await hookline.startAnother({ PORT: '0', CALLS_PER_MINUTE: '5' }, 'api')
  const { key } = await importAccount()
  await sleep(learnsWithinMs)
  const sendWith = (u: string) => call(`${limited.url}/api/hooks?u=${u}&p=${key}`)
  await expect.poll(async () => (await sendWith('first')).status, { timeout: 30_000, interval: 20 }).toBe(429)
  // While the table is locked, a lookup would wait.
  const lock = await hookline.db.startTransaction().execute()
  try {
    await sql`LOCK TABLE keys IN ACCESS EXCLUSIVE MODE`.execute(lock)
    const responses = await Promise.all(['second', 'third', 'fourth'].map(sendWith))
    expect(responses.map(({ status }) => status)).toEqual([429, 429, 429])
  } finally {
    await lock.rollback().execute()
  }
})
