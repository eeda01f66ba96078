/** History of notices: what happened, and who was told. */
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Notice, noticesQuery, useMarkSeen } from '../../api/notices.ts'
import { describeMessage, groupText, recipientOf } from '../../messages/notices.ts'
import { type Column, DataTable } from '../../ui/data/data-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { ButtonLink } from '../../ui/layout/links.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { PagesNav } from '../../ui/layout/pages-nav.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../ui/time/relative-time.tsx'
import { NoticeTitle } from './notice-title.tsx'
import styles from './notices.module.css'

const route = getRouteApi('/app/notices')

const columns: ReadonlyArray<Column<Notice>> = [
  {
    title: 'Notice',
    kind: 'main',
    cell: (notice) => (
      <>
        <NoticeTitle notice={notice} />
        <p className={styles.muted}>{notice.message}</p>
      </>
    ),
  },
  { title: 'Group', cell: ({ group }) => groupText[group].label },
  { title: 'When', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  { title: 'Sent to', cell: (notice) => <Recipients notice={notice} /> },
]

export function NoticesPage() {
  const { before } = route.useSearch()
  const notices = useQuery(noticesQuery(before))
  const newest = before === undefined ? notices.data?.notices[0]?.id : undefined
  const { mutate: markSeen } = useMarkSeen()
  useEffect(() => {
    if (newest !== undefined) markSeen(newest)
  }, [newest, markSeen])
  const next = notices.data?.next ?? null
  return (
    <>
      <PageHeader
        title="Notices"
        description="What Hookline noticed about your account, and who was told"
        actions={
          <ButtonLink to="/account/notices" variant="default">
            Notice settings
          </ButtonLink>
        }
      />
      <Panel isFlush>
        <DataTable
          label="Notices"
          columns={columns}
          rows={notices.data?.notices}
          keyOf={({ id }) => id}
          error={notices.error}
          retry={() => void notices.refetch()}
          isWide
          empty={
            <EmptyState icon={<IconBell size={28} stroke={1.5} />} title="No notices">
              Hookline tells you here when a webhook fails, a certificate or key expires, or the security of
              the account changes.
            </EmptyState>
          }
        />
      </Panel>
      {(before !== undefined || next !== null) && (
        <PagesNav
          label="Pages of notices"
          newest={
            before !== undefined && (
              <ButtonLink to="/notices" variant="default">
                Newest
              </ButtonLink>
            )
          }
          older={
            next !== null && (
              <ButtonLink to="/notices" search={{ before: next }} variant="default">
                Older
              </ButtonLink>
            )
          }
        />
      )}
    </>
  )
}

function Recipients({ notice: { messages, state } }: { notice: Notice }) {
  if (state === 'waiting') return <span className={styles.muted}>Waiting for similar notices</span>
  if (state === 'dropped') return <span className={styles.muted}>No longer true, not sent</span>
  if (messages.length === 0) return <span className={styles.muted}>Nobody</span>
  return (
    <ul className={styles.recipients}>
      {messages.map((message) => (
        <li
          key={`${message.channel_kind ?? 'login'} ${recipientOf(message)}`}
          title={message.address ?? undefined}
        >
          <bdi>{recipientOf(message)}</bdi> <StateBadge {...describeMessage(message)} />
        </li>
      ))}
    </ul>
  )
}
