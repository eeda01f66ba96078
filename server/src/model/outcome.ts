/**
 * What became of one attempt. A failed delivery is a value, not an exception. Reasons are a closed list that keeps the
 * receiver's failures (`theirs`) apart from ours: ours never use up an attempt.
 */
export const reasons = {
  delivered: { fault: 'none', text: 'The receiver answered with a 2xx status.' },
  status: { fault: 'theirs', text: 'The receiver answered with a status other than 2xx.' },
  redirect: { fault: 'theirs', text: 'The receiver answered with a redirect, which is not followed.' },
  gone: { fault: 'theirs', text: 'The receiver answered 410: it wants no more events.' },
  timeout: { fault: 'theirs', text: 'The receiver did not answer completely in time.' },
  connect_timeout: { fault: 'theirs', text: 'No connection to the receiver could be made in time.' },
  connection_refused: { fault: 'theirs', text: 'The receiver refused the connection.' },
  connection_reset: { fault: 'theirs', text: 'The receiver closed the connection before it had answered.' },
  unreachable: { fault: 'theirs', text: 'There is no way to the receiver.' },
  tls: { fault: 'theirs', text: "The receiver's certificate or TLS handshake is not valid." },
  name_not_found: { fault: 'theirs', text: "The receiver's name does not resolve to an address." },
  invalid_answer: { fault: 'theirs', text: 'The receiver answered with something that is not HTTP.' },
  protocol_error: { fault: 'theirs', text: 'The exchange with the receiver failed with a protocol error.' },
  forbidden_address: { fault: 'theirs', text: "The receiver's address is not public." },
  own_address: { fault: 'theirs', text: 'The address of the webhook leads to this service itself.' },
  address_too_long: { fault: 'theirs', text: 'With its data the address of the GET would pass 8 KiB.' },
  body_too_large: { fault: 'theirs', text: 'With its data the form would pass 1 MiB.' },
  resolver_down: { fault: 'ours', text: 'Our resolver did not answer.' },
  no_resources: { fault: 'ours', text: 'Our worker had no free socket or memory.' },
  internal: { fault: 'ours', text: 'Something broke on our side.' },
} as const satisfies Record<string, { fault: 'none' | 'theirs' | 'ours'; text: string }>

export type Reason = keyof typeof reasons

/** Milliseconds of each phase; absent when it did not happen, as on a reused connection. */
export interface Timings {
  dnsMs?: number
  connectMs?: number
  tlsMs?: number
  firstByteMs?: number
  bodyMs?: number
  totalMs: number
}

export interface Outcome {
  reason: Reason
  status?: number
  /** What the receiver asked us to wait, if it did. */
  retryAfterMs?: number
  timings: Timings
  answerHeaders?: string
  answerBody?: Buffer
  /** What the runtime called the failure, for our log. */
  errorCode?: string
}
