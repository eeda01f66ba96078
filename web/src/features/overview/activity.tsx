/** Charts of the account: volume and failures, response times, response codes. */
import { useQuery } from '@tanstack/react-query'
import type { OverviewRange } from '../../api/types.ts'
import { overviewQuery } from '../../api/overview.ts'
import { formatMinute } from '../../lib/format-clock.ts'
import { rangeText } from '../../messages/time-ranges.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import type { PlotSpec } from '../../ui/time-series/series.ts'
import { TimeSeries } from '../../ui/time-series/time-series.tsx'
import styles from './overview.module.css'

interface Chart {
  title: string
  description: string
  emptyText: string
  plots: readonly PlotSpec[]
}

const volume: Chart = {
  title: 'Events and deliveries',
  description: 'Accepted events and finished deliveries.',
  emptyText: 'No events in this period',
  plots: [
    {
      title: 'Volume',
      shape: 'areas',
      height: 200,
      series: [
        { name: 'events', title: 'Events accepted', color: 'var(--text-muted)' },
        { name: 'delivered', title: 'Deliveries', color: 'var(--accent)' },
      ],
    },
    {
      title: 'Failures (separate scale)',
      shape: 'bars',
      height: 96,
      series: [{ name: 'failed', title: 'Failed deliveries', color: 'var(--danger)' }],
    },
  ],
}

const responses: readonly Chart[] = [
  {
    title: 'Response times',
    description: 'How fast your servers responded. 50%, 95% and 99% of responses were faster.',
    emptyText: 'No responses in this period',
    plots: [
      {
        title: 'Percentiles',
        shape: 'lines',
        height: 160,
        unit: 'ms',
        series: [
          { name: 'p50_ms', title: 'p50', color: 'var(--accent)' },
          { name: 'p95_ms', title: 'p95', color: 'var(--warning)' },
          { name: 'p99_ms', title: 'p99', color: 'var(--danger)' },
        ],
      },
    ],
  },
  {
    title: 'Response codes',
    description: 'Attempts by the response of your servers.',
    emptyText: 'No attempts in this period',
    plots: [
      {
        title: 'Attempts',
        shape: 'stack',
        height: 160,
        series: [
          { name: 'status_2xx', title: '2xx', color: 'var(--success)' },
          { name: 'status_3xx', title: '3xx', color: 'var(--accent)' },
          { name: 'status_4xx', title: '4xx', color: 'var(--warning)' },
          { name: 'status_5xx', title: '5xx', color: 'var(--danger)' },
          { name: 'timeouts', title: 'Timeouts', color: 'var(--text)' },
          { name: 'connection_errors', title: 'No valid response', color: 'var(--text-muted)' },
        ],
      },
    ],
  },
]

export function Activity({ range }: { range: OverviewRange }) {
  const overview = useQuery(overviewQuery(range))
  const { label, step } = rangeText[overview.data?.range ?? range]
  const completeFrom = overview.data?.complete_from ?? null
  const chart = ({ title, description, emptyText, plots }: Chart) => (
    <Panel key={title} title={title} description={description}>
      <TimeSeries
        range={
          completeFrom === null ? label : `${label}, complete from ${formatMinute(new Date(completeFrom))} on`
        }
        {...{ step, plots, emptyText }}
        rows={overview.data?.buckets}
      />
    </Panel>
  )
  return (
    <div className={styles.charts} data-stale={overview.isPlaceholderData}>
      {chart(volume)}
      <div className={styles.pair}>{responses.map(chart)}</div>
    </div>
  )
}
