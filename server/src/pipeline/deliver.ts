/**
 * Deliver: one attempt of one event at one hook.
 *   the hook as it is now → too late? → request → send → decide → settle
 * Address, headers, method and secret are those at the time of the attempt; what matched was fixed by routing.
 */
import { type KeyObject, randomUUID } from 'node:crypto'
import type { DeliveryHook, DeliveryHooks } from '../hooks/delivery-hooks.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Clock } from '../ops/clock.ts'
import { formatRequest } from './dispatch/format.ts'
import type { OutgoingRequest, Send } from './dispatch/send.ts'
import { signatureHeaders } from './dispatch/sign.ts'
import { deadlineMs, decide, expiryMs } from './retry/decide.ts'
import type { LeasedDelivery } from './route.ts'
import type { Settlement } from './work/settle.ts'

interface DeliverParts {
  hooks: DeliveryHooks
  send: Send
  clock: Clock
  lease: string
  leaseLeftMs: () => number
}

/** What to settle; undefined: it cannot be attempted within this lease, so it is left to whoever comes next. */
export async function deliver(
  parts: DeliverParts,
  delivery: LeasedDelivery,
): Promise<Settlement | undefined> {
  const { event, hookId, round, attempts } = delivery
  const account = parts.hooks.get(event.accountId)
  const hook = account?.hooks.get(hookId)
  const base = {
    accountId: event.accountId,
    hookId,
    eventId: event.id,
    round,
    lease: parts.lease,
    attempts,
    host: hook?.host ?? '',
  }

  // Not in memory any more is not deleted: whoever claims it next reads it anew.
  if (account === undefined) return undefined
  if (hook === undefined) return { ...base, next: { state: 'cancelled', reason: 'hook_deleted' } }
  if (!hook.enabled) return { ...base, next: { state: 'held' } }
  const startedAt = parts.clock.now()
  const ageMs = startedAt - event.acceptedAt.getTime()
  if (ageMs >= (expiryMs(event.type) ?? Number.POSITIVE_INFINITY))
    return { ...base, next: { state: 'expired', reason: 'too_late' } }
  if (parts.leaseLeftMs() <= deadlineMs(event.type)) return undefined

  const request = outgoing(hook, account.signatureKey, delivery, startedAt)
  const outcome: Outcome =
    request === undefined
      ? { reason: 'address_too_long', timings: { totalMs: 0 } }
      : await parts.send(request)
  const decision = decide({
    type: event.type,
    attempts: attempts + 1,
    ageMs: parts.clock.now() - event.acceptedAt.getTime(),
    outcome,
    random: parts.clock.random(),
  })
  const attempt = { number: attempts + 1, startedAt: new Date(startedAt), outcome }
  if (decision.state !== 'waiting')
    return {
      ...base,
      attempts: attempts + 1,
      next: { state: decision.state, reason: outcome.reason },
      attempt,
    }
  // Our own faults are not the customer's attempts: they leave a log line, not a row.
  return {
    ...base,
    ...(decision.countsAsAttempt && { attempts: attempts + 1, attempt }),
    next: { state: 'waiting', delayMs: decision.delayMs, isAsked: decision.isAsked },
  }
}

function outgoing(
  hook: DeliveryHook,
  accountKey: KeyObject,
  { event, attempts }: LeasedDelivery,
  at: number,
): OutgoingRequest | undefined {
  const formatted = formatRequest(hook.requestMethod, hook.callUrl, event)
  if (formatted === undefined) return undefined
  const { method, url, body, contentType } = formatted
  const signatures = signatureHeaders(
    { hookSecrets: hook.secrets, accountKey },
    {
      eventId: event.id,
      method,
      registeredUrl: hook.targetUrl,
      content: method === 'GET' ? new URL(url).search.slice(1) : body,
      body,
      atSeconds: Math.floor(at / 1_000),
      nonce: randomUUID().replaceAll('-', ''),
    },
  )
  const own = {
    'user-agent': 'Hookline',
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...signatures,
    'x-hookline-hook': String(hook.id),
    'x-hookline-attempt': String(attempts + 1),
  }
  const custom = hook.headers.flatMap(({ name, value }) => [name, value])
  return {
    method,
    url,
    headers: [...Object.entries(own).flat(), ...custom],
    body,
    deadlineMs: deadlineMs(event.type),
  }
}
