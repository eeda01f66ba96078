import { type Identity, useUnlinkIdentity } from '../../../api/sso.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

export function UnlinkIdentity({ identity, close }: { identity: Identity; close: () => void }) {
  const { alias, is_self: isSelf } = identity
  const unlink = useUnlinkIdentity(identity)
  return (
    <ConfirmDanger
      title={isSelf ? 'Unlink your login?' : `Unlink ${alias}?`}
      action="Unlink login"
      act={async () => {
        await unlink.mutateAsync()
        toast('Login unlinked')
      }}
      close={close}
    >
      Sessions that single sign-on has started for this login end. The login stays a member and can be linked
      again. A verified email of a verified domain links it at the next sign-in.
    </ConfirmDanger>
  )
}
