/** Describes attempts, and hints for the operator of the receiver ("your server"). */
import type { Attempt, AttemptReason } from '../api/types.ts'
import { formatDuration } from '../lib/format-duration.ts'
import { noBreak } from '../lib/no-break.ts'
import { textFor } from '../lib/text-for.ts'

/** Describes one attempt: "Responded 500 in 212 ms." */
export function describeAttempt({ reason, status, phases }: Pick<Attempt, 'reason' | 'status' | 'phases'>) {
  const time = formatDuration(phases.total_ms)
  const sentences: Record<AttemptReason, string> = {
    ...failureTexts,
    delivered: `Responded ${status} in ${time}.`,
    status: `Responded ${status} in ${time}.`,
    redirect: `Responded ${status}, a redirect. Redirects are not followed.`,
    timeout: `Timed out after ${time}.`,
    connect_timeout: `Connection timed out after ${time}.`,
    connection_reset: `Connection closed after ${time}, before the response was complete.`,
    invalid_response: `Invalid HTTP response after ${time}.`,
    protocol_error: `Protocol error after ${time}.`,
  }
  return noBreak(textFor(sentences, reason, unknownFailure))
}

/** Describes attempts that failed for the same reason: "Responded 500." */
export function describeFailure(reason: AttemptReason, status: number | null): string {
  return reason === 'status' ? `Responded ${status}.` : textFor(failureTexts, reason, unknownFailure)
}

/** Describes attempts with the same result, without a period: "Responded 500". */
export function describeAttempts(reason: AttemptReason, status: number | null): string {
  return status === null ? describeFailure(reason, status).replace(/\.$/, '') : `Responded ${status}`
}

const unknownFailure = 'The attempt failed.'

const failureTexts: Record<AttemptReason, string> = {
  delivered: 'Responded 2xx.',
  status: 'Responded with a status other than 2xx.',
  redirect: 'Responded with a redirect. Redirects are not followed.',
  gone: 'Responded 410 Gone.',
  timeout: 'Timed out before the response was complete.',
  connect_timeout: 'Connection timed out.',
  connection_refused: 'Connection refused.',
  connection_reset: 'Connection closed before the response was complete.',
  unreachable: 'Host unreachable.',
  tls: 'TLS handshake failed or certificate invalid.',
  name_not_found: 'Host name does not resolve.',
  invalid_response: 'Invalid HTTP response.',
  protocol_error: 'Protocol error.',
  forbidden_address: 'The IP address is not public. Nothing was sent.',
  own_address: 'The endpoint URL points to Hookline itself. Nothing was sent.',
  address_too_long: 'With the event data, the GET URL exceeds 8 KiB. Nothing was sent.',
  body_too_large: 'With the event data, the form exceeds 1 MiB. Nothing was sent.',
  resolver_down: 'The DNS resolver of Hookline did not respond. This uses up no attempt.',
  no_resources: 'Hookline had no free socket or memory. This uses up no attempt.',
  internal: 'Internal error in Hookline. This uses up no attempt.',
}

/** Returns how to fix the receiver; null if there is nothing to fix. */
export function hintFor(reason: AttemptReason, status: number | null): string | null {
  return reason === 'status' && status !== null ? hintForStatus(status) : textFor(hints, reason, null)
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
  forbidden_address: 'Use a host that is reachable from the internet.',
  own_address: 'Register the URL of your own server, or correct its DNS records.',
  address_too_long: 'Use POST or JSON for this webhook: a GET URL cannot carry events of this size.',
  body_too_large: 'Use JSON for this webhook: a form repeats the path of every nested value.',
  resolver_down: null,
  no_resources: null,
  internal: null,
}

function hintForStatus(status: number): string | null {
  if (status === 401 || status === 403)
    return 'Your server denied access. Check the headers of the webhook, or verify the signature instead.'
  if (status === 404 || status === 405)
    return 'Check the path and method of the webhook: your server does not handle them.'
  if (status === 413) return 'Accept bodies of 256 KiB, the maximum size of an event.'
  if (status === 400 || status === 415 || status === 422)
    return 'Your server could not parse the event. Check that it expects the format of the webhook: form, query or JSON.'
  if (status === 429) return 'Set a rate limit for the webhook, or respond with Retry-After.'
  if (status >= 500) return 'Check the logs of your server at this time: it failed while handling the event.'
  return hints.status
}
