/** Webhooks with a problem as one list, most urgent first: since when, why, what is pending, and what to do. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Alert } from '../../api/types.ts'
import { formatSecond } from '../../lib/format-clock.ts'
import { formatNumber } from '../../lib/format-number.ts'
import { useNow } from '../../lib/use-now.ts'
import { describeFailure } from '../../messages/attempts.ts'
import { healthOrder, healthStateText } from '../../messages/states.ts'
import { describeDisabled, describeHealth } from '../../messages/webhook-health.ts'
import { webhookName } from '../../messages/webhook-name.ts'
import { type Column, DataTable } from '../../ui/data/data-table.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { Since } from '../../ui/time/since.tsx'
import { useAccess } from '../auth/use-access.ts'
import { useRetryNow } from '../deliveries/use-retry-now.ts'
import styles from './overview.module.css'

interface WebhookProblemsProps {
  /** The most urgent ones. */
  alerts: readonly Alert[]
  /** Webhooks with a problem, listed or not. */
  total: number
}

const columns: ReadonlyArray<Column<Alert> & { by?: SortKey }> = [
  {
    title: 'Webhook',
    by: 'webhook',
    kind: 'main',
    cell: ({ hook_id: id, webhook }) => (
      <TextLink to="/webhooks/$id" params={{ id: String(id) }} className={styles.webhook}>
        <bdi>{webhookName(webhook)}</bdi>
      </TextLink>
    ),
  },
  { title: 'State', by: 'state', cell: ({ kind }) => <StateBadge {...healthStateText[kind]} /> },
  { title: 'Since', by: 'since', cell: ({ since }) => (since === null ? '–' : <Since at={since} />) },
  {
    title: 'Reason',
    cell: (alert) => (
      <span className={styles.reason}>
        <Reason alert={alert} />
      </span>
    ),
  },
  {
    title: 'Pending',
    by: 'pending',
    cell: ({ counters: { waiting, held } }) => (
      <span className={styles.figure}>
        {(waiting > 0 || held === 0) && formatNumber(waiting)}
        {waiting > 0 && held > 0 && ', '}
        {held > 0 && `${formatNumber(held)} on hold`}
      </span>
    ),
  },
  { title: 'Next attempt', by: 'next', cell: ({ next_attempt_at: at }) => <NextAttempt at={at} /> },
  { title: 'Actions', kind: 'actions', cell: (alert) => <Actions alert={alert} /> },
]

export function WebhookProblems({ alerts, total }: WebhookProblemsProps) {
  const [sort, setSort] = useState<Sort>({ by: 'state', isReversed: false })
  return (
    <Panel title={`Issues (${formatNumber(total)})`} isFlush>
      <DataTable
        label="Issues"
        isWide
        columns={columns.map(({ by, ...column }) => ({
          ...column,
          sort: by && sortOf(by, sort, setSort),
        }))}
        rows={sorted(alerts, sort)}
        keyOf={({ hook_id: id }) => id}
        empty={null}
      />
      {total > alerts.length && (
        <p className={styles.rest}>
          {formatNumber(alerts.length)} of {formatNumber(total)} webhooks with issues.{' '}
          <TextLink to="/webhooks" search={{ sort: 'attention' }}>
            View all webhooks
          </TextLink>
        </p>
      )}
    </Panel>
  )
}

function Reason({ alert: { kind, failure, disabled_reason: disabledReason, counters } }: { alert: Alert }) {
  const now = new Date(useNow())
  if (failure !== null && kind !== 'degraded') return describeFailure(failure.reason, failure.status)
  if (kind === 'disabled') return describeDisabled(disabledReason)
  const health = describeHealth(kind, disabledReason, { ...counters, failing_since: null }, now)
  return failure === null ? health : `${describeFailure(failure.reason, failure.status)} ${health}`
}

function NextAttempt({ at }: { at: string | null }) {
  const now = new Date(useNow())
  if (at === null) return '–'
  return new Date(at) <= now ? 'Now' : formatSecond(new Date(at), now)
}

function Actions({ alert }: { alert: Alert }) {
  const { hook_id: id, kind, webhook, counters } = alert
  const button = { variant: 'default', size: 'xs' } as const
  const params = { id: String(id) }
  const name = webhookName(webhook)
  const { retry, isPending } = useRetryNow(name)
  const { hasRole } = useAccess()
  const isRetry = counters.waiting > 0
  if (kind === 'stopped' || kind === 'unloadable') return null
  if (!hasRole(kind === 'disabled' || isRetry ? 'developer' : 'support')) return null
  if (kind === 'disabled')
    return (
      <ButtonLink {...button} to="/webhooks/$id" params={params} aria-label={`Enable: ${name}`}>
        Enable
      </ButtonLink>
    )
  return isRetry ? (
    <Button {...button} loading={isPending} onClick={() => retry({ id })} aria-label={`Retry now: ${name}`}>
      Retry now
    </Button>
  ) : (
    <ButtonLink
      {...button}
      to="/webhooks/$id"
      params={params}
      state={{ shouldSendTest: true }}
      aria-label={`Send test: ${name}`}
    >
      Send test
    </ButtonLink>
  )
}

type SortKey = 'webhook' | 'state' | 'since' | 'pending' | 'next'

interface Sort {
  by: SortKey
  isReversed: boolean
}

const sortValues: Record<SortKey, (alert: Alert) => string | number> = {
  webhook: ({ webhook }) => webhookName(webhook),
  state: ({ kind }) => healthOrder.indexOf(kind),
  since: ({ since }) => since ?? '',
  pending: ({ counters }) => -counters.waiting - counters.held,
  next: ({ next_attempt_at: next }) => next ?? '~',
}

function sortOf(by: SortKey, sort: Sort, setSort: (sort: Sort) => void): Column<Alert>['sort'] {
  const direction = sort.isReversed ? ('descending' as const) : ('ascending' as const)
  return {
    direction: sort.by === by ? direction : undefined,
    toggle: () => setSort({ by, isReversed: sort.by === by && !sort.isReversed }),
  }
}

function sorted(alerts: readonly Alert[], { by, isReversed }: Sort): Alert[] {
  const valueOf = sortValues[by]
  const inOrder = alerts.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a === b) return 0
    return a < b ? -1 : 1
  })
  return isReversed ? inOrder.toReversed() : inOrder
}
