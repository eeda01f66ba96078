/** Open and recently expired invitations. */
import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { configQuery } from '../../../api/client.ts'
import { type Invitation, invitationsQuery, useResendInvitation } from '../../../api/members.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { useNow } from '../../../lib/use-now.ts'
import { describeError } from '../../../messages/errors.ts'
import { describeRights, roleText } from '../../../messages/roles.ts'
import { type Column, DataTable } from '../../../ui/data/data-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import { useAccess } from '../../auth/use-access.ts'
import styles from './members.module.css'

/** Loaded on demand. */
const RevokeInvitation = lazyPart(async () => (await import('./revoke-invitation.tsx')).RevokeInvitation)

const columns: readonly Column<Invitation>[] = [
  {
    title: 'Email',
    kind: 'main',
    cell: ({ email, invited_by: by }) => (
      <>
        <p className={styles.name}>
          <bdi>{email}</bdi>
        </p>
        <p className={styles.muted}>
          invited by <bdi>{by}</bdi>
        </p>
      </>
    ),
  },
  { title: 'Role', cell: ({ role }) => roleText[role].label },
  { title: 'Rights', cell: describeRights },
  { title: 'Sent', cell: ({ sent_at: at }) => <RelativeTime at={at} /> },
  { title: 'Expires', cell: ({ expires_at: at }) => <Expiry at={at} /> },
  { title: 'Actions', cell: (invitation) => <Actions invitation={invitation} /> },
]

export function Invitations() {
  const invitations = useQuery(invitationsQuery)
  const config = useQuery(configQuery).data
  const hasEmail = config?.password_reset !== 'operator'
  return (
    <Panel
      title="Invitations"
      description="Links work only while their sender may still give the role."
      isFlush
    >
      <DataTable
        label="Invitations"
        columns={columns}
        rows={invitations.data}
        keyOf={({ id }) => id}
        error={invitations.error}
        retry={() => void invitations.refetch()}
        skeletonRows={1}
        empty={
          hasEmail ? (
            <EmptyState icon={<IconMail size={28} stroke={1.5} />} title="No open invitations">
              Invite members by email. Their links work once within 7 days.
            </EmptyState>
          ) : (
            <EmptyState icon={<IconMail size={28} stroke={1.5} />} title="Email is not configured">
              {config.operator_contact === null
                ? 'Ask the operator to add members.'
                : `Ask ${config.operator_contact} to add members.`}
            </EmptyState>
          )
        }
      />
    </Panel>
  )
}

function Expiry({ at }: { at: string }) {
  const now = useNow()
  return Date.parse(at) > now ? <RelativeTime at={at} /> : <StateBadge tone="warning" label="Expired" />
}

function Actions({ invitation }: { invitation: Invitation }) {
  const { email, role, can_reveal: reveals, can_export: exports } = invitation
  const { mayManage, canReveal, canExport } = useAccess()
  const resend = useResendInvitation()
  const [isOpen, setOpen] = useState(false)
  const mayGive = mayManage(role) && (canReveal || !reveals) && (canExport || !exports)
  return (
    <div className={styles.actions}>
      {mayGive && (
        <Button
          variant="default"
          size="xs"
          loading={resend.isPending}
          aria-label={`Resend invitation of ${email}`}
          onClick={() =>
            resend.mutate(invitation, {
              onSuccess: () => toast(`New link sent to ${email}`),
              onError: (error) => toast(`Failed to resend: ${describeError(error, true).title}`, 'danger'),
            })
          }
        >
          Resend
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={`Revoke invitation of ${email}`}
        onClick={() => setOpen(true)}
      >
        Revoke
      </Button>
      <Suspense>
        {isOpen && <RevokeInvitation invitation={invitation} close={() => setOpen(false)} />}
      </Suspense>
    </div>
  )
}
