/** The worker role: routes events and delivers them. */
import { createDeliveryHooks } from './hooks/delivery-hooks.ts'
import { saveReport } from './hooks/hook-problems.ts'
import { setHookEnabled } from './hooks/set-enabled.ts'
import { systemClock } from './ops/clock.ts'
import type { ReadinessCheck } from './ops/readiness.ts'
import { createRunners } from './pipeline/isolation/runners.ts'
import { createInboxSource } from './pipeline/sources/inbox-source.ts'
import { createStreamSource } from './pipeline/sources/stream-source.ts'
import { lookAfter } from './pipeline/look-after.ts'
import { runReplays } from './pipeline/run-replays.ts'
import { createHoldLimit } from './pipeline/work/held.ts'
import { type FailingHook, recordDisabled } from './pipeline/work/hook-failures.ts'
import { createWorkStore } from './pipeline/work/work-store.ts'
import { startWorker, type WorkerParts } from './pipeline/worker.ts'
import { createFreshPuller } from './stream/pull-fresh.ts'
import { createDispatch, type Dispatch, type DispatchSettings, readDispatchSettings } from './dispatch.ts'
import type { Foundations } from './foundations.ts'
import { claimCheck, resolverCheck } from './readiness-checks.ts'
import { startPruning } from './start-pruning.ts'

interface DeliveryRole {
  readiness: readonly ReadinessCheck[]
  stop: () => Promise<void>
}

export function startDelivery(foundations: Foundations, role: 'all' | 'worker'): DeliveryRole {
  const { config, db, clock, vault, log, metrics, warn } = foundations
  const dispatchSettings = readDispatchSettings(config)
  const dispatch = watchedDispatch(foundations, dispatchSettings)
  const disableHook = async ({ accountId, hookId }: FailingHook, reason: string): Promise<void> => {
    await setHookEnabled(db, 'service', accountId, hookId, { enabled: false, reason })
  }
  const stopLookingAfter = lookAfter({
    db,
    clock,
    log,
    retentionDays: config.retentionDays,
    disableHook: (hook) => disableHook(hook, 'failing'),
    onError: warn,
  })
  const stopPruning = startPruning({ db, clock, config, onError: warn })
  const stopReplays = runReplays(db, config.retentionDays, warn)
  const hooks = createDeliveryHooks(db, vault, {
    recordsUse: true,
    onReport(report) {
      for (const { accountId, hookId, problem } of report.unloadable)
        log.error(
          { account: accountId, hook: hookId, problem },
          'webhook cannot be loaded, deliveries on hold',
        )
      for (const { accountId, hookId } of report.loadable)
        log.info({ account: accountId, hook: hookId }, 'webhook can be loaded again')
      saveReport(db, report).catch(warn)
    },
  })
  foundations.stream?.hints.listen(hooks.forget)
  const worker = startWorker({
    store: createWorkStore(db),
    hooks,
    ...createSources(foundations),
    send: dispatch.send,
    runners: createRunners({ entry: new URL('./isolated.ts', import.meta.url), setup: dispatchSettings }),
    clock,
    isResolverDown: dispatch.resolver.isDown,
    log,
    metrics,
    isHoldFull: createHoldLimit(db, clock.monotonic),
    disableGone: async (hook) => {
      await disableHook(hook, 'gone')
      await recordDisabled(db, hook, 'gone')
    },
    limits: {
      total: config.concurrency,
      ofHook: config.concurrencyPerHook,
      ofAccount: config.concurrencyPerAccount,
    },
  })
  return {
    // A process that also serves the API stays in service: it takes events while receivers cannot be found.
    readiness: [claimCheck(worker), ...(role === 'worker' ? [resolverCheck(dispatch.resolver)] : [])],
    async stop() {
      await stopReplays()
      await worker.stop()
      await stopLookingAfter()
      await stopPruning()
      await dispatch.close()
    },
  }
}

/** Says how the resolver is doing; isolated processes do not. */
function watchedDispatch(
  { clock, log, metrics }: Pick<Foundations, 'clock' | 'log' | 'metrics'>,
  settings: DispatchSettings,
): Dispatch {
  const dispatch = createDispatch(settings, clock.now, {
    onLookup: (result) => metrics.dnsLookups.inc({ result }),
    onChange: (isDown) =>
      isDown
        ? log.error('dns resolver does not answer, deliveries wait')
        : log.info('dns resolver answers again'),
  })
  metrics.addGauges({ hookline_resolver_down: '1 while our DNS resolver does not answer' }, async () => ({
    hookline_resolver_down: dispatch.resolver.isDown() ? 1 : 0,
  }))
  return dispatch
}

/** The stream brings what is fresh, the inbox what the stream does not bring. */
function createSources({ db, stream, warn }: Foundations): Pick<WorkerParts, 'sources' | 'inbox'> {
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
