/** First steps of a new account, read from its data: a webhook exists, an event was delivered. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export interface Onboarding {
  /** The account has no webhook, or is new and has few events, and the steps were not dismissed. */
  isShown: boolean
  hasWebhook: boolean
  isTestDelivered: boolean
  /** Set by the user: only the receiver knows whether it verifies signatures. */
  isSignatureVerified: boolean
}

/** Steps are shown this long, or until the account has a webhook. */
const newFor = sql`interval '30 days'`
/** An account with this many events in a week needs no first steps. A test event of a new one is among them. */
const maxEvents = 100

export async function readOnboarding(db: Database, accountId: number): Promise<Onboarding> {
  const { rows } = await sql<Onboarding & { isNew: boolean; isDismissed: boolean }>`
    SELECT accounts.created_at > now() - ${newFor} AS is_new,
           dismissed_at IS NOT NULL AS is_dismissed,
           EXISTS (SELECT FROM hooks WHERE hooks.account_id = accounts.id) AS has_webhook,
           test_delivered_at IS NOT NULL AS is_test_delivered,
           signature_verified_at IS NOT NULL AS is_signature_verified
    FROM accounts LEFT JOIN onboarding ON onboarding.account_id = accounts.id
    WHERE accounts.id = ${accountId}
  `.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('account not found')
  const { isNew, isDismissed, ...steps } = found
  if (isDismissed || !steps.hasWebhook || !isNew)
    return { ...steps, isShown: !isDismissed && !steps.hasWebhook }
  const { eventCount, isTestDelivered } = await findDeliveredTest(db, accountId)
  // Recorded, because events are deleted after a while.
  if (isTestDelivered && !steps.isTestDelivered) await record(db, accountId, 'testDeliveredAt')
  return {
    ...steps,
    isShown: eventCount < maxEvents,
    isTestDelivered: steps.isTestDelivered || isTestDelivered,
  }
}

async function findDeliveredTest(
  db: Database,
  accountId: number,
): Promise<{ eventCount: number; isTestDelivered: boolean }> {
  const { rows } = await sql<{ eventCount: number; isTestDelivered: boolean }>`
    WITH recent AS MATERIALIZED (
      SELECT id FROM events
      WHERE account_id = ${accountId} AND id > uuid_v7_floor(now() - interval '7 days')
      ORDER BY id DESC LIMIT ${maxEvents}
    )
    SELECT (SELECT count(*)::int FROM recent) AS event_count,
           EXISTS (
             SELECT FROM recent
             JOIN deliveries ON deliveries.account_id = ${accountId} AND deliveries.event_id = recent.id
             WHERE state = 'delivered'
           ) AS is_test_delivered
  `.execute(db)
  return rows[0] ?? { eventCount: 0, isTestDelivered: false }
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
