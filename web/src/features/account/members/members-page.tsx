/** Members of the account, open invitations, and leaving the account. */
import { Skeleton } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { membersQuery } from '../../../api/members.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { DataTable } from '../../../ui/data/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { useAccess } from '../../auth/use-access.ts'
import { AccountTabs } from '../account-tabs.tsx'
import { LeaveAccount } from './leave-account.tsx'
import { memberColumns } from './member-columns.tsx'
import type { MemberRequest } from './member-dialogs.tsx'

/** Loaded for admins. */
const InviteButton = lazyPart(async () => (await import('./invite-button.tsx')).InviteButton)
const Invitations = lazyPart(async () => (await import('./invitations.tsx')).Invitations)
/** Loaded on demand. */
const MemberDialogs = lazyPart(async () => (await import('./member-dialogs.tsx')).MemberDialogs)

export function MembersPage() {
  const access = useAccess()
  const isAdmin = access.hasRole('admin')
  const members = useQuery(membersQuery)
  const [request, setRequest] = useState<MemberRequest | null>(null)
  return (
    <>
      <PageHeader
        title="Members"
        description="Users who can sign in to this account, and what each of them can do"
        {...(isAdmin && {
          actions: (
            <Suspense>
              <InviteButton />
            </Suspense>
          ),
        })}
      />
      <AccountTabs current="members" />
      <Panel isFlush>
        <DataTable
          label="Members"
          columns={memberColumns(access, setRequest)}
          rows={members.data}
          keyOf={({ login_id: id }) => id}
          error={members.error}
          retry={() => void members.refetch()}
          empty={<EmptyState icon={<IconUsers size={28} stroke={1.5} />} title="No members" />}
        />
      </Panel>
      {isAdmin && (
        <Suspense fallback={<Skeleton height={240} radius="md" />}>
          <Invitations />
        </Suspense>
      )}
      {members.data !== undefined && <LeaveAccount members={members.data} />}
      <Suspense>
        {request !== null && (
          <MemberDialogs
            request={request}
            open={setRequest}
            close={() => setRequest((now) => (now === request ? null : now))}
          />
        )}
      </Suspense>
    </>
  )
}
