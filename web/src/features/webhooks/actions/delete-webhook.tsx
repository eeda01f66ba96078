/** Confirms the deletion of a webhook. */
import type { HookWithHealth } from '../../../api/types.ts'
import { useDeleteWebhook } from '../../../api/webhooks.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { Mono } from '../../../ui/data/mono.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { plural } from '../../../lib/format-number.ts'
import { webhookName } from '../../../messages/webhook-name.ts'

interface DeleteWebhookProps {
  webhook: HookWithHealth
  close: () => void
  onDeleted?: () => void
}

export function DeleteWebhook({ webhook: { hook, health }, close, onDeleted }: DeleteWebhookProps) {
  const remove = useDeleteWebhook()
  const pending = health.waiting + health.held
  return (
    <ConfirmDanger
      title={`Delete ${webhookName(hook)}?`}
      action="Delete webhook"
      act={async () => {
        await remove.mutateAsync(hook)
        toast(`${webhookName(hook)} deleted`)
        onDeleted?.()
      }}
      close={close}
    >
      <p>
        <Mono text={hook.target_url} />
      </p>
      <p>
        Deliveries stop immediately
        {pending > 0 && `; ${plural(pending, 'pending delivery is', 'pending deliveries are')} canceled`}.
        Past events stay available. To pause deliveries and keep events, disable the webhook instead.
      </p>
    </ConfirmDanger>
  )
}
