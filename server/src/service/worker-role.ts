/** The worker role: routes events and delivers them. */
import { createHookCache } from '../hooks/hook-cache.ts'
import { saveReport } from '../hooks/hook-problems.ts'
import { setHookEnabled } from '../hooks/set-enabled.ts'
import { entryPoint } from '../model/package-files.ts'
import { systemClock } from '../runtime/clock.ts'
import type { ReadinessCheck } from '../runtime/readiness.ts'
import { createRunners } from '../delivery/isolation/runners.ts'
import { createInboxSource } from '../delivery/sources/inbox-source.ts'
import { createStreamSource } from '../delivery/sources/stream-source.ts'
import { startMaintenance } from './maintenance.ts'
import { runReplays } from '../replays/replay-runner.ts'
import { createHoldLimit } from '../delivery/queue/held.ts'
import { type FailingHook, recordDisabled } from '../delivery/queue/failure-streaks.ts'
import { createDeliveryQueue } from '../delivery/queue/queue.ts'
import { startWorker, type WorkerDeps } from '../delivery/worker.ts'
import { createFreshPuller } from '../nats/pull-fresh.ts'
import { createDispatch, type Dispatch, type DispatchSettings, readDispatchSettings } from './transport.ts'
import type { Infrastructure } from './infrastructure.ts'
import { claimCheck, resolverCheck } from './readiness-checks.ts'
import type { DisabledReason } from '../model/hook-state.ts'
import { startPruning } from './pruning.ts'

interface WorkerRole {
  readiness: readonly ReadinessCheck[]
  stop: () => Promise<void>
}

export function startWorkerRole(infrastructure: Infrastructure, role: 'all' | 'worker'): WorkerRole {
  const { config, db, clock, vault, log, metrics, tracing, warn } = infrastructure
  const dispatchSettings = readDispatchSettings(config)
  const dispatch = createMonitoredDispatch(infrastructure, dispatchSettings)
  const disableHook = async ({ accountId, hookId }: FailingHook, reason: DisabledReason): Promise<void> => {
    await setHookEnabled(db, 'service', accountId, hookId, { enabled: false, reason })
  }
  const stopMaintenance = startMaintenance({
    db,
    clock,
    log,
    retentionDays: config.retentionDays,
    disableHook: (hook) => disableHook(hook, 'failing'),
    onError: warn,
  })
  const stopPruning = startPruning({ db, clock, config, onError: warn })
  const stopReplays = runReplays(db, config.retentionDays, warn)
  const hooks = createHookCache(db, vault, {
    recordsUse: true,
    onReport(report) {
      for (const { accountId, hookId, problem } of report.unloadable)
        log.error(
          { account: accountId, hook: hookId, problem },
          'webhook cannot be loaded, deliveries on hold',
        )
      for (const { accountId, hookId } of report.loadable)
        log.info({ account: accountId, hook: hookId }, 'webhook loaded again')
      saveReport(db, report).catch(warn)
    },
  })
  infrastructure.stream?.hints.subscribe(hooks.invalidate)
  const worker = startWorker({
    store: createDeliveryQueue(db),
    hooks,
    eventTypes: infrastructure.eventTypes,
    ...createSources(infrastructure),
    send: dispatch.send,
    runners: createRunners({ entry: entryPoint('isolated'), setup: dispatchSettings }),
    clock,
    isResolverDown: dispatch.resolver.isDown,
    log,
    metrics,
    tracing,
    isHoldFull: createHoldLimit(db, clock.monotonic),
    disableGone: async (hook) => {
      await disableHook(hook, 'gone')
      await recordDisabled(db, hook, 'gone')
    },
    limits: {
      total: config.concurrency,
      perHook: config.concurrencyPerHook,
      perAccount: config.concurrencyPerAccount,
    },
  })
  return {
    // A process with the api role stays ready without DNS, because it still accepts events.
    readiness: [claimCheck(worker), ...(role === 'worker' ? [resolverCheck(dispatch.resolver)] : [])],
    async stop() {
      await stopReplays()
      await worker.stop()
      await stopMaintenance()
      await stopPruning()
      await dispatch.close()
    },
  }
}

/** Creates the transport with metrics and logs for its resolver. Isolated processes have neither. */
function createMonitoredDispatch(
  { clock, log, metrics }: Pick<Infrastructure, 'clock' | 'log' | 'metrics'>,
  settings: DispatchSettings,
): Dispatch {
  const dispatch = createDispatch(settings, clock.now, {
    onLookup: (result) => metrics.dnsLookups.inc({ result }),
    onChange: (isDown) =>
      isDown ? log.error('dns resolver down, deliveries pending') : log.info('dns resolver recovered'),
  })
  metrics.addGauges({ hookline_resolver_down: '1 while the DNS resolver does not respond' }, async () => ({
    hookline_resolver_down: dispatch.resolver.isDown() ? 1 : 0,
  }))
  return dispatch
}

/** Returns the sources of fresh events: the stream, and the inbox for events that the stream misses. */
function createSources({ db, stream, warn }: Infrastructure): Pick<WorkerDeps, 'sources' | 'inbox'> {
  if (stream === undefined) {
    const inbox = createInboxSource(db)
    return { sources: [inbox], inbox }
  }
  const { nats, installation } = stream
  const fresh = createStreamSource({
    puller: createFreshPuller(nats, installation, warn),
    now: systemClock.monotonic,
  })
  const inbox = createInboxSource(db, fresh)
  return { sources: [fresh, inbox], inbox }
}
