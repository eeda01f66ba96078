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
import { clockCheck, databaseChecks } from './readiness-checks.ts'
import { setUpCanary } from './canary-account.ts'
import { addGauges } from './gauges.ts'

export const roles = ['all', 'api', 'worker'] as const
export type Role = (typeof roles)[number]

export interface Service {
  /** URL of the public listener. Undefined for the worker role. */
  url: string | undefined
  internalUrl: string
  stop: () => Promise<void>
}

export async function startService(config: Config, log: Log, role: Role): Promise<Service> {
  // Each role loads only its own modules, while the database is being connected.
  const [infrastructure, apiRole, workerRole] = await Promise.all([
    createInfrastructure(config, log, role),
    role === 'worker' ? undefined : import('./api-role.ts'),
    role === 'api' ? undefined : import('./worker-role.ts'),
  ])
  // Events can be accepted only with partitions for today.
  await createPartitions(infrastructure.db, infrastructure.clock.now())
  await addGauges(infrastructure, role)
  const ownPorts = new Set<number>()
  const api = await apiRole?.startApiRole(infrastructure, ownPorts)
  const worker = role === 'api' ? undefined : workerRole?.startWorkerRole(infrastructure, role)
  if (worker !== undefined) api?.addWorker(worker.worker)
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
      await infrastructure.tracing.stop()
      await infrastructure.nats?.connection.close()
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
