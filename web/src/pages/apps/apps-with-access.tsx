import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Authorization, authorizationsQuery, useRevokeAuthorization } from '../../api/apps.ts'
import { ConfirmDanger } from '../../parts/confirm-danger.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Panel } from '../../parts/panel.tsx'
import { say } from '../../parts/say.ts'
import { ScopeList } from '../../parts/scope-list.tsx'
import { Time } from '../../parts/time.tsx'
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
        <p className={styles.quiet}>
          by <bdi>{app.publisher}</bdi> · {app.hosts.join(', ')}
        </p>
      </>
    ),
  },
  { title: 'May', cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
  {
    title: 'Let in',
    cell: ({ granted_at: at, granted_by: by }) => (
      <>
        <Time at={at} />
        <p className={styles.quiet}>
          by <bdi>{by}</bdi>
        </p>
      </>
    ),
  },
  { title: 'Ends', cell: ({ expires_at: at }) => <Time at={at} /> },
  {
    title: 'Last used',
    cell: ({ last_used_at: at }) =>
      at === null ? <span className={styles.quiet}>Never</span> : <Time at={at} />,
  },
  { title: 'Actions', kind: 'actions', cell: (authorization) => <Revoke of={authorization} /> },
]

export function AppsWithAccess() {
  const authorizations = useQuery(authorizationsQuery)
  return (
    <Panel isFlush>
      <DataTable
        label="Apps with access"
        columns={columns}
        rows={authorizations.data}
        keyOf={({ app }) => app.id}
        error={authorizations.error}
        retry={() => void authorizations.refetch()}
        empty={
          <EmptyState icon={<IconShieldCheck size={28} stroke={1.5} />} title="No app has access">
            When you let an app in, it stands here with what it may do, when it was last used, and a way to
            take the access back.
          </EmptyState>
        }
      />
    </Panel>
  )
}

function Revoke({ of: authorization }: { of: Authorization }) {
  const [isAsked, setAsked] = useState(false)
  const revoke = useRevokeAuthorization()
  const { name } = authorization.app
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => setAsked(true)}
        aria-label={`Revoke the access of ${name}`}
      >
        Revoke
      </Button>
      {isAsked && (
        <ConfirmDanger
          title={`Take the access of “${name}” back?`}
          action="Revoke the access"
          act={async () => {
            await revoke.mutateAsync(authorization)
            say(`“${name}” has no access any more.`)
          }}
          close={() => setAsked(false)}
        >
          Its tokens for your account stop working at once. Webhooks that it registered stay. It can ask you
          again, and you decide again.
        </ConfirmDanger>
      )}
    </>
  )
}
