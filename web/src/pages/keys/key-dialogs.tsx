/** Seeing a key again, and ending it. */
import { type Key, useRevokeKey, useViewKey } from '../../api/keys.ts'
import { ConfirmDanger } from '../../parts/confirm-danger.tsx'
import { PasswordPrompt } from '../../parts/password-prompt.tsx'
import { say } from '../../parts/say.ts'
import { ShownKey } from './shown-key.tsx'

interface KeyDialogProps {
  of: Key
  close: () => void
}

export function ViewKey({ of: key, close }: KeyDialogProps) {
  const view = useViewKey()
  if (view.data !== undefined)
    return <ShownKey title={`The key “${key.name}”`} secret={view.data.secret} close={close} />
  return (
    <PasswordPrompt
      title={`View “${key.name}” again`}
      action="Show the key"
      act={(password) => view.mutateAsync({ id: key.id, password })}
      close={close}
    >
      Give your password to see the whole key. That you looked is kept in the audit log.
    </PasswordPrompt>
  )
}

export function RevokeKey({ of: key, close }: KeyDialogProps) {
  const revoke = useRevokeKey()
  return (
    <ConfirmDanger
      title={`Revoke “${key.name}”?`}
      action="Revoke the key"
      act={async () => {
        await revoke.mutateAsync(key)
        say(`“${key.name}” is revoked.`)
      }}
      close={close}
    >
      Every call with this key is refused from now on, everywhere. Webhooks that it registered stay and go on
      delivering. A revoked key cannot be brought back.
    </ConfirmDanger>
  )
}
