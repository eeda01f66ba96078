/** Dialogs to reveal and revoke a key. */
import { type Key, useRevokeKey, useViewKey } from '../../api/api-keys.ts'
import { ConfirmDanger } from '../../ui/feedback/confirm-danger.tsx'
import { PasswordPrompt } from '../auth/password-prompt.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { KeyReveal } from './key-reveal.tsx'

interface KeyDialogProps {
  apiKey: Key
  close: () => void
}

export function ViewKey({ apiKey: key, close }: KeyDialogProps) {
  const view = useViewKey()
  if (view.data !== undefined)
    return <KeyReveal title={`API key “${key.name}”`} secret={view.data.secret} close={close} />
  return (
    <PasswordPrompt
      title={`Reveal “${key.name}”`}
      action="Reveal key"
      act={(confirmation) => view.mutateAsync({ id: key.id, confirmation })}
      close={close}
    >
      Confirm that it is you to reveal the key. The audit log records every view.
    </PasswordPrompt>
  )
}

export function RevokeKey({ apiKey: key, close }: KeyDialogProps) {
  const revoke = useRevokeKey()
  return (
    <ConfirmDanger
      title={`Revoke “${key.name}”?`}
      action="Revoke key"
      act={async () => {
        await revoke.mutateAsync(key)
        toast(`“${key.name}” revoked`)
      }}
      close={close}
    >
      Requests with this key fail immediately. Webhooks created with the key keep delivering. Revocation
      cannot be undone.
    </ConfirmDanger>
  )
}
