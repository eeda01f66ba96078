/** Confirms that an invitation is revoked. */
import { type Invitation, useRevokeInvitation } from '../../../api/members.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

export function RevokeInvitation({ invitation, close }: { invitation: Invitation; close: () => void }) {
  const revoke = useRevokeInvitation()
  return (
    <ConfirmDanger
      title={`Revoke the invitation of ${invitation.email}?`}
      action="Revoke invitation"
      act={async () => {
        await revoke.mutateAsync(invitation)
        toast('Invitation revoked')
      }}
      close={close}
    >
      The link in the email stops working immediately.
    </ConfirmDanger>
  )
}
