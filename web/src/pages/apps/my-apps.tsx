import { IconApps } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type App, appsQuery } from '../../api/apps.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Mono } from '../../parts/mono.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { counted } from '../../words/count.ts'
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
        <Mono text={id} what="client id" />
      </>
    ),
  },
  {
    title: 'Kind',
    cell: ({ is_public: isPublic }) => (isPublic ? 'Public, without a secret' : 'With a secret'),
  },
  { title: 'Let in by', cell: ({ customers }) => counted(customers, 'account') },
  {
    title: 'Last used',
    cell: ({ last_used_at: at }) =>
      at === null ? <span className={styles.quiet}>Never</span> : <Time at={at} />,
  },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
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
            title="No app yet"
            action={create}
            steps={[
              {
                id: 'register',
                content: 'Register the app with its name and the address to which people return.',
              },
              {
                id: 'send',
                content: 'Send people to /oauth/auth with PKCE; they see what your app wants and decide.',
              },
              {
                id: 'call',
                content: 'Exchange the code for a token, and call the API with Authorization: Bearer.',
              },
            ]}
          >
            For programs of your own account a key is enough. An app is for accounts of others.
          </EmptyState>
        }
      />
    </Panel>
  )
}
