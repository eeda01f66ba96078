/** Stats, failure reasons and attempts of a webhook. */
import type { HookDetail } from '../../../api/types.ts'
import { FailureReasons } from './failure-reasons.tsx'
import { WebhookAttempts } from './webhook-attempts.tsx'
import { WebhookStats } from './webhook-stats.tsx'

export function ActivityTab({ detail }: { detail: HookDetail }) {
  return (
    <>
      <WebhookStats webhook={detail} />
      <FailureReasons hookId={detail.hook.id} />
      <WebhookAttempts hookId={detail.hook.id} />
    </>
  )
}
