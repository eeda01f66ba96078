/** The worker role: routes events and delivers them. */
import { createDeliveryHooks } from './hooks/delivery-hooks.ts'
import { setHookEnabled } from './hooks/set-enabled.ts'
import { isLocalDevelopmentIp, isPublicIp } from './model/ip.ts'
import { systemClock } from './ops/clock.ts'
import { createConnections } from './pipeline/dispatch/connections.ts'
import { createResolve } from './pipeline/dispatch/resolve.ts'
import { createSend } from './pipeline/dispatch/send.ts'
import { createInboxSource } from './pipeline/sources/inbox-source.ts'
import type { Source } from './pipeline/sources/source.ts'
import { createStreamSource } from './pipeline/sources/stream-source.ts'
import { lookAfter } from './pipeline/look-after.ts'
import { runReplays } from './pipeline/run-replays.ts'
import { createHoldLimit } from './pipeline/work/held.ts'
import { type FailingHook, recordDisabled } from './pipeline/work/hook-failures.ts'
import { createWorkStore } from './pipeline/work/work-store.ts'
import { startWorker, type Worker } from './pipeline/worker.ts'
import { createFreshPuller } from './stream/pull-fresh.ts'
import type { Foundations } from './foundations.ts'

export function startDelivery(foundations: Foundations): Pick<Worker, 'stop'> {
  const { config, db, vault, log, metrics, warn } = foundations
  const { allowPrivateTargets } = config
  const resolve = createResolve({
    servers: config.dnsServers,
    allowPrivate: allowPrivateTargets,
    isOpen: (ip) => isPublicIp(ip) || (allowPrivateTargets && isLocalDevelopmentIp(ip)),
  })
  const connections = createConnections(resolve)
  const disableHook = async ({ accountId, hookId }: FailingHook, reason: string): Promise<void> => {
    await setHookEnabled(db, 'service', accountId, hookId, { enabled: false, reason })
  }
  const stopLookingAfter = lookAfter({
    db,
    now: Date.now,
    retentionDays: config.retentionDays,
    disableHook: (hook) => disableHook(hook, 'failing'),
    onError: warn,
  })
  const stopReplays = runReplays(db, config.retentionDays, warn)
  const hooks = createDeliveryHooks(db, vault)
  foundations.stream?.hints.listen((accountId) => {
    if (hooks.get(accountId) !== undefined) hooks.load([accountId]).catch(warn)
  })
  const worker = startWorker({
    store: createWorkStore(db),
    hooks,
    sources: createSources(foundations),
    send: createSend(connections),
    clock: systemClock,
    log,
    metrics,
    isHoldFull: createHoldLimit(db, Date.now),
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
    async stop() {
      await stopReplays()
      await worker.stop()
      await stopLookingAfter()
      await connections.close()
    },
  }
}

/** The stream brings what is fresh, the inbox what the stream does not bring. */
function createSources({ db, stream, warn }: Foundations): Source[] {
  if (stream === undefined) return [createInboxSource(db)]
  const { nats, installation } = stream
  const fresh = createStreamSource({
    puller: createFreshPuller(nats, installation, warn),
    now: systemClock.monotonic,
  })
  return [fresh, createInboxSource(db, fresh)]
}
