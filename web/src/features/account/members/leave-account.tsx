/** Leaves the account. The last owner first makes another member an owner. */
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Member } from '../../../api/members.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { useSession } from '../../auth/session-context.ts'

/** Loaded on demand. */
const LeaveDialog = lazyPart(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

export function LeaveAccount({ members }: { members: readonly Member[] }) {
  const { member } = useSession()
  const [isOpen, setOpen] = useState(false)
  const isLastOwner = member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
  return (
    <>
      <Panel
        tone="danger"
        title="Leave account"
        description={
          isLastOwner
            ? 'You are the last owner. Transfer the ownership to another member first.'
            : 'You lose access immediately. Webhooks, API keys and apps stay in the account.'
        }
        {...(!isLastOwner && {
          actions: (
            <Button color="red" variant="light" onClick={() => setOpen(true)}>
              Leave account
            </Button>
          ),
        })}
      />
      <Suspense>{isOpen && <LeaveDialog close={() => setOpen(false)} />}</Suspense>
    </>
  )
}
