/** Confirms that the user leaves the account. */
import { useLeaveAccount } from '../../../api/members.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { useSession } from '../../auth/session-context.ts'

export function LeaveDialog({ close }: { close: () => void }) {
  const { account, login } = useSession()
  const leave = useLeaveAccount(login.id)
  return (
    <ConfirmDanger
      title={`Leave ${account.name}?`}
      action="Leave account"
      act={() => leave.mutateAsync()}
      close={close}
    >
      Your sessions in this account end. To return, you need a new invitation.
    </ConfirmDanger>
  )
}
