/**
 * Every reason as a sentence for people, with what they can do about it. "Your server" is the receiver: whoever reads this
 * runs it. Pure; the closed list of reasons of attempts is in outcome.ts.
 */
import { clockTime } from './clock-time.ts'
import { type Reason, reasons } from './outcome.ts'

interface Attempted {
  reason: Reason
  status: number | null
  totalMs: number
}

/** What happened in one attempt: "Your server answered 500 after 212 ms." */
export function attemptSentence({ reason, status, totalMs }: Attempted): string {
  const after = `after ${duration(totalMs)}`
  const sentences: Record<Reason, string> = {
    delivered: `Your server answered ${status} ${after}.`,
    status: `Your server answered ${status} ${after}.`,
    redirect: `Your server answered ${status}, a redirect, which is not followed.`,
    gone: 'Your server answered 410: it wants no more events.',
    timeout: `Your server had not answered completely ${after}.`,
    connect_timeout: `No connection to your server could be made ${after}.`,
    connection_refused: 'Your server refused the connection.',
    connection_reset: `Your server closed the connection ${after}, before it had answered.`,
    unreachable: 'There is no way to your server.',
    tls: "Your server's certificate or its TLS handshake is not valid.",
    name_not_found: "Your server's name does not resolve to an address.",
    invalid_answer: `Your server answered ${after} with something that is not HTTP.`,
    protocol_error: `The exchange with your server failed ${after} with a protocol error.`,
    forbidden_address: "Your server's address is not public, so nothing was sent.",
    own_address: 'The address of the webhook leads to this service itself, so nothing was sent.',
    address_too_long: 'With its data the address of the GET would pass 8 KiB, so nothing was sent.',
    body_too_large: 'With its data the form would pass 1 MiB, so nothing was sent.',
    resolver_down: 'Our resolver did not answer. This is our fault and uses up no attempt.',
    no_resources: 'Our worker had no free socket or memory. This is our fault and uses up no attempt.',
    internal: 'Something broke on our side. This is our fault and uses up no attempt.',
  }
  return sentences[reason]
}

/** What several attempts that failed alike have in common: "The receiver answered 500." */
export function failureSentence(reason: Reason, status: number | null): string {
  return reason === 'status' ? `The receiver answered ${status}.` : reasons[reason].text
}

/** What the owner of the receiver can do; null: nothing is to be done. */
export function advice(reason: Reason, status: number | null): string | null {
  if (reason === 'status' && status !== null) return statusAdvice(status)
  return advices[reason]
}

const advices: Record<Reason, string | null> = {
  delivered: null,
  status: 'Answer with a 2xx status once you have the event.',
  redirect: 'Register the address that the redirect leads to.',
  gone: 'The webhook is disabled now. Enable it again when your server wants events.',
  timeout: 'Answer first and do the work afterwards: keep the event, answer 200, then process it.',
  connect_timeout: 'Check that your server runs and that its firewall lets us in.',
  connection_refused: 'Check that your server runs and listens on this port.',
  connection_reset: 'Look into the log of your server or its proxy: it gave up before it had answered.',
  unreachable: 'Check the address: no network leads to it.',
  tls: 'Check that the certificate is valid for this name, has not expired, and comes with its whole chain.',
  name_not_found: 'Check the name in the address and its DNS entry.',
  invalid_answer: 'Check that this port speaks HTTP; for TLS the address must begin with https.',
  protocol_error: 'Look into the log of your server or its proxy at this time.',
  forbidden_address: 'Use an address that is reachable from the internet.',
  own_address: 'Register the address of your own server, or correct its DNS entry.',
  address_too_long: 'Use POST or JSON for this webhook: a GET cannot carry events of this size.',
  body_too_large: 'Use JSON for this webhook: a form repeats the path of every nested value.',
  resolver_down: null,
  no_resources: null,
  internal: null,
}

function statusAdvice(status: number): string | null {
  if (status === 401 || status === 403)
    return 'Your server did not let us in. Check the headers of the webhook, or verify our signature instead.'
  if (status === 404 || status === 405)
    return `Check the path and the method of the webhook: your server has nothing for them.`
  if (status === 413) return 'Let your server accept bodies of 256 KiB, the largest that an event can have.'
  if (status === 415 || status === 422 || status === 400)
    return 'Your server could not read the event. Check that it expects the format of the webhook: form, query or JSON.'
  if (status === 429)
    return 'Limit how many deliveries a second the webhook gets, or answer with Retry-After and we wait as long.'
  if (status >= 500)
    return 'Look into the log of your server at this time: it broke while it handled the event.'
  return advices.status
}

const quarantineSentence =
  'This delivery was set aside because it crashed the process that attempted it. Hookline looks into it; your other deliveries are not affected.'

/** Why a delivery ended without an attempt that decided it. */
const ends: Readonly<Record<string, string>> = {
  hook_deleted: 'The webhook was deleted before it was delivered.',
  too_late: 'It could not be delivered in time: events of this type are worthless later.',
  held_full: 'The webhook was disabled and held as many events as it can, so this one was dropped.',
  held_too_long: 'The webhook was disabled for longer than an event is held.',
  dropped_by_owner: 'It was held while the webhook was disabled, and dropped when it was enabled again.',
  stopped_too_long: 'Sends were stopped by the operator for longer than a delivery is kept.',
  unloadable_too_long: 'The webhook could not be loaded for longer than a delivery is kept.',
  not_matched: 'The filter did not match. It was evaluated late, because the webhook could not be loaded.',
  replay_cancelled: 'It was being sent again, and that was cancelled.',
  quarantined:
    'It was set aside because it crashed the process that attempted it, and then canceled by Hookline.',
  retention: 'It was not delivered before its event became too old to be kept.',
}

interface Delivery {
  state: 'delivered' | 'failed' | 'expired' | 'cancelled' | 'waiting' | 'held'
  reason: string | null
  /** Made so far, and at most. */
  attempts: number
  mostAttempts: number
  last: Attempted | undefined
  /** When it is tried next, and why then. */
  next: { at: Date; why: string; isUnderWay: boolean } | undefined
  /** What keeps it waiting, other than its receiver. */
  hold?: string | null
}

/** Where a delivery stands: "Your server answered 500 after 212 ms. We try again at 12:05:00 UTC (attempt 3 of 12)." */
export function deliverySentence(delivery: Delivery, now: Date): string {
  const { reason, last } = delivery
  const isOfAttempt = last !== undefined && !Object.hasOwn(ends, reason ?? '')
  return `${isOfAttempt ? `${attemptSentence(last)} ` : ''}${standingSentence(delivery, now)}`.trimEnd()
}

/** The same without how the last attempt went. */
export function standingSentence(delivery: Delivery, now: Date): string {
  const { state, reason, attempts, mostAttempts } = delivery
  switch (state) {
    case 'delivered':
      return attempts > 1 ? `Delivered at attempt ${attempts}.` : 'Delivered.'
    case 'failed':
      return attempts >= mostAttempts && attempts > 1
        ? `That was the last of ${attempts} attempts.`
        : 'It is not tried again.'
    case 'expired':
    case 'cancelled':
      return ends[reason ?? ''] ?? 'It can no longer be delivered in time.'
    case 'held':
      return 'The webhook is disabled: this is held until it is enabled again, for up to 7 days.'
    case 'waiting':
      return nextSentence(delivery, now)
  }
}

function nextSentence({ reason, next, hold, attempts, mostAttempts }: Delivery, now: Date): string {
  if (reason === 'quarantined') return quarantineSentence
  if (next === undefined) return hold ?? ''
  const which = `attempt ${attempts + 1} of ${mostAttempts}`
  if (next.isUnderWay) return `It is being tried now (${which}).`
  const when =
    next.at.getTime() <= now.getTime() ? 'as soon as it is its turn' : `at ${clockTime(next.at, now)}`
  return `We try ${attempts === 0 ? '' : 'again '}${when} (${which}). ${next.why}`.trimEnd()
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
