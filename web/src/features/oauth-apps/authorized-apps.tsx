import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Authorization, authorizationsQuery, useRevokeAuthorization } from '../../api/oauth-apps.ts'
import { ConfirmDanger } from '../../ui/feedback/confirm-danger.tsx'
import { type Column, DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { useSession } from '../auth/session-context.ts'
import { useAccess } from '../auth/use-access.ts'
import { ScopeList } from '../auth/scope-list.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import styles from './apps.module.css'

const columns: readonly Column<Authorization>[] = [
  {
    title: 'App',
    kind: 'main',
    cell: ({ app }) => (
      <>
        <p className={styles.name}>
          <bdi>{app.name}</bdi>
        </p>
        <p className={styles.muted}>
          by <bdi>{app.publisher}</bdi> · {app.hosts.join(', ')}
        </p>
      </>
    ),
  },
  { title: 'Scopes', cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
  {
    title: 'Authorized',
    cell: ({ granted_at: at, granted_by: by }) => (
      <>
        <RelativeTime at={at} />
        <p className={styles.muted}>
          by <bdi>{by}</bdi>
        </p>
      </>
    ),
  },
  { title: 'Expires', cell: ({ expires_at: at }) => <RelativeTime at={at} /> },
  {
    title: 'Last used',
    cell: ({ last_used_at: at }) =>
      at === null ? <span className={styles.muted}>Never</span> : <RelativeTime at={at} />,
  },
  { title: 'Actions', kind: 'actions', cell: (authorization) => <Revoke authorization={authorization} /> },
]

export function AuthorizedApps() {
  const authorizations = useQuery(authorizationsQuery)
  return (
    <Panel isFlush>
      <DataTable
        label="Authorized apps"
        columns={columns}
        rows={authorizations.data}
        keyOf={({ app }) => app.id}
        error={authorizations.error}
        retry={() => void authorizations.refetch()}
        empty={
          <EmptyState icon={<IconShieldCheck size={28} stroke={1.5} />} title="No authorized apps">
            Apps that you authorize appear here. You can revoke their access at any time.
          </EmptyState>
        }
      />
    </Panel>
  )
}

function Revoke({ authorization }: { authorization: Authorization }) {
  const [isOpen, setOpen] = useState(false)
  const revoke = useRevokeAuthorization()
  const { login } = useSession()
  const { hasRole } = useAccess()
  const { name } = authorization.app
  // Developers revoke only their own authorizations.
  if (authorization.granted_by !== login.alias && !hasRole('admin')) return null
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => setOpen(true)}
        aria-label={`Revoke access for ${name}`}
      >
        Revoke
      </Button>
      {isOpen && (
        <ConfirmDanger
          title={`Revoke access for ${name}?`}
          action="Revoke access"
          act={async () => {
            await revoke.mutateAsync(authorization)
            toast(`Access revoked for ${name}`)
          }}
          close={() => setOpen(false)}
        >
          The app’s tokens for your account stop working immediately. Webhooks created by the app stay. The
          app can request access again.
        </ConfirmDanger>
      )}
    </>
  )
}
