/**
 * Stores what the built-in test receiver got. It accepts only deliveries of the account in its URL: a request must carry
 * a signature of one of the account's webhooks. Requests are kept for a day, at most 50 per account and 60 per minute.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { ApiError } from '../model/errors.ts'
import { mask } from '../model/mask.ts'
import { accountOfPath, testReceiverPath } from '../model/test-receiver.ts'
import type { Vault } from '../vault/vault.ts'
import { type HookSecretRow, isSecretRotating, openSecrets } from './open-secrets.ts'

export const maxTestRequests = 50
export const maxTestRequestsPerMinute = 60
const maxStoredBytes = 32 * 1024
const maxHeaderBytes = 16 * 1024
/** As receivers should check it, against replayed requests. */
const maxAgeSeconds = 5 * 60

export interface TestRequest {
  method: string
  /** Raw, without the question mark. */
  query: string
  headers: ReadonlyArray<{ name: string; value: string }>
  body: Buffer
}

/** What is sealed. The body of a test event only: other events can contain personal data and have their own page. */
interface StoredRequest {
  method: string
  headers: Array<{ name: string; value: string }>
  content: string | null
  contentBytes: number
  isTruncated: boolean
  isTest: boolean
  eventId: string
}

export interface StoredTestRequest extends StoredRequest {
  id: string
  hookId: number
  receivedAt: Date
}

export function testReceiverUrl(vault: Vault, baseUrl: URL, accountId: number): string {
  return new URL(testReceiverPath(accountId, secretOf(vault, accountId)), baseUrl.origin).href
}

/** Returns the account that the path of a request belongs to; undefined for a wrong secret. */
export function findTestReceiver(vault: Vault, path: string): number | undefined {
  const accountId = accountOfPath(path)
  if (accountId === undefined) return undefined
  const expected = Buffer.from(testReceiverPath(accountId, secretOf(vault, accountId)))
  const actual = Buffer.from(path)
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? accountId : undefined
}

function secretOf(vault: Vault, accountId: number): Buffer {
  return vault.digest(String(accountId), 'test-receiver')
}

/** Stores a verified request. */
export async function storeTestRequest(
  db: Database,
  vault: Vault,
  { accountId, hookId }: { accountId: number; hookId: number },
  request: TestRequest,
): Promise<void> {
  const sealed = vault.seal(JSON.stringify(toStored(request)), contextOf(accountId))
  await db.insertInto('testRequests').values({ accountId, hookId, request: sealed }).execute()
  await sql`
    DELETE FROM test_requests WHERE account_id = ${accountId} AND id <= (
      SELECT id FROM test_requests WHERE account_id = ${accountId} ORDER BY id DESC OFFSET ${maxTestRequests} LIMIT 1)
  `.execute(db)
}

/** Returns the requests, newest first. Values of custom headers are masked. */
export async function listTestRequests(
  db: Database,
  vault: Vault,
  accountId: number,
): Promise<StoredTestRequest[]> {
  const rows = await db
    .selectFrom('testRequests')
    .select(['id', 'hookId', 'receivedAt', 'request'])
    .where('accountId', '=', accountId)
    .where('receivedAt', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('id', 'desc')
    .limit(maxTestRequests)
    .execute()
  return rows.map(({ id, hookId, receivedAt, request }) => ({
    ...(JSON.parse(vault.open(request, contextOf(accountId))) as StoredRequest),
    id,
    hookId,
    receivedAt,
  }))
}

function contextOf(accountId: number): string {
  return `test-request:${accountId}`
}

/** Returns the webhook that sent a request. Rejects one that is not a delivery of the account. */
export async function verifyDelivery(
  db: Database,
  vault: Vault,
  accountId: number,
  request: TestRequest,
  now: number,
): Promise<number> {
  const header = (name: string): string => request.headers.find((one) => one.name === name)?.value ?? ''
  const hookId = /^[1-9]\d{0,9}$/.test(header('x-hookline-hook')) ? Number(header('x-hookline-hook')) : 0
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const ageSeconds = Math.abs(now / 1_000 - Number(timestamp))
  if (hookId === 0 || hookId > 2 ** 31 - 1 || !/^\d{1,12}$/.test(timestamp) || ageSeconds > maxAgeSeconds)
    throw notADelivery()
  const { rows } = await sql<HookSecretRow>`
    SELECT secret, previous_secret, secret_generation, ${isSecretRotating} AS is_rotating
    FROM hooks WHERE account_id = ${accountId} AND id = ${hookId}
  `.execute(db)
  const [row] = rows
  if (row === undefined) throw notADelivery()
  const content = request.method === 'GET' ? Buffer.from(request.query) : request.body
  const expected = openSecrets(vault, row, accountId, hookId).map((secret) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(content).digest(),
  )
  const isSigned = header('webhook-signature')
    .split(' ')
    .slice(0, 4)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
    .some((actual) =>
      expected.some((signature) => signature.length === actual.length && timingSafeEqual(signature, actual)),
    )
  if (!isSigned) throw notADelivery()
  return hookId
}

function notADelivery(): ApiError {
  return new ApiError(
    'invalidSignature',
    'The test receiver accepts only deliveries with a valid signature of a webhook of its account.',
  )
}

/** Headers of Hookline and of the format. All others are the webhook's own, and may contain secrets. */
const visibleHeader =
  /^(?:host|user-agent|accept|content-type|content-length|connection|x-(?:timestamp|nonce|signature)|webhook-.*|x-hookline-.*)$/

function toStored({ method, query, headers, body }: TestRequest): StoredRequest {
  const find = (name: string): string | undefined => headers.find((one) => one.name === name)?.value
  const isTest = find('x-hookline-test') === '1'
  const content = method === 'GET' ? Buffer.from(query) : body
  let headerBytes = 0
  return {
    method,
    headers: headers
      .map(({ name, value }) => ({ name, value: visibleHeader.test(name) ? value : mask(value) }))
      .filter(({ name, value }) => (headerBytes += name.length + value.length) <= maxHeaderBytes),
    content: isTest ? content.subarray(0, maxStoredBytes).toString() : null,
    contentBytes: content.length,
    isTruncated: content.length > maxStoredBytes,
    isTest,
    eventId: find('webhook-id') ?? '',
  }
}
