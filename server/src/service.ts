/** The service in its role: lays the foundations, starts what the role needs, and stops it in reverse. */
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { migrationNames } from './db/migrate.ts'
import { migrationsFolder } from './db/migrations-folder.ts'
import { type Foundations, layFoundations } from './foundations.ts'
import { createInternalApp, type InternalParts } from './http/internal-app.ts'
import { closeWithin, graceMs } from './http/listener.ts'
import type { Log } from './ops/log.ts'
import { createReadiness } from './ops/readiness.ts'
import { makePartitions } from './pipeline/ledger/partitions.ts'
import { readBacklog } from './pipeline/work/backlog.ts'
import { clockCheck, databaseChecks } from './readiness-checks.ts'
import { startApi } from './start-api.ts'
import { startCanaryOf } from './start-canary.ts'
import { startDelivery } from './start-delivery.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

export interface Service {
  /** Of the public listener; a worker has none. */
  url: string | undefined
  internalUrl: string
  stop: () => Promise<void>
}

export async function startService(config: Config, log: Log, role: Role): Promise<Service> {
  const foundations = await layFoundations(config, log)
  // Without the partitions of today nothing could be accepted.
  await makePartitions(foundations.db, foundations.clock.now())
  addBacklogGauges(foundations)
  addClockGauge(foundations)
  const ownPorts = new Set<number>()
  const api = role === 'worker' ? undefined : await startApi(foundations, ownPorts)
  const delivery = role === 'api' ? undefined : startDelivery(foundations, role)
  const stopCanary =
    delivery !== undefined && config.canarySeconds > 0 ? await startCanaryOf(foundations) : undefined
  const readiness = createReadiness(
    [
      ...databaseChecks(foundations.db, await migrationNames(migrationsFolder)),
      clockCheck(foundations.clock),
      ...(api?.readiness ?? []),
      ...(delivery?.readiness ?? []),
    ],
    log,
    foundations.metrics,
  )
  const internal = await startInternal({
    ...foundations,
    db: api?.intakeDb ?? foundations.db,
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
      await delivery?.stop()
      await foundations.stream?.nats.close()
      await foundations.clock.stop()
      await api?.intakeDb.destroy()
      await foundations.db.destroy()
    },
  }
}

async function startInternal(
  parts: Foundations & InternalParts & { role: Role },
): Promise<{ app: FastifyInstance; url: string }> {
  const { config, log, role } = parts
  const create = (): FastifyInstance => createInternalApp(parts)
  const where = { host: config.internalHost, port: config.internalPort }
  const app = create()
  try {
    return { app, url: await app.listen(where) }
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken || role !== 'worker') throw error
    // Several workers on one machine with the same settings: nobody has to know their ports beforehand.
    log.warn(
      { port: config.internalPort },
      'INTERNAL_PORT is taken; this worker listens on a free port instead',
    )
    const other = create()
    return { app: other, url: await other.listen({ ...where, port: 0 }) }
  }
}

function addClockGauge({ clock, metrics }: Foundations): void {
  metrics.addGauges(
    { hookline_clock_offset_seconds: "How far this machine's clock is ahead of the database's" },
    async () => ({ hookline_clock_offset_seconds: clock.offsetMs() / 1_000 }),
  )
}

function addBacklogGauges({ db, metrics }: Foundations): void {
  metrics.addGauges(
    {
      hookline_inbox_oldest_seconds: 'Age of the oldest event that is not routed',
      hookline_due_oldest_seconds: 'How long the oldest due delivery has waited',
      hookline_parked_events: 'Events set aside because they could not be routed',
      hookline_leased_deliveries: 'Deliveries that workers have leased',
      hookline_stops: 'Stops of operators in force, suspended accounts not counted',
      hookline_all_sends_stopped: '1 while an operator has stopped all sends',
      hookline_unloadable_hooks: 'Webhooks that cannot be loaded; their deliveries wait',
      hookline_suspect_deliveries: 'Deliveries of workers that died, to be attempted in isolated processes',
      hookline_quarantined_deliveries:
        'Deliveries set aside because they crash the process that attempts them',
    },
    async () => {
      const backlog = await readBacklog(db)
      return {
        hookline_inbox_oldest_seconds: backlog.oldestEventSeconds,
        hookline_due_oldest_seconds: backlog.oldestDueSeconds,
        hookline_parked_events: backlog.parkedEvents,
        hookline_leased_deliveries: backlog.liveLeases,
        hookline_stops: backlog.stops,
        hookline_all_sends_stopped: backlog.isAllStopped ? 1 : 0,
        hookline_unloadable_hooks: backlog.unloadableHooks,
        hookline_suspect_deliveries: backlog.suspectDeliveries,
        hookline_quarantined_deliveries: backlog.quarantinedDeliveries,
      }
    },
  )
}
