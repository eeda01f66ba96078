/** Dialogs to rename and remove a passkey. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Passkey, useRemovePasskey, useRenamePasskey } from '../../api/passkeys.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { PasswordPrompt } from '../auth/password-prompt.tsx'
import { useSession } from '../auth/session-context.ts'

interface PasskeyDialogProps {
  passkey: Passkey
  close: () => void
}

export function RenamePasskey({ passkey, close }: PasskeyDialogProps) {
  const rename = useRenamePasskey(passkey)
  const [name, setName] = useState(passkey.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(name.trim(), {
      onSuccess() {
        close()
        toast('Passkey renamed')
      },
    })
  }
  return (
    <Dialog title="Rename passkey" close={close} isBusy={rename.isPending}>
      <form className={dialog.body} onSubmit={submit}>
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <ErrorNotice error={rename.error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={rename.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={rename.isPending}
            disabled={name.trim() === '' || name.trim() === passkey.name}
          >
            Rename passkey
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function RemovePasskey({ passkey, isLast, close }: PasskeyDialogProps & { isLast: boolean }) {
  const { login } = useSession()
  const remove = useRemovePasskey(passkey)
  return (
    <PasswordPrompt
      title="Remove passkey?"
      action="Remove passkey"
      isDanger
      act={async (confirmation) => {
        await remove.mutateAsync(confirmation)
        close()
        toast('Passkey removed')
      }}
      close={close}
    >
      You can no longer sign in with{' '}
      <strong>
        <bdi>{passkey.name}</bdi>
      </strong>
      . Delete the passkey on your device too.
      {isLast &&
        !login.authenticator_app &&
        ' Two-factor authentication is then off: your password alone is enough to sign in, and the recovery codes become invalid.'}
    </PasswordPrompt>
  )
}
