/**
 * The result of one attempt. A failed delivery is a value, not an exception. Reasons are a closed list. `fault` separates
 * failures of the receiver (`receiver`) from service faults (`service`), which never use up an attempt. Events that do not
 * fit the method of the webhook (`event`) are not sent, so the circuit breaker does not count them.
 */
export const attemptReasons = {
  delivered: { fault: 'none', text: 'Responded 2xx.' },
  status: { fault: 'receiver', text: 'Responded with a status other than 2xx.' },
  redirect: { fault: 'receiver', text: 'Responded with a redirect. Redirects are not followed.' },
  gone: { fault: 'receiver', text: 'Responded 410 Gone.' },
  timeout: { fault: 'receiver', text: 'Timed out before the response was complete.' },
  connect_timeout: { fault: 'receiver', text: 'Connection timed out.' },
  connection_refused: { fault: 'receiver', text: 'Connection refused.' },
  connection_reset: { fault: 'receiver', text: 'Connection closed before the response was complete.' },
  unreachable: { fault: 'receiver', text: 'Host unreachable.' },
  tls: { fault: 'receiver', text: 'TLS handshake failed or certificate invalid.' },
  name_not_found: { fault: 'receiver', text: 'Host name does not resolve.' },
  invalid_response: { fault: 'receiver', text: 'Invalid HTTP response.' },
  protocol_error: { fault: 'receiver', text: 'Protocol error.' },
  forbidden_address: { fault: 'receiver', text: 'The address is not public.' },
  own_address: { fault: 'receiver', text: 'The endpoint URL points to Hookline itself.' },
  address_too_long: { fault: 'event', text: 'With the event data, the GET URL exceeds 8 KiB.' },
  body_too_large: { fault: 'event', text: 'With the event data, the form exceeds 1 MiB.' },
  resolver_down: { fault: 'service', text: 'The DNS resolver of Hookline did not respond.' },
  no_resources: { fault: 'service', text: 'Hookline had no free socket or memory.' },
  internal: { fault: 'service', text: 'Internal error in Hookline.' },
} as const satisfies Record<string, { fault: 'none' | 'receiver' | 'event' | 'service'; text: string }>

export type AttemptReason = keyof typeof attemptReasons

export const attemptReasonNames = Object.keys(attemptReasons) as AttemptReason[]

/** Milliseconds of each phase; undefined if the phase did not happen, as on a reused connection. */
export interface Timings {
  dnsMs?: number
  connectMs?: number
  tlsMs?: number
  firstByteMs?: number
  bodyMs?: number
  totalMs: number
}

export interface Outcome {
  reason: AttemptReason
  status?: number
  /** Delay that the receiver requested with Retry-After. */
  retryAfterMs?: number
  timings: Timings
  answerHeaders?: string
  answerBody?: Buffer
  /** Error code of the runtime, for the log. */
  errorCode?: string
  /** Until when the certificate of the receiver is valid, in Unix milliseconds. Set if the request opened a connection. */
  certificateUntil?: number
}
