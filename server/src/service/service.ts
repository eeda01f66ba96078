/** Starts the service in one role and stops its parts in reverse order. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { migrationNames } from '../db/migrate.ts'
import { migrationsFolder } from '../db/migrations-folder.ts'
import { type Infrastructure, createInfrastructure } from './infrastructure.ts'
import { createInternalServer, type InternalDeps } from '../http/internal-server.ts'
import { closeWithin, graceMs } from '../http/server/listener.ts'
import { hasErrorCode } from '../runtime/has-error-code.ts'
import type { Log } from '../runtime/log.ts'
import { createReadiness } from '../runtime/readiness.ts'
import { createPartitions } from '../ledger/partitions.ts'
import { readQueueLag } from '../delivery/queue/lag.ts'
import { clockCheck, databaseChecks } from './readiness-checks.ts'
import { startApiRole } from './api-role.ts'
import { setUpCanary } from './canary-account.ts'
import { startWorkerRole } from './worker-role.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

export interface Service {
  /** URL of the public listener. Undefined for the worker role. */
  url: string | undefined
  internalUrl: string
  stop: () => Promise<void>
}

export async function startService(config: Config, log: Log, role: Role): Promise<Service> {
  const infrastructure = await createInfrastructure(config, log)
  // Events can be accepted only with partitions for today.
  await createPartitions(infrastructure.db, infrastructure.clock.now())
  addBacklogGauges(infrastructure)
  addClockGauge(infrastructure)
  const ownPorts = new Set<number>()
  const api = role === 'worker' ? undefined : await startApiRole(infrastructure, ownPorts)
  const worker = role === 'api' ? undefined : startWorkerRole(infrastructure, role)
  const stopCanary =
    worker !== undefined && config.canarySeconds > 0 ? await setUpCanary(infrastructure) : undefined
  const readiness = createReadiness(
    [
      ...databaseChecks(infrastructure.db, await migrationNames(migrationsFolder)),
      clockCheck(infrastructure.clock),
      ...(api?.readiness ?? []),
      ...(worker?.readiness ?? []),
    ],
    log,
    infrastructure.metrics,
  )
  const internal = await startInternal({
    ...infrastructure,
    db: api?.intakeDb ?? infrastructure.db,
    role,
    readiness,
    accept: api?.accept,
  })
  ownPorts.add(Number(new URL(internal.url).port))
  return {
    url: api?.url,
    internalUrl: internal.url,
    async stop() {
      await api?.stop()
      await closeWithin(internal.app, graceMs)
      await stopCanary?.()
      await worker?.stop()
      await infrastructure.stream?.nats.close()
      await infrastructure.eventTypes.stop()
      await infrastructure.clock.stop()
      await api?.intakeDb.destroy()
      await infrastructure.db.destroy()
    },
  }
}

async function startInternal(
  deps: Infrastructure & InternalDeps & { role: Role },
): Promise<{ app: FastifyInstance; url: string }> {
  const { config, log, role } = deps
  const create = (): FastifyInstance => createInternalServer(deps)
  const address = { host: config.internalHost, port: config.internalPort }
  const app = create()
  try {
    return { app, url: await app.listen(address) }
  } catch (error) {
    if (!hasErrorCode(error, 'EADDRINUSE') || role !== 'worker') throw error
    // Several workers can share one machine and its settings, so a worker falls back to a free port.
    log.warn({ port: config.internalPort }, 'internal port in use, listening on a free port')
    const other = create()
    return { app: other, url: await other.listen({ ...address, port: 0 }) }
  }
}

function addClockGauge({ clock, metrics }: Infrastructure): void {
  metrics.addGauges(
    { hookline_clock_offset_seconds: 'Clock offset of this process, positive when ahead of the database' },
    async () => ({ hookline_clock_offset_seconds: clock.offsetMs() / 1_000 }),
  )
}

function addBacklogGauges({ db, metrics }: Infrastructure): void {
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
