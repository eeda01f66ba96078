/** Lists recent attempts. Each expands to its request and response. */
import { Skeleton } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { webhookAttemptsQuery } from '../../../api/webhooks.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { ButtonLink } from '../../../ui/layout/links.tsx'
import { PagesNav } from '../../../ui/layout/pages-nav.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { groupRuns } from '../../../lib/group-runs.ts'
import { omit } from '../../../lib/omit.ts'
import { AttemptGroup, keyOf } from './attempt-group.tsx'
import styles from './webhook.module.css'

const route = getRouteApi('/app/webhooks/$id')

export function WebhookAttempts({ hookId }: { hookId: number }) {
  const search = route.useSearch()
  const page = search.attempts
  const [view, setView] = useState({ page, open: 0 })
  if (view.page !== page) setView({ page, open: 0 })
  const attempts = useQuery({
    ...webhookAttemptsQuery(hookId, page),
    // Pauses refetching while an attempt is open, so new attempts do not push it off the page.
    ...(view.open > 0 && { refetchInterval: false, refetchOnWindowFocus: false }),
  })
  const rows = attempts.data?.attempts
  const params = { id: String(hookId) }
  const next = attempts.data?.next ?? null
  return (
    <Panel
      title="Recent attempts"
      description="Newest first, by the newest 25 events per page. Expand an attempt to compare request and response."
    >
      {rows === undefined && attempts.isPending && (
        <>
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} height={20} my={11} />
          ))}
        </>
      )}
      {rows === undefined && attempts.isError && (
        <ErrorState error={attempts.error} retry={() => void attempts.refetch()} />
      )}
      {rows?.length === 0 && (
        <EmptyState icon={<IconSend size={28} stroke={1.5} />} title="No attempts yet">
          Attempts appear here with the first matching event or test event.
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className={styles.attempts}>
          {groupRuns(rows, ({ reason, status }) => `${reason} ${status}`).map((group) => (
            // New attempts join a group at its start, so its oldest attempt identifies it.
            <AttemptGroup
              key={group.slice(-1).map(keyOf).join('')}
              attempts={group}
              onToggle={(isOpen) => setView(({ open }) => ({ page, open: open + (isOpen ? 1 : -1) }))}
            />
          ))}
        </div>
      )}
      {(next !== null || search.attempts !== undefined) && (
        <PagesNav
          label="Attempt pages"
          newest={
            search.attempts !== undefined && (
              <ButtonLink
                to="/webhooks/$id"
                params={params}
                search={omit(search, 'attempts')}
                resetScroll={false}
                variant="default"
                size="xs"
              >
                Newest
              </ButtonLink>
            )
          }
          older={
            next !== null && (
              <ButtonLink
                to="/webhooks/$id"
                params={params}
                search={{ ...search, attempts: next }}
                resetScroll={false}
                variant="default"
                size="xs"
              >
                Older
              </ButtonLink>
            )
          }
        />
      )}
    </Panel>
  )
}
