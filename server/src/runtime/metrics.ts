/** Prometheus metrics of this process. docs/operating.md explains each metric and what to do. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

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
  acceptedToAttemptSeconds: Histogram
  databaseRetries: Counter
  dnsLookups: Counter<'result'>
  /** Adds gauges that are read on each scrape. */
  addGauges: (names: Record<string, string>, read: () => Promise<Record<string, number>>) => void
  text: () => Promise<string>
}

const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60]

export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const [registry] = registers
  if (registry === undefined) throw new Error('unreachable')
  collectDefaultMetrics({ register: registry, prefix: 'hookline_process_' })
  const gaugeReaders: Array<() => Promise<void>> = []
  return {
    accepted: new Counter({ name: 'hookline_events_accepted_total', help: 'Events accepted', registers }),
    rejected: new Counter({
      name: 'hookline_events_rejected_total',
      help: 'Events rejected, by error code',
      labelNames: ['code'],
      registers,
    }),
    freshEvents: new Counter({
      name: 'hookline_fresh_events_total',
      help: 'Fresh events pulled for routing, by source',
      labelNames: ['source'],
      registers,
    }),
    filtersTooExpensive: new Counter({
      name: 'hookline_filters_too_expensive_total',
      help: 'Filters that exceeded their budget on an event and did not match',
      registers,
    }),
    attempts: new Counter({
      name: 'hookline_attempts_total',
      help: 'Attempts, by reason',
      labelNames: ['reason'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'hookline_attempt_seconds',
      help: 'Duration of attempts',
      buckets: latencyBuckets,
      registers,
    }),
    deliveries: new Counter({
      name: 'hookline_deliveries_total',
      help: 'Deliveries that reached a final state, by state',
      labelNames: ['state'],
      registers,
    }),
    suspects: new Counter({
      name: 'hookline_suspect_attempts_total',
      help: 'Attempts of suspect deliveries in isolated processes, by result',
      labelNames: ['result'],
      registers,
    }),
    inFlight: new Gauge({ name: 'hookline_attempts_in_flight', help: 'Attempts in flight', registers }),
    acceptedToAttemptSeconds: new Histogram({
      name: 'hookline_accepted_to_first_attempt_seconds',
      help: 'Time from acceptance to the start of the first attempt',
      buckets: latencyBuckets,
      registers,
    }),
    databaseRetries: new Counter({
      name: 'hookline_database_retries_total',
      help: 'Claims and settlements retried because of the database',
      registers,
    }),
    dnsLookups: new Counter({
      name: 'hookline_dns_lookups_total',
      help: 'DNS lookups of receivers, by result',
      labelNames: ['result'],
      registers,
    }),
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
    async text() {
      await Promise.all(gaugeReaders.map((read) => read()))
      return registry.metrics()
    },
  }
}
