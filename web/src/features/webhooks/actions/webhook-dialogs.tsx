/** Renders the open dialog of a webhook. */
import type { HookWithHealth } from '../../../api/types.ts'
import { DeleteWebhook } from './delete-webhook.tsx'
import { EnableWebhook } from './enable-webhook.tsx'
import { TestWebhook } from './test-webhook.tsx'

export interface DialogRequest {
  /** `testNow` sends the test event without another click. */
  kind: 'test' | 'testNow' | 'enable' | 'delete'
  /** Snapshot from when the dialog opened, so an optimistic update does not change its question. */
  webhook: HookWithHealth
}

interface WebhookDialogsProps {
  request: DialogRequest | null
  close: () => void
  onDeleted?: () => void
}

export function WebhookDialogs({ request, close, onDeleted }: WebhookDialogsProps) {
  if (request === null) return null
  const { kind, webhook } = request
  if (kind === 'test' || kind === 'testNow')
    return <TestWebhook hook={webhook.hook} isSentImmediately={kind === 'testNow'} close={close} />
  if (kind === 'enable') return <EnableWebhook webhook={webhook} close={close} />
  return <DeleteWebhook webhook={webhook} close={close} {...(onDeleted && { onDeleted })} />
}
