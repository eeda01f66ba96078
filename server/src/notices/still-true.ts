import { sql } from 'kysely'

/**
 * Whether a row of `notices` still describes its webhook. A notice that became untrue before it was sent is dropped.
 * Losses stay true until the webhook is deleted.
 */
export const isStillTrue = sql<boolean>`EXISTS (
  SELECT FROM hooks
  LEFT JOIN hook_failures AS failing ON failing.account_id = hooks.account_id AND failing.hook_id = hooks.id
  WHERE hooks.account_id = notices.account_id AND hooks.id = notices.hook_id AND CASE
    WHEN notices.kind LIKE 'failing%' THEN hooks.enabled AND failing.failing_since IS NOT DISTINCT FROM notices.streak
    WHEN notices.kind = 'disabled' THEN NOT hooks.enabled AND hooks.disabled_reason = 'failing'
    WHEN notices.kind = 'gone' THEN NOT hooks.enabled AND hooks.disabled_reason = 'gone'
    WHEN notices.kind = 'recovered' THEN hooks.enabled AND failing.failing_since IS NULL
    WHEN notices.kind = 'expiring' THEN NOT hooks.enabled AND EXISTS (
      SELECT FROM work WHERE work.account_id = hooks.account_id AND work.hook_id = hooks.id AND work.held)
    ELSE true
  END)`
