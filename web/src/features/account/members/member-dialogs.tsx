/** Renders the open dialog of a member. Apart from the table, because a removed member has no row. */
import { type HeldSecret, type Member, useRemoveMember, useTransferOwnership } from '../../../api/members.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { PasswordPrompt } from '../../auth/password-prompt.tsx'
import { ChangeMember } from './change-member.tsx'
import { KnownSecrets, RemovedMemberSecrets } from './known-secrets.tsx'

export interface MemberRequest {
  kind: 'change' | 'secrets' | 'transfer' | 'remove'
  member: Member
  /** What a member knows who was just removed. */
  secrets?: readonly HeldSecret[]
}

interface DialogProps {
  member: Member
  close: () => void
}

interface MemberDialogsProps {
  request: MemberRequest
  open: (request: MemberRequest) => void
  /** Closes the dialog of `request`, not one that has replaced it. */
  close: () => void
}

export function MemberDialogs({ request: { kind, member, secrets }, open, close }: MemberDialogsProps) {
  if (secrets !== undefined) return <RemovedMemberSecrets member={member} secrets={secrets} close={close} />
  switch (kind) {
    case 'change':
      return <ChangeMember member={member} close={close} />
    case 'secrets':
      return <KnownSecrets member={member} close={close} />
    case 'transfer':
      return <TransferOwnership member={member} close={close} />
    case 'remove':
      return (
        <RemoveMember
          member={member}
          close={close}
          showSecrets={(known) => open({ kind: 'secrets', member, secrets: known })}
        />
      )
  }
}

function TransferOwnership({ member, close }: DialogProps) {
  const transfer = useTransferOwnership(member)
  return (
    <PasswordPrompt
      title={`Transfer ownership to ${member.alias}?`}
      action="Transfer ownership"
      isDanger
      act={async (confirmation) => {
        await transfer.mutateAsync(confirmation)
        close()
        toast(`${member.alias} owns the account, you are an admin`)
      }}
      close={close}
    >
      <bdi>{member.alias}</bdi> becomes an owner with all rights, and you become an admin. Only an owner can
      give the ownership back.
    </PasswordPrompt>
  )
}

interface RemoveMemberProps extends DialogProps {
  showSecrets: (secrets: readonly HeldSecret[]) => void
}

function RemoveMember({ member, close, showSecrets }: RemoveMemberProps) {
  const remove = useRemoveMember(member)
  return (
    <ConfirmDanger
      title={`Remove ${member.alias}?`}
      action="Remove member"
      act={async () => {
        const { secrets } = await remove.mutateAsync()
        toast(`${member.alias} removed`)
        if (secrets.length > 0) showSecrets(secrets)
      }}
      close={close}
    >
      Sessions in this account and authorized apps of <bdi>{member.alias}</bdi> stop working immediately.
      Webhooks, API keys and apps stay. Hookline then lists the secrets that the member knows, so that you can
      rotate them.
    </ConfirmDanger>
  )
}
