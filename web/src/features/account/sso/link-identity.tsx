import { useLinkIdentity } from '../../../api/sso.ts'
import { PasswordPrompt } from '../../auth/password-prompt.tsx'

export function LinkIdentity({ close }: { close: () => void }) {
  const link = useLinkIdentity()
  return (
    <PasswordPrompt
      title="Link your login"
      action="Continue"
      act={(confirmation) => link.mutateAsync(confirmation)}
      close={close}
    >
      Next, sign in at the identity provider of this account. The user of the provider can then sign in to
      this account as you.
    </PasswordPrompt>
  )
}
