/** Changes role and rights of a member. */
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Member, type Rights, useChangeMember } from '../../../api/members.ts'
import { roleText } from '../../../messages/roles.ts'
import dialog from '../../../ui/feedback/dialog.module.css'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { RightsFields } from './rights-fields.tsx'

export function ChangeMember({ member, close }: { member: Member; close: () => void }) {
  const { role, can_reveal, can_export } = member
  const change = useChangeMember(member)
  const [rights, setRights] = useState<Rights>({ role, can_reveal, can_export })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(rights, {
      onSuccess() {
        close()
        toast(`${member.alias} is now ${roleText[rights.role].label}`)
      },
    })
  }
  return (
    <Dialog title={`Change role of ${member.alias}`} close={close} isBusy={change.isPending}>
      <form className={dialog.body} onSubmit={submit}>
        <RightsFields value={rights} onChange={setRights} given={member} />
        <p>Takes effect with the next request, also in open sessions and authorized apps.</p>
        <ErrorNotice error={change.error} />
        <div className={dialog.actions}>
          <Button variant="default" onClick={close} disabled={change.isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save changes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
