/** Recent attempts; each opens to what was sent and what came back. */
import { Skeleton } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { hookAttemptsQuery } from '../../api/hooks.ts'
import { AttemptDetail } from '../../parts/attempt-detail.tsx'
import { AttemptLine } from '../../parts/attempt-line.tsx'
import { Disclosure } from '../../parts/disclosure.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { PagesNav } from '../../parts/pages-nav.tsx'
import { Panel } from '../../parts/panel.tsx'
import { without } from '../../words/without.ts'
import styles from './webhook.module.css'

const route = getRouteApi('/area/webhooks/$id')

export function HookAttempts({ hookId }: { hookId: number }) {
  const search = route.useSearch()
  const page = search.attempts
  const [read, setRead] = useState({ page, open: 0 })
  if (read.page !== page) setRead({ page, open: 0 })
  const attempts = useQuery({
    ...hookAttemptsQuery(hookId, page),
    // What somebody reads is not pushed off the page by what comes.
    ...(read.open > 0 && { refetchInterval: false, refetchOnWindowFocus: false }),
  })
  const rows = attempts.data?.attempts
  const params = { id: String(hookId) }
  const next = attempts.data?.next ?? null
  return (
    <Panel title="Recent attempts" about="Open one to see the request and the answer side by side.">
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
        <EmptyState icon={<IconSend size={28} stroke={1.5} />} title="No attempt yet">
          The first event that this webhook wants shows up here, or a test that you send.
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className={styles.attempts}>
          {rows.map((attempt) => (
            <Disclosure
              key={`${attempt.event_id}-${attempt.round}-${attempt.attempt}`}
              summary={<AttemptLine attempt={attempt} name={`Attempt ${attempt.attempt}`} />}
              onToggle={(isOpen) => setRead({ page, open: read.open + (isOpen ? 1 : -1) })}
            >
              <p className={styles.ofEvent}>
                Of the event{' '}
                <TextLink to="/events/$id" params={{ id: attempt.event_id }}>
                  {attempt.event_id}
                </TextLink>
              </p>
              <AttemptDetail attempt={attempt} />
            </Disclosure>
          ))}
        </div>
      )}
      {(next !== null || search.attempts !== undefined) && (
        <PagesNav
          label="Pages of attempts"
          newest={
            search.attempts !== undefined && (
              <ButtonLink
                to="/webhooks/$id"
                params={params}
                search={without(search, 'attempts')}
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
