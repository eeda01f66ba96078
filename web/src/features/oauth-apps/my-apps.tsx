import { IconApps } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type App, appsQuery } from '../../api/oauth-apps.ts'
import { type Column, DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { Mono } from '../../ui/data/mono.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { plural } from '../../lib/format-number.ts'
import styles from './apps.module.css'

const columns: readonly Column<App>[] = [
  {
    title: 'Name',
    kind: 'main',
    cell: ({ id, name }) => (
      <>
        <TextLink to="/apps/$id" params={{ id }} className={styles.name}>
          <bdi>{name}</bdi>
        </TextLink>
        <Mono text={id} label="client ID" />
      </>
    ),
  },
  {
    title: 'Type',
    cell: ({ is_public: isPublic }) => (isPublic ? 'Public' : 'Confidential'),
  },
  { title: 'Authorized by', cell: ({ accounts }) => plural(accounts, 'account') },
  {
    title: 'Last used',
    cell: ({ last_used_at: at }) =>
      at === null ? <span className={styles.muted}>Never</span> : <RelativeTime at={at} />,
  },
  { title: 'Created', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
]

export function MyApps({ create }: { create: ReactNode }) {
  const apps = useQuery(appsQuery)
  return (
    <Panel isFlush>
      <DataTable
        label="My apps"
        columns={columns}
        rows={apps.data}
        keyOf={({ id }) => id}
        error={apps.error}
        retry={() => void apps.refetch()}
        empty={
          <EmptyState
            icon={<IconApps size={28} stroke={1.5} />}
            title="No apps yet"
            action={create}
            steps={[
              {
                id: 'register',
                content: 'Register the app with its name and redirect URI.',
              },
              {
                id: 'send',
                content: 'Send users to /oauth/authorize with PKCE. They allow or deny access.',
              },
              {
                id: 'call',
                content:
                  'Exchange the code for a token at /oauth/token. Call the API with Authorization: Bearer.',
              },
            ]}
          >
            Apps act for other accounts. Programs of your own account need only an API key.
          </EmptyState>
        }
      />
    </Panel>
  )
}
