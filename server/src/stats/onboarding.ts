/** First steps of a new account, read from its data: a webhook exists, a test event was delivered. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export interface Onboarding {
  /** The account is new and the user has not dismissed the steps. */
  isShown: boolean
  hasWebhook: boolean
  isTestDelivered: boolean
  /** Set by the user: only the receiver knows whether it verifies signatures. */
  isSignatureVerified: boolean
}

/** Steps are shown this long. */
const newFor = sql`interval '30 days'`
/** A test event of a new account is among its newest events. */
const maxEvents = 500

export async function readOnboarding(db: Database, accountId: number): Promise<Onboarding> {
  const { rows } = await sql<Onboarding>`
    SELECT accounts.created_at > now() - ${newFor} AND dismissed_at IS NULL AS is_shown,
           EXISTS (SELECT FROM hooks WHERE hooks.account_id = accounts.id) AS has_webhook,
           test_delivered_at IS NOT NULL AS is_test_delivered,
           signature_verified_at IS NOT NULL AS is_signature_verified
    FROM accounts LEFT JOIN onboarding ON onboarding.account_id = accounts.id
    WHERE accounts.id = ${accountId}
  `.execute(db)
  const found = rows[0] ?? {
    isShown: false,
    hasWebhook: false,
    isTestDelivered: false,
    isSignatureVerified: false,
  }
  if (!found.isShown || !found.hasWebhook || found.isTestDelivered) return found
  const isTestDelivered = await findDeliveredTest(db, accountId)
  // Recorded, because events are deleted after a while.
  if (isTestDelivered) await record(db, accountId, 'testDeliveredAt')
  return { ...found, isTestDelivered }
}

async function findDeliveredTest(db: Database, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM (
      SELECT id, test_hook_id FROM events
      WHERE account_id = ${accountId} AND id > uuid_v7_floor(now() - interval '7 days')
      ORDER BY id DESC LIMIT ${maxEvents}
    ) AS recent
    JOIN deliveries ON deliveries.account_id = ${accountId} AND deliveries.event_id = recent.id
    WHERE test_hook_id IS NOT NULL AND state = 'delivered'
    LIMIT 1
  `.execute(db)
  return rows.length > 0
}

export interface OnboardingChange {
  isDismissed?: boolean | undefined
  isSignatureVerified?: boolean | undefined
}

export async function changeOnboarding(
  db: Database,
  accountId: number,
  { isDismissed, isSignatureVerified }: OnboardingChange,
): Promise<void> {
  if (isDismissed !== undefined) await record(db, accountId, 'dismissedAt', isDismissed)
  if (isSignatureVerified !== undefined)
    await record(db, accountId, 'signatureVerifiedAt', isSignatureVerified)
}

async function record(
  db: Database,
  accountId: number,
  step: 'testDeliveredAt' | 'signatureVerifiedAt' | 'dismissedAt',
  isDone = true,
): Promise<void> {
  const at = isDone ? sql<Date>`now()` : null
  await db
    .insertInto('onboarding')
    .values({ accountId, [step]: at })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ [step]: at }))
    .execute()
}
