/** Invites a member by email. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { accessOf } from '../../../api/access.ts'
import { type Rights, useInvite } from '../../../api/members.ts'
import { findErrorField } from '../../../messages/errors.ts'
import dialog from '../../../ui/feedback/dialog.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useAccess } from '../../auth/use-access.ts'
import { RightsFields } from './rights-fields.tsx'

export function InviteMember({ close }: { close: () => void }) {
  const { canReveal, canExport } = useAccess()
  const invite = useInvite()
  const [email, setEmail] = useState('')
  const [rights, setRights] = useState<Rights>({ role: 'viewer', can_reveal: false, can_export: false })
  /** Developers see complete events anyway, in the requests to their webhooks. */
  const choose = (chosen: Rights) => {
    const isDeveloper = accessOf(chosen).hasRole('developer')
    const isOtherRole = chosen.role !== rights.role
    setRights(
      isOtherRole
        ? { role: chosen.role, can_reveal: isDeveloper && canReveal, can_export: isDeveloper && canExport }
        : chosen,
    )
  }
  const isEmailError = findErrorField(invite.error, { email: 'email' }) !== undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { email: email.trim(), ...rights },
      {
        onSuccess() {
          close()
          toast(`Invitation sent to ${email.trim()}`)
        },
      },
    )
  }
  return (
    <Dialog title="Invite member" close={close} isBusy={invite.isPending}>
      <form className={dialog.body} onSubmit={submit}>
        <TextInput
          label="Email"
          description="Hookline sends a link that works once within 7 days."
          type="email"
          autoComplete="off"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={isEmailError && invite.error?.message}
          data-autofocus
        />
        <RightsFields value={rights} onChange={choose} />
        {!isEmailError && <ErrorNotice error={invite.error} />}
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={invite.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Send invitation
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
