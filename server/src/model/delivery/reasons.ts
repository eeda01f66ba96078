/**
 * Describes attempts and deliveries for users, with hints for fixing failures. "Your server" is the receiver. Pure; the
 * closed list of attempt reasons is in outcome.ts.
 */
import { formatTime } from '../clock-time.ts'
import { type AttemptReason, attemptReasonNames, attemptReasons } from './outcome.ts'

interface Attempted {
  reason: AttemptReason
  status: number | null
  totalMs: number
}

const unknownFailure = 'The attempt failed.'

/** During an upgrade, workers of another version may write other reasons. */
function isKnown(reason: string): boolean {
  return Object.hasOwn(attemptReasons, reason)
}

/** Describes one attempt: "Responded 500 in 212 ms." */
export function describeAttempt({ reason, status, totalMs }: Attempted): string {
  const time = formatDuration(totalMs)
  const sentences: Record<AttemptReason, string> = {
    delivered: `Responded ${status} in ${time}.`,
    status: `Responded ${status} in ${time}.`,
    redirect: `Responded ${status}, a redirect. Redirects are not followed.`,
    gone: 'Responded 410 Gone.',
    timeout: `Timed out after ${time}.`,
    connect_timeout: `Connection timed out after ${time}.`,
    connection_refused: 'Connection refused.',
    connection_reset: `Connection closed after ${time}, before the response was complete.`,
    unreachable: 'Host unreachable.',
    tls: 'TLS handshake failed or certificate invalid.',
    name_not_found: 'Host name does not resolve.',
    invalid_response: `Invalid HTTP response after ${time}.`,
    protocol_error: `Protocol error after ${time}.`,
    forbidden_address: 'The address is not public. Nothing was sent.',
    own_address: 'The endpoint URL points to Hookline itself. Nothing was sent.',
    address_too_long: 'With the event data, the GET URL exceeds 8 KiB. Nothing was sent.',
    body_too_large: 'With the event data, the form exceeds 1 MiB. Nothing was sent.',
    resolver_down: 'The DNS resolver of Hookline did not respond. This uses up no attempt.',
    no_resources: 'Hookline had no free socket or memory. This uses up no attempt.',
    internal: 'Internal error in Hookline. This uses up no attempt.',
  }
  return isKnown(reason) ? sentences[reason] : unknownFailure
}

/** Describes attempts that failed for the same reason: "Responded 500." */
export function describeFailure(reason: AttemptReason, status: number | null): string {
  if (reason === 'status') return `Responded ${status}.`
  return isKnown(reason) ? attemptReasons[reason].text : unknownFailure
}

/** Returns what the operator of the receiver can do; null if there is nothing to do. */
export function hint(reason: AttemptReason, status: number | null): string | null {
  if (reason === 'status' && status !== null) return statusHint(status)
  return isKnown(reason) ? hints[reason] : null
}

const hints: Record<AttemptReason, string | null> = {
  delivered: null,
  status: 'Return 2xx once you have stored the event.',
  redirect: 'Register the URL that the redirect points to.',
  gone: 'The webhook is disabled now. Enable it when your server accepts events again.',
  timeout: 'Return 2xx immediately, then process the event.',
  connect_timeout: 'Check that your server is running and that its firewall allows Hookline.',
  connection_refused: 'Check that your server is running and listens on this port.',
  connection_reset: 'Check the logs of your server and its proxy.',
  unreachable: 'Check the endpoint URL: there is no network route to its host.',
  tls: 'Check that the certificate is valid for this host name, not expired, and sent with its full chain.',
  name_not_found: 'Check the host name of the endpoint URL and its DNS records.',
  invalid_response: 'Check that this port serves HTTP. For TLS, the URL must start with https.',
  protocol_error: 'Check the logs of your server and its proxy at this time.',
  forbidden_address: 'Use an address that is reachable from the internet.',
  own_address: 'Register the URL of your own server, or correct its DNS records.',
  address_too_long: 'Use POST or JSON for this webhook: a GET URL cannot carry events of this size.',
  body_too_large: 'Use JSON for this webhook: a form repeats the path of every nested value.',
  resolver_down: null,
  no_resources: null,
  internal: null,
}

function statusHint(status: number): string | null {
  if (status === 401 || status === 403)
    return 'Your server denied access. Check the headers of the webhook, or verify the signature instead.'
  if (status === 404 || status === 405)
    return 'Check the path and method of the webhook: your server does not handle them.'
  if (status === 413) return 'Accept bodies of 256 KiB, the maximum size of an event.'
  if (status === 415 || status === 422 || status === 400)
    return 'Your server could not parse the event. Check that it expects the format of the webhook: form, query or JSON.'
  if (status === 429) return 'Set a rate limit for the webhook, or respond with Retry-After.'
  if (status >= 500) return 'Check the logs of your server at this time: it failed while handling the event.'
  return hints.status
}

const quarantineDescription =
  'Quarantined: this delivery crashed the process that attempted it. The operator investigates. Other deliveries are not affected.'

/** Why a delivery finished without a deciding attempt. */
const finalReasons = {
  hook_deleted: 'Canceled: the webhook was deleted.',
  too_late: 'Expired: events of this type are valid for 30 s.',
  held_full: 'Dropped: the webhook was disabled and its hold limit was reached.',
  held_too_long: 'Expired: the event was 7 days old and the webhook was still disabled.',
  discarded: 'Discarded from hold when the webhook was enabled.',
  stopped_too_long: 'Expired: stopped by the operator for more than 7 days.',
  unloadable_too_long: 'Expired: the webhook could not be loaded for more than 7 days.',
  not_matched:
    'Canceled: the filter does not match. It was evaluated late because the webhook could not be loaded.',
  replay_cancelled: 'Canceled with its replay.',
  quarantined: 'Canceled by the operator: it crashed the process that attempted it.',
  retention: 'Expired: not delivered within the retention period of the event.',
} as const satisfies Record<string, string>

type FinalReason = keyof typeof finalReasons

/** Why a delivery has its state. */
export type DeliveryReason = AttemptReason | FinalReason

export const deliveryReasonNames: readonly DeliveryReason[] = [
  ...attemptReasonNames,
  ...(Object.keys(finalReasons) as FinalReason[]),
]

function isFinalReason(reason: string | null): reason is FinalReason {
  return reason !== null && Object.hasOwn(finalReasons, reason)
}

/** Why the next attempt has its time. */
export const nextReasons = ['scheduled', 'backoff', 'retry_after', 'circuit_open', 'in_flight'] as const
export type NextReason = (typeof nextReasons)[number]

export interface NextAttempt {
  at: Date
  reason: NextReason
}

interface Delivery {
  state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
  reason: string | null
  /** Attempts so far. */
  attempts: number
  maxAttempts: number
  last: Attempted | undefined
  next: NextAttempt | undefined
  /** Why the delivery is on hold, other than its receiver. */
  hold?: string | null
}

/** Describes a delivery: "Responded 500 in 212 ms. Next attempt at 12:05:00 UTC (3 of 12). Backoff after attempt 2." */
export function describeDelivery(delivery: Delivery, now: Date): string {
  const { reason, last } = delivery
  const isDecidedByAttempt = last !== undefined && !isFinalReason(reason)
  return `${isDecidedByAttempt ? `${describeAttempt(last)} ` : ''}${describeOutcome(delivery, now)}`.trimEnd()
}

/** Describes a delivery without its last attempt. */
export function describeOutcome(delivery: Delivery, now: Date): string {
  const { state, reason, attempts, maxAttempts } = delivery
  switch (state) {
    case 'delivered':
      return attempts > 1 ? `Delivered on attempt ${attempts}.` : 'Delivered.'
    case 'failed':
      return attempts >= maxAttempts && attempts > 1 ? `Failed after ${attempts} attempts.` : 'Not retried.'
    case 'expired':
    case 'cancelled':
      return isFinalReason(reason) ? finalReasons[reason] : 'Expired: the next attempt would be too late.'
    case 'held':
      return 'The webhook is disabled. On hold for up to 7 days, until you enable it.'
    case 'waiting':
      return describeNextAttempt(delivery, now)
  }
}

function describeNextAttempt({ reason, next, hold, attempts, maxAttempts }: Delivery, now: Date): string {
  if (reason === 'quarantined') return quarantineDescription
  if (next === undefined) return hold ?? ''
  const number = `${attempts + 1} of ${maxAttempts}`
  if (next.reason === 'in_flight') return `Attempt ${number} is in progress.`
  const why = describeNext(next.reason, attempts)
  if (next.at.getTime() <= now.getTime()) return `Attempt ${number} is due now. ${why}`
  return `Next attempt at ${formatTime(next.at, now)} (${number}). ${why}`
}

/** Describes why the next attempt has its time. */
export function describeNext(reason: NextReason, attempts: number): string {
  const sentences: Record<NextReason, string> = {
    scheduled: 'Queued.',
    backoff: `Backoff after attempt ${attempts}.`,
    retry_after: 'Requested by your server (Retry-After).',
    circuit_open: 'Backing off after repeated failures.',
    in_flight: 'In progress.',
  }
  return sentences[reason]
}

function formatDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`
}
