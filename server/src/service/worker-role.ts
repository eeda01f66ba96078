/** The worker role: routes events and delivers them. */
import { entryPoint } from '../model/package-files.ts'
import { createMailTransport } from '../runtime/mail-transport.ts'
import type { ReadinessCheck } from '../runtime/readiness.ts'
import { createRunners } from '../delivery/isolation/runners.ts'
import { startMaintenance } from './maintenance.ts'
import { runNotices } from '../notices/notice-runner.ts'
import { runReplays } from '../replays/replay-runner.ts'
import { createBacklogQuota } from '../delivery/intake/backlog-quota.ts'
import { createInbox } from '../delivery/queue/inbox.ts'
import { createHoldLimit } from '../delivery/queue/held.ts'
import type { FailingHook } from '../delivery/queue/failure-streaks.ts'
import { disableHook } from '../delivery/disable-hook.ts'
import { createDeliveryQueue } from '../delivery/queue/queue.ts'
import { createReceiverWatch } from '../delivery/receiver-watch.ts'
import { startWorker, type Worker } from '../delivery/worker.ts'
import { receiveByNats } from './hand-offs.ts'
import { createDispatch, type Dispatch, type DispatchSettings, readDispatchSettings } from './transport.ts'
import type { Infrastructure } from './infrastructure.ts'
import { claimCheck, resolverCheck } from './readiness-checks.ts'
import { startPruning } from './pruning.ts'

/** Longest pauses between reads of an empty inbox. */
const maxIdleMs = 250
const minIdleMs = 20

interface WorkerRole {
  worker: Worker
  readiness: readonly ReadinessCheck[]
  stop: () => Promise<void>
}

export function startWorkerRole(infrastructure: Infrastructure, role: 'all' | 'worker'): WorkerRole {
  const { config, db, clock, hooks, log, metrics, tracing, warn } = infrastructure
  const dispatchSettings = readDispatchSettings(config)
  const dispatch = createMonitoredDispatch(infrastructure, dispatchSettings)
  const disable = async (hook: FailingHook, reason: 'failing' | 'gone'): Promise<void> => {
    await disableHook(db, hook, reason)
    hooks.invalidate(hook.accountId)
    infrastructure.nats?.hookHints.publish(hook.accountId)
  }
  const stopMaintenance = startMaintenance({
    db,
    clock,
    log,
    retentionDays: config.retentionDays,
    disableHook: (hook) => disable(hook, 'failing'),
    onError: warn,
  })
  const stopPruning = startPruning({ db, clock, config, onError: warn })
  const stopReplays = runReplays(db, config.retentionDays, warn)
  const stopNotices = runNotices({
    ...infrastructure,
    baseUrl: config.baseUrl,
    transport: config.smtpUrl && createMailTransport({ ...config, smtpUrl: config.smtpUrl }),
    send: dispatch.send,
    isOverQuota: createBacklogQuota(db, config.backlogPerAccount, clock.monotonic),
    onError: warn,
  })
  // Without NATS, other processes cannot wake this worker.
  const hearsOfInbox = (): boolean => role === 'all' || infrastructure.nats?.connection.live() !== undefined
  const receivers = createReceiverWatch(db, clock.monotonic, warn)
  const worker = startWorker({
    store: createDeliveryQueue(db),
    hooks,
    eventTypes: infrastructure.eventTypes,
    inbox: createInbox(db),
    maxInboxIdleMs: () => (hearsOfInbox() ? maxIdleMs : minIdleMs),
    send: dispatch.send,
    runners: createRunners({ entry: entryPoint('isolated'), setup: dispatchSettings }),
    clock,
    isResolverDown: dispatch.resolver.isDown,
    log,
    metrics,
    tracing,
    receivers,
    isHoldFull: createHoldLimit(db, clock.monotonic),
    disableGone: (hook) => disable(hook, 'gone'),
    limits: {
      total: config.concurrency,
      perHook: config.concurrencyPerHook,
      perAccount: config.concurrencyPerAccount,
    },
  })
  const link = receiveByNats(infrastructure, worker)
  infrastructure.nats?.inboxHint.subscribe(worker.wake)
  return {
    worker,
    // A process with the api role stays ready without DNS, because it still accepts events.
    readiness: [claimCheck(worker), ...(role === 'worker' ? [resolverCheck(dispatch.resolver)] : [])],
    async stop() {
      await stopReplays()
      await stopNotices()
      await worker.stop()
      await receivers.stop()
      link.stop()
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
