/** The Grafana dashboards in `deploy/grafana/`. `npm run generate` writes them. */
import type { Dashboard, Panel } from './dashboard.ts'

const window = '$__rate_interval'

function rate(metric: string, by: string): string {
  return `sum by (${by}) (rate(${metric}[${window}]))`
}

function sumRate(metric: string): string {
  return `sum(rate(${metric}[${window}]))`
}

/** Quantiles of a histogram, by legend. */
function quantiles(histogram: string, labels = ''): Record<string, string> {
  return Object.fromEntries(
    [0.5, 0.95, 0.99].map((quantile) => [
      `p${quantile * 100}`,
      `histogram_quantile(${quantile}, sum by (le) (rate(${histogram}_bucket${labels}[${window}])))`,
    ]),
  )
}

const firstAttempt = 'hookline_accepted_to_first_attempt_seconds'
const isFresh = '{path="fresh"}'

const timeToFirstAttempt: Panel = {
  title: 'Time to the first attempt',
  description: 'Of deliveries that do not wait for their receiver. The objective is 5 s for 99.9%.',
  unit: 's',
  series: quantiles(firstAttempt, isFresh),
  threshold: 5,
}

export const dashboards: readonly Dashboard[] = [
  {
    uid: 'hookline-service',
    title: 'Hookline / Service',
    rows: {
      'Service level': [
        {
          title: 'Late first attempts',
          description:
            'Part of the events of the last hour without an attempt within 5 s. The objective is 0.1%.',
          unit: 'percentunit',
          series: {
            late: 'hookline:first_attempts_late:increase1h / (hookline:first_attempts:increase1h > 0)',
          },
          threshold: 0.001,
        },
        timeToFirstAttempt,
        {
          title: 'Events',
          unit: 'ops',
          series: {
            accepted: sumRate('hookline_events_accepted_total'),
            'rejected, code {{code}}': rate('hookline_events_rejected_total', 'code'),
          },
        },
      ],
      Processes: [
        { title: 'Ready', unit: 'short', series: { '{{instance}}': 'hookline_ready' } },
        {
          title: 'Processes by role and version',
          unit: 'short',
          series: { '{{role}} {{version}}': 'count by (role, version) (hookline_build_info)' },
        },
        {
          title: 'Age of the last canary',
          unit: 's',
          series: {
            age: 'min(hookline_canary_age_seconds)',
            duration: 'min(hookline_canary_duration_seconds)',
          },
        },
        {
          title: 'Clock offset',
          unit: 's',
          series: { '{{instance}}': 'abs(hookline_clock_offset_seconds)' },
          threshold: 5,
        },
      ],
      'Node.js': [
        {
          title: 'CPU',
          description: '1 is one core.',
          unit: 'short',
          series: {
            '{{instance}}': 'rate(process_cpu_seconds_total{job=~".*hookline.*"}[$__rate_interval])',
          },
        },
        {
          title: 'Memory',
          unit: 'bytes',
          series: { '{{instance}}': 'process_resident_memory_bytes{job=~".*hookline.*"}' },
        },
        {
          title: 'Event loop lag (p99)',
          unit: 's',
          series: { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
        },
        {
          title: 'Open files',
          description: 'As part of the limit.',
          unit: 'percentunit',
          series: {
            '{{instance}}':
              'process_open_fds{job=~".*hookline.*"} / on (job, instance) process_max_fds{job=~".*hookline.*"}',
          },
        },
      ],
    },
  },
  {
    uid: 'hookline-queue',
    title: 'Hookline / Queue',
    rows: {
      Lag: [
        {
          title: 'Oldest event that is not routed',
          unit: 's',
          series: { age: 'max(hookline_inbox_oldest_seconds)' },
          threshold: 10,
        },
        {
          title: 'Lag of due deliveries',
          unit: 's',
          series: { lag: 'max(hookline_due_oldest_seconds)' },
          threshold: 60,
        },
        timeToFirstAttempt,
      ],
      Size: [
        {
          title: 'Pending deliveries',
          description: 'Counted up to 100,000.',
          unit: 'short',
          series: {
            pending: 'max(hookline_pending_deliveries)',
            leased: 'max(hookline_leased_deliveries)',
            'events late for routing': 'max(hookline_overdue_events)',
          },
        },
        {
          title: 'Routed events by source',
          unit: 'ops',
          series: { '{{source}}': rate('hookline_fresh_events_total', 'source') },
        },
        {
          title: 'Attempts in flight',
          unit: 'short',
          series: { '{{instance}}': 'hookline_attempts_in_flight' },
        },
        { title: 'NATS connected', unit: 'short', series: { '{{instance}}': 'hookline_nats_connected' } },
      ],
      Problems: [
        {
          title: 'Dead letters and holds',
          unit: 'short',
          series: {
            'parked events': 'max(hookline_parked_events)',
            'quarantined deliveries': 'max(hookline_quarantined_deliveries)',
            'suspect deliveries': 'max(hookline_suspect_deliveries)',
            'unloadable webhooks': 'max(hookline_unloadable_hooks)',
          },
        },
        {
          title: 'Stops',
          unit: 'short',
          series: { stops: 'max(hookline_stops)', 'all sends stopped': 'max(hookline_all_sends_stopped)' },
        },
        {
          title: 'Isolated attempts by result',
          unit: 'ops',
          series: { '{{result}}': rate('hookline_suspect_attempts_total', 'result') },
        },
        {
          title: 'Filters over budget',
          unit: 'ops',
          series: { filters: sumRate('hookline_filters_too_expensive_total') },
        },
      ],
    },
  },
  {
    uid: 'hookline-receivers',
    title: 'Hookline / Receivers',
    rows: {
      Attempts: [
        {
          title: 'Attempts by reason',
          unit: 'ops',
          series: { '{{reason}}': `${rate('hookline_attempts_total', 'reason')} > 0` },
        },
        {
          title: 'Failed attempts',
          unit: 'percentunit',
          series: {
            failed: `1 - ${sumRate('hookline_attempts_total{reason="delivered"}')} / ${sumRate('hookline_attempts_total')}`,
          },
        },
        {
          title: 'Duration of attempts',
          unit: 's',
          series: quantiles('hookline_attempt_duration_seconds'),
        },
      ],
      Results: [
        {
          title: 'Finished deliveries by state',
          unit: 'ops',
          series: { '{{state}}': rate('hookline_deliveries_total', 'state') },
        },
        {
          title: 'Webhooks that back off',
          description: 'Webhooks with pending deliveries and an open circuit breaker.',
          unit: 'short',
          series: { webhooks: 'max(hookline_open_breakers)' },
        },
        {
          title: 'First attempts that waited for their receiver',
          unit: 'ops',
          series: {
            waited: sumRate(`${firstAttempt}_count{path="due"}`),
            immediate: sumRate(`${firstAttempt}_count${isFresh}`),
          },
        },
      ],
      DNS: [
        {
          title: 'Lookups by result',
          unit: 'ops',
          series: { '{{result}}': rate('hookline_dns_lookups_total', 'result') },
        },
        { title: 'Resolver down', unit: 'short', series: { '{{instance}}': 'hookline_resolver_down' } },
      ],
    },
  },
  {
    uid: 'hookline-postgresql',
    title: 'Hookline / PostgreSQL',
    rows: {
      'Seen by Hookline': [
        {
          title: 'Connections in use',
          description: 'As part of the pool.',
          unit: 'percentunit',
          series: {
            '{{instance}} {{pool}}':
              'hookline_database_connections{state="active"} / ignoring (state) hookline_database_pool_size',
          },
        },
        {
          title: 'Statements that wait for a connection',
          unit: 'short',
          series: { '{{instance}} {{pool}}': 'hookline_database_waiting_statements' },
        },
        {
          title: 'Retries of workers',
          unit: 'ops',
          series: { retries: sumRate('hookline_database_retries_total') },
        },
        {
          title: 'Partitions ahead',
          unit: 'short',
          series: { days: 'min(hookline_partitions_ahead)' },
        },
      ],
      postgres_exporter: [
        {
          title: 'Transactions',
          unit: 'ops',
          series: {
            'commits {{datname}}': `${rate('pg_stat_database_xact_commit', 'datname')} > 0`,
            'rollbacks {{datname}}': rate('pg_stat_database_xact_rollback', 'datname'),
          },
        },
        {
          title: 'Connections',
          unit: 'short',
          series: {
            '{{state}}': 'sum by (state) (pg_stat_activity_count) > 0',
            max: 'max(pg_settings_max_connections)',
          },
        },
        {
          title: 'Longest transaction',
          unit: 's',
          series: { '{{datname}}': 'max by (datname) (pg_stat_activity_max_tx_duration)' },
        },
        {
          title: 'Size',
          unit: 'bytes',
          series: { '{{datname}}': 'max by (datname) (pg_database_size_bytes)' },
        },
      ],
      node_exporter: [
        {
          title: 'Free disk space',
          unit: 'percentunit',
          series: {
            '{{mountpoint}}':
              'node_filesystem_avail_bytes{fstype!~"tmpfs|ramfs|overlay|squashfs"} / node_filesystem_size_bytes',
          },
          threshold: 0.05,
        },
        { title: 'Load', unit: 'short', series: { '{{instance}}': 'node_load1' } },
        {
          title: 'Disk writes',
          unit: 'ops',
          series: { '{{device}}': `${rate('node_disk_writes_completed_total', 'device')} > 0` },
        },
      ],
    },
  },
]
