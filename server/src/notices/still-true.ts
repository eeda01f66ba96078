import { sql } from 'kysely'

/**
 * Whether a row of `notices` still describes its subject. A notice that became untrue before it was sent is dropped. Losses
 * and slow responses stay true until the webhook is deleted, and what somebody did stays true.
 */
export const isStillTrue = sql<boolean>`CASE
  WHEN notices.hook_id IS NOT NULL THEN EXISTS (
    SELECT FROM hooks
    LEFT JOIN hook_failures AS failing ON failing.account_id = hooks.account_id AND failing.hook_id = hooks.id
    WHERE hooks.account_id = notices.account_id AND hooks.id = notices.hook_id AND CASE
      WHEN notices.kind LIKE 'failing%' THEN hooks.enabled AND failing.failing_since IS NOT DISTINCT FROM notices.streak
      WHEN notices.kind = 'backing_off' THEN hooks.enabled AND EXISTS (
        SELECT FROM lane WHERE lane.account_id = hooks.account_id AND lane.hook_id = hooks.id AND open_seconds > 0)
      WHEN notices.kind = 'disabled' THEN NOT hooks.enabled AND hooks.disabled_reason = 'failing'
      WHEN notices.kind = 'gone' THEN NOT hooks.enabled AND hooks.disabled_reason = 'gone'
      WHEN notices.kind = 'recovered' THEN hooks.enabled AND failing.failing_since IS NULL
      WHEN notices.kind = 'expiring' THEN NOT hooks.enabled AND EXISTS (
        SELECT FROM work WHERE work.account_id = hooks.account_id AND work.hook_id = hooks.id AND work.held)
      WHEN notices.kind LIKE 'certificate%' THEN hooks.enabled AND EXISTS (
        SELECT FROM hook_certificates AS certificates
        WHERE certificates.account_id = hooks.account_id AND certificates.hook_id = hooks.id
          AND certificates.valid_until = notices.streak)
      ELSE true
    END)
  WHEN notices.kind LIKE 'key%' THEN EXISTS (
    SELECT FROM keys WHERE keys.account_id = notices.account_id AND 'key:' || keys.id = notices.subject
      AND keys.revoked_at IS NULL AND keys.expires_at = notices.streak)
  ELSE true END`
