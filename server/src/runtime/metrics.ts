/** Prometheus metrics of this process. docs/operating.md explains each metric, docs/runbook.md what to do. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { finalStates } from '../model/delivery/delivery.ts'
import { attemptReasonNames } from '../model/delivery/outcome.ts'
import type { PoolUse } from '../model/pool-use.ts'

export interface Metrics {
  accepted: Counter
  rejected: Counter<'code'>
  freshEvents: Counter<'source'>
  filtersTooExpensive: Counter
  attempts: Counter<'reason'>
  attemptSeconds: Histogram
  deliveries: Counter<'state'>
  suspects: Counter<'result'>
  inFlight: Gauge
  /** `path` is `fresh` if the attempt started when the event was routed, `due` if the delivery waited in the queue. */
  acceptedToAttemptSeconds: Histogram<'path'>
  databaseRetries: Counter
  dnsLookups: Counter<'result'>
  spans: Counter<'result'>
  /** Adds gauges that are read on each scrape. */
  addGauges: (names: Record<string, string>, read: () => Promise<Record<string, number>>) => void
  /** Adds the gauges of a pool of database connections. */
  addPool: (name: string, read: () => PoolUse) => void
  setBuild: (build: { version: string; role: string }) => void
  text: () => Promise<string>
}

/** Contains 5 seconds, the limit of the service level objective. */
const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60]

/** Gauges of prom-client whose names end like those of counters. They repeat other gauges. */
const misnamedDefaults = ['handles', 'requests', 'resources'].map((noun) => `nodejs_active_${noun}_total`)

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamedDefaults) registry.removeSingleMetric(name)
  const gaugeReaders: Array<() => Promise<void>> = []

  function counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers })
  }

  /** Exports every known value from the start: the rate of a series that begins above 0 misses its first events. */
  function counterBy<Label extends string>(
    name: string,
    help: string,
    label: Label,
    values: readonly string[] = [],
  ): Counter<Label> {
    const created = new Counter({ name, help, labelNames: [label], registers })
    for (const value of values) created.labels(value).inc(0)
    return created
  }

  const acceptedToAttemptSeconds = new Histogram({
    name: 'hookline_accepted_to_first_attempt_seconds',
    help: 'Time from acceptance to the start of the first attempt, without replays',
    labelNames: ['path'],
    buckets: latencyBuckets,
    registers,
  })
  for (const path of ['fresh', 'due']) acceptedToAttemptSeconds.zero({ path })

  const pools = {
    size: new Gauge({
      name: 'hookline_database_pool_size',
      help: 'Maximum number of database connections, by pool',
      labelNames: ['pool'],
      registers,
    }),
    connections: new Gauge({
      name: 'hookline_database_connections',
      help: 'Database connections, by pool and state',
      labelNames: ['pool', 'state'],
      registers,
    }),
    waiting: new Gauge({
      name: 'hookline_database_waiting_statements',
      help: 'Statements that wait for a connection, by pool',
      labelNames: ['pool'],
      registers,
    }),
  }

  return {
    accepted: counter('hookline_events_accepted_total', 'Events accepted'),
    rejected: counterBy('hookline_events_rejected_total', 'Events rejected, by error code', 'code'),
    freshEvents: counterBy(
      'hookline_fresh_events_total',
      'Fresh events that workers took, by source',
      'source',
      ['handoff', 'inbox'],
    ),
    filtersTooExpensive: counter(
      'hookline_filters_too_expensive_total',
      'Filters that exceeded their budget on an event and did not match',
    ),
    attempts: counterBy('hookline_attempts_total', 'Attempts, by reason', 'reason', attemptReasonNames),
    attemptSeconds: new Histogram({
      name: 'hookline_attempt_duration_seconds',
      help: 'Duration of attempts',
      buckets: latencyBuckets,
      registers,
    }),
    deliveries: counterBy(
      'hookline_deliveries_total',
      'Deliveries that reached a final state, by state',
      'state',
      finalStates,
    ),
    suspects: counterBy(
      'hookline_suspect_attempts_total',
      'Attempts of suspect deliveries in isolated processes, by result',
      'result',
      ['cleared', 'unknown', 'crashed_together', 'quarantined'],
    ),
    inFlight: new Gauge({ name: 'hookline_attempts_in_flight', help: 'Attempts in flight', registers }),
    acceptedToAttemptSeconds,
    databaseRetries: counter(
      'hookline_database_retries_total',
      'Claims and settlements retried because of the database',
    ),
    dnsLookups: counterBy('hookline_dns_lookups_total', 'DNS lookups of receivers, by result', 'result', [
      'found',
      'not_found',
      'server_failure',
      'timeout',
      'refused',
    ]),
    spans: counterBy(
      'hookline_trace_spans_total',
      'Spans that were recorded, exported or failed to be',
      'result',
      ['recorded', 'exported', 'failed'],
    ),
    addGauges(names, read) {
      const gauges = new Map(
        Object.entries(names).map(([name, help]) => [name, new Gauge({ name, help, registers })]),
      )
      gaugeReaders.push(async () => {
        // Without the database there is no value: an old one would hide the outage. The other metrics stay readable.
        const values: Record<string, number> = await read().catch(() => ({}))
        for (const [name, gauge] of gauges) {
          const value = values[name]
          if (value === undefined) gauge.remove()
          else gauge.set(value)
        }
      })
    },
    addPool(pool, read) {
      gaugeReaders.push(async () => {
        const { size, active, idle, waiting } = read()
        pools.size.set({ pool }, size)
        pools.connections.set({ pool, state: 'active' }, active)
        pools.connections.set({ pool, state: 'idle' }, idle)
        pools.waiting.set({ pool }, waiting)
      })
    },
    setBuild(build) {
      const help = 'Version and role of the process; always 1'
      new Gauge({ name: 'hookline_build_info', help, labelNames: ['version', 'role'], registers }).set(
        build,
        1,
      )
    },
    async text() {
      await Promise.all(gaugeReaders.map((read) => read()))
      return registry.metrics()
    },
  }
}
