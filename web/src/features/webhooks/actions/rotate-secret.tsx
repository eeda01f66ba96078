/** Confirms the rotation of a webhook's signing secret. */
import type { Hook } from '../../../api/types.ts'
import { webhookName } from '../../../messages/webhook-name.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'

interface RotateSecretProps {
  hook: Hook
  rotate: () => Promise<unknown>
  close: () => void
}

export function RotateSecret({ hook, rotate, close }: RotateSecretProps) {
  return (
    <ConfirmDanger
      title={`Rotate secret for ${webhookName(hook)}?`}
      action="Rotate secret"
      act={rotate}
      close={close}
    >
      For 24 hours, requests carry two signatures, one per secret, so your server keeps working during the
      change. After that, only the new secret is valid.
    </ConfirmDanger>
  )
}
