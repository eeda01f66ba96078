/** Opens the dialog that invites a member. Without email, only the operator can add members. */
import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { configQuery } from '../../../api/client.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'

const InviteMember = lazyPart(async () => (await import('./invite-member.tsx')).InviteMember)

export function InviteButton() {
  const hasEmail = useQuery(configQuery).data?.password_reset === 'mail'
  const [isOpen, setOpen] = useState(false)
  if (!hasEmail) return null
  return (
    <>
      <Button leftSection={<IconUserPlus size={16} />} onClick={() => setOpen(true)}>
        Invite member
      </Button>
      <Suspense>{isOpen && <InviteMember close={() => setOpen(false)} />}</Suspense>
    </>
  )
}
