/** Gauges of every process: build, clock, queue, partitions and NATS. */
import { readQueueLag } from '../delivery/queue/lag.ts'
import { maxCount, readQueueSizes } from '../delivery/queue/sizes.ts'
import { readDaysAhead } from '../ledger/partitions.ts'
import { readVersion } from '../runtime/version.ts'
import type { Infrastructure } from './infrastructure.ts'

export async function addGauges(infrastructure: Infrastructure, role: string): Promise<void> {
  infrastructure.metrics.setBuild({ version: await readVersion(), role })
  addClockGauge(infrastructure)
  addLagGauges(infrastructure)
  addSizeGauges(infrastructure)
  addPartitionGauge(infrastructure)
  addNatsGauge(infrastructure)
}

function addClockGauge({ clock, metrics }: Infrastructure): void {
  metrics.addGauges(
    { hookline_clock_offset_seconds: 'Clock offset of this process, positive when ahead of the database' },
    async () => ({ hookline_clock_offset_seconds: clock.offsetMs() / 1_000 }),
  )
}

function addLagGauges({ db, metrics }: Infrastructure): void {
  metrics.addGauges(
    {
      hookline_inbox_oldest_seconds: 'Age of the oldest event that is not routed',
      hookline_due_oldest_seconds: 'Lag of the oldest due delivery',
      hookline_parked_events: 'Parked events, which could not be routed',
      hookline_leased_deliveries: 'Deliveries leased by workers',
      hookline_stops: 'Active operator stops, without suspended accounts',
      hookline_all_sends_stopped: '1 while an operator stop covers all deliveries',
      hookline_unloadable_hooks: 'Webhooks that cannot be loaded; their deliveries stay pending',
      hookline_suspect_deliveries: 'Deliveries of crashed workers, to be attempted in isolated processes',
      hookline_quarantined_deliveries: 'Quarantined deliveries, which crash the process that attempts them',
    },
    async () => {
      const lag = await readQueueLag(db)
      return {
        hookline_inbox_oldest_seconds: lag.oldestEventSeconds,
        hookline_due_oldest_seconds: lag.oldestDueSeconds,
        hookline_parked_events: lag.parkedEvents,
        hookline_leased_deliveries: lag.liveLeases,
        hookline_stops: lag.stops,
        hookline_all_sends_stopped: lag.isAllStopped ? 1 : 0,
        hookline_unloadable_hooks: lag.unloadableHooks,
        hookline_suspect_deliveries: lag.suspectDeliveries,
        hookline_quarantined_deliveries: lag.quarantinedDeliveries,
      }
    },
  )
}

function addSizeGauges({ db, metrics }: Infrastructure): void {
  metrics.addGauges(
    {
      hookline_overdue_events: `Events that have waited for routing for longer than 5 s, counted up to ${maxCount}`,
      hookline_pending_deliveries: `Deliveries that are not finished, counted up to ${maxCount}`,
      hookline_open_breakers: 'Webhooks with pending deliveries and an open circuit breaker',
    },
    async () => {
      const sizes = await readQueueSizes(db)
      return {
        hookline_overdue_events: sizes.overdueEvents,
        hookline_pending_deliveries: sizes.pendingDeliveries,
        hookline_open_breakers: sizes.openBreakers,
      }
    },
  )
}

function addPartitionGauge({ db, metrics }: Infrastructure): void {
  metrics.addGauges(
    {
      hookline_partitions_ahead:
        'Daily partitions of events after that of today; -1 if that of today is missing',
    },
    async () => ({ hookline_partitions_ahead: await readDaysAhead(db) }),
  )
}

function addNatsGauge({ nats, metrics }: Infrastructure): void {
  if (nats === undefined) return
  metrics.addGauges(
    { hookline_nats_connected: '1 while NATS is connected; absent without NATS_URL' },
    async () => ({
      hookline_nats_connected: nats.connection.live() === undefined ? 0 : 1,
    }),
  )
}
