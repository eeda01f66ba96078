import { type Connection, useRemoveSso } from '../../../api/sso.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { PasswordPrompt } from '../../auth/password-prompt.tsx'

export function RemoveSsoDialog({ connection, close }: { connection: Connection; close: () => void }) {
  const remove = useRemoveSso()
  return (
    <PasswordPrompt
      title={`Remove ${connection.name}?`}
      action="Remove single sign-on"
      isDanger
      act={async (confirmation) => {
        await remove.mutateAsync(confirmation)
        close()
        toast('Single sign-on removed')
      }}
      close={close}
    >
      All users are unlinked, their sessions of single sign-on end, and members enter this account with their
      passwords. Users who joined by signing in have no password: they set one with “Forgot password?”.
    </PasswordPrompt>
  )
}
