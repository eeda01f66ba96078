/** The secrets that sign deliveries: random and sealed, older ones derived, rotated with an overlap. */
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../../dev/receiver.ts'
import { openHookSecret, openSigningKey } from '../../src/vault/signing-secrets.ts'
import { call, type CallResponse } from '../support/http-call.ts'
import { createGateway, type Gateway } from '../support/gateway.ts'
import { startTestService, type TestAccount, type TestService } from '../support/test-service.ts'

vi.setConfig({ testTimeout: 60_000 })

let hookline: TestService
let gateway: Gateway
let receiver: Receiver

beforeAll(async () => {
  hookline = await startTestService({ ALLOW_PRIVATE_TARGETS: 'true' })
  gateway = await createGateway(hookline)
  receiver = await startReceiver()
})
afterAll(async () => {
  await hookline.close()
  await receiver.close()
})

function post({ key }: { key: string }, path: string, json: object = {}): Promise<CallResponse> {
  return call(`${hookline.url}/api${path}`, { method: 'POST', key, json })
}

async function register(account: TestAccount, path: string): Promise<number> {
  const created = await post(account, '/hooks', {
    target_url: receiver.url(path),
    event_type: 'sms_mo',
    request_method: 'JSON',
  })
  return created.json.id
}

async function deliver(account: TestAccount, path: string): Promise<ReceivedRequest> {
  const before = receiver.at(path).length
  await gateway.event(account.accountId)
  await receiver.until(() => receiver.at(path).length > before)
  const request = receiver.at(path).at(-1)
  if (request === undefined) throw new Error('nothing received')
  return request
}

function accountSignature(key: string, path: string, { headers, body }: ReceivedRequest): string {
  const bodyHash = createHash('md5').update(body).digest('hex')
  const lines = [headers['x-timestamp'], headers['x-nonce'], 'POST', receiver.url(path), bodyHash]
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}

function hookSignature(secret: Buffer, { headers, body }: ReceivedRequest): string {
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return `v1,${createHmac('sha256', secret).update(text).digest('base64')}`
}

function secretOf(response: CallResponse): Buffer {
  return Buffer.from(String(response.json.secret).replace(/^whsec_/, ''), 'base64')
}

function readSecret({ key }: TestAccount, hookId: number): Promise<CallResponse> {
  return call(`${hookline.url}/api/hooks/${hookId}/secret`, { key })
}

/** Removes the sealed secrets, as in rows from before they were sealed. */
async function makeOld({ accountId }: TestAccount): Promise<void> {
  await hookline.database.query(
    'UPDATE hooks SET secret = NULL, previous_secret = NULL WHERE account_id = $1',
    [accountId],
  )
  await hookline.database.query(
    'UPDATE accounts SET signing_key = NULL, hooks_version = hooks_version + 1 WHERE id = $1',
    [accountId],
  )
}

test('secrets of webhooks and accounts are random and do not depend on their ids', async () => {
  const account = await hookline.account()
  const id = await register(account, '/random')
  const { json } = await readSecret(account, id)
  const derived = openHookSecret(hookline.vault, null, {
    accountId: account.accountId,
    hookId: id,
    generation: 1,
  })
  expect(json.secret).not.toBe(`whsec_${derived.toString('base64')}`)
  expect(json.signing_key).not.toBe(openSigningKey(hookline.vault, null, account.accountId))
  const stored = await hookline.database.query<{ text: string }>(
    `SELECT encode(secret, 'escape') || encode(signing_key, 'escape') AS text
     FROM hooks JOIN accounts ON accounts.id = hooks.account_id WHERE hooks.id = $1`,
    [id],
  )
  expect(stored[0]?.text).not.toContain(json.signing_key)
  const request = await deliver(account, '/random')
  expect(request.headers['webhook-signature']).toBe(
    hookSignature(secretOf(await readSecret(account, id)), request),
  )
  expect(request.headers['x-signature']).toBe(accountSignature(json.signing_key, '/random', request))
  expect(request.headers).not.toHaveProperty('x-hookline-next-signature')
})

test('secrets from before they were sealed stay valid, also beside a new one', async () => {
  const account = await hookline.account()
  const id = await register(account, '/old')
  await makeOld(account)
  const name = { accountId: account.accountId, hookId: id, generation: 1 }
  const old = openHookSecret(hookline.vault, null, name)
  const oldKey = openSigningKey(hookline.vault, null, account.accountId)
  const before = await deliver(account, '/old')
  expect(before.headers['webhook-signature']).toBe(hookSignature(old, before))
  expect(before.headers['x-signature']).toBe(accountSignature(oldKey, '/old', before))

  const rotated = await post(account, `/hooks/${id}/secret`)
  const during = await deliver(account, '/old')
  expect(during.headers['webhook-signature']).toBe(
    [secretOf(rotated), old].map((secret) => hookSignature(secret, during)).join(' '),
  )
  await hookline.database.query(
    "UPDATE hooks SET secret_rotated_at = now() - interval '25 hours' WHERE id = $1",
    [id],
  )
  await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    account.accountId,
  ])
  const after = await deliver(account, '/old')
  expect(after.headers['webhook-signature']).toBe(hookSignature(secretOf(rotated), after))
})

test('deliveries announce the next signing key and switch to it by time', async () => {
  const account = await hookline.account()
  const id = await register(account, '/switched')
  const first = (await readSecret(account, id)).json.signing_key
  const { json } = await post(account, '/signing-key/rotate')
  expect(json.signing_key).toBe(first)
  expect(Math.abs(Date.parse(json.switches_at) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000)
  const during = await deliver(account, '/switched')
  expect(during.headers['x-signature']).toBe(accountSignature(first, '/switched', during))
  expect(during.headers['x-hookline-next-signature']).toBe(
    accountSignature(json.next_signing_key, '/switched', during),
  )

  // From here on only time passes: the version stays, and the worker has both keys in its cache.
  await hookline.database.query(
    `UPDATE accounts SET signing_key_switches_at = now() + interval '3 seconds', hooks_version = hooks_version + 1
     WHERE id = $1`,
    [account.accountId],
  )
  expect(await deliver(account, '/switched')).toMatchObject({
    headers: { 'x-hookline-next-signature': expect.anything() },
  })
  await expect
    .poll(
      async () => {
        const request = await deliver(account, '/switched')
        return (
          request.headers['x-signature'] === accountSignature(json.next_signing_key, '/switched', request)
        )
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  expect((await readSecret(account, id)).json.signing_key).toBe(json.next_signing_key)
  const again = await post(account, '/signing-key/rotate')
  expect(again.json.signing_key).toBe(json.next_signing_key)
})

test('a switch at once ends the current key, and there is nothing to switch to without a rotation', async () => {
  const account = await hookline.account()
  await register(account, '/at-once')
  expect((await post(account, '/signing-key/switch')).json).toMatchObject({ success: false, code: 1102 })
  const { json } = await post(account, '/signing-key/rotate')
  const switched = await post(account, '/signing-key/switch')
  expect(switched.json).toMatchObject({ signing_key: json.next_signing_key, next_signing_key: null })
  const request = await deliver(account, '/at-once')
  expect(request.headers['x-signature']).toBe(accountSignature(json.next_signing_key, '/at-once', request))
  expect(request.headers).not.toHaveProperty('x-hookline-next-signature')
})

test.each([
  [
    'secret of a webhook',
    'UPDATE hooks SET secret = $2 WHERE account_id = $1',
    (id: number) => `/hooks/${id}/secret`,
  ],
  ['signing key', 'UPDATE accounts SET signing_key = $2 WHERE id = $1', () => '/signing-key/rotate'],
])('while a %s cannot be decrypted, deliveries wait; a rotation delivers them', async (_name, sql, path) => {
  const account = await hookline.account()
  const neighbor = await hookline.account()
  const id = await register(account, '/sealed')
  await register(neighbor, '/neighbor')
  await hookline.database.query(sql, [account.accountId, Buffer.from('broken')])
  await hookline.database.query('UPDATE accounts SET hooks_version = hooks_version + 1 WHERE id = $1', [
    account.accountId,
  ])
  const count = receiver.at('/sealed').length
  await gateway.event(account.accountId)
  await expect
    .poll(async () => (await call(`${hookline.url}/api/hooks/${id}`, account)).json.health.problem, {
      timeout: 30_000,
    })
    .toBe('secret')
  await deliver(neighbor, '/neighbor')
  expect(receiver.at('/sealed')).toHaveLength(count)
  await post(account, path(id))
  if (path(id).endsWith('rotate')) await post(account, '/signing-key/switch')
  await receiver.until(() => receiver.at('/sealed').length === count + 1)
})
