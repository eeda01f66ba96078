/** The worker role: routes events and delivers them. */
import { createDeliveryHooks } from './hooks/delivery-hooks.ts'
import { setHookEnabled } from './hooks/set-enabled.ts'
import { isLocalDevelopmentIp, isPublicIp } from './model/ip.ts'
import { systemClock } from './ops/clock.ts'
import { createConnections } from './pipeline/dispatch/connections.ts'
import { createResolve } from './pipeline/dispatch/resolve.ts'
import { createSend } from './pipeline/dispatch/send.ts'
import { createInboxSource } from './pipeline/sources/inbox-source.ts'
import { lookAfter } from './pipeline/look-after.ts'
import { createHoldLimit } from './pipeline/work/held.ts'
import { type FailingHook, recordDisabled } from './pipeline/work/hook-failures.ts'
import { createWorkStore } from './pipeline/work/work-store.ts'
import { startWorker, type Worker } from './pipeline/worker.ts'
import type { Foundations } from './foundations.ts'

export function startDelivery({ config, db, vault, log, metrics, warn }: Foundations): Pick<Worker, 'stop'> {
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
  const worker = startWorker({
    store: createWorkStore(db),
    hooks: createDeliveryHooks(db, vault),
    source: createInboxSource(db),
    send: createSend(connections),
    clock: systemClock,
    log,
    metrics,
    isHoldFull: createHoldLimit(db, Date.now),
    disableGone: async (hook) => {
      await disableHook(hook, 'gone')
      await recordDisabled(db, hook, 'gone')
    },
    concurrency: config.concurrency,
    concurrencyPerHook: config.concurrencyPerHook,
  })
  return {
    async stop() {
      await worker.stop()
      await stopLookingAfter()
      await connections.close()
    },
  }
}
