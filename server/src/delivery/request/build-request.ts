/**
 * Builds the request of one attempt, byte for byte: format, signatures, standard headers, custom headers. Sending,
 * previews and attempt details all use this.
 */
import { type KeyObject, randomUUID } from 'node:crypto'
import type { RequestOptions } from '../../model/delivery-options.ts'
import type { LeasedDelivery } from '../../model/delivery/delivery.ts'
import type { RequestMethod } from '../../model/hook.ts'
import { traceparentOfEvent } from '../../model/traceparent.ts'
import type { OutgoingRequest } from '../../model/delivery/outgoing-request.ts'
import { type FormatFailure, formatRequest } from './format.ts'
import { signatureHeaders } from './sign.ts'

/** A delivery, and the span of its attempt if that is recorded. */
type BuiltDelivery = Pick<LeasedDelivery, 'event' | 'round' | 'attempts'> & {
  traceparent?: string | undefined
}

/** The part of a hook that its requests depend on. */
export interface RequestHook extends RequestOptions {
  id: number
  targetUrl: string
  callUrl: string
  requestMethod: RequestMethod
  headers: ReadonlyArray<{ name: string; value: string }>
  /** Newest first. There are two while a rotation overlaps. */
  secrets: readonly KeyObject[]
}

/** Returns a reason if the formatted event would be too large. `limitFactor` raises the limits. */
export function buildRequest(
  hook: RequestHook,
  signingKeys: readonly KeyObject[],
  { event, round, attempts, traceparent }: BuiltDelivery,
  at: number,
  limitFactor?: number,
): Omit<OutgoingRequest, 'accountId' | 'deadlineMs'> | FormatFailure {
  const formatted = formatRequest(hook.requestMethod, hook.callUrl, event, {
    formFields: hook.formFields,
    limitFactor,
  })
  if (typeof formatted === 'string') return formatted
  const { method, url, body, contentType } = formatted
  const signatures = signatureHeaders(
    { hookSecrets: hook.secrets, signingKeys },
    {
      eventId: event.id,
      method,
      signedUrl: method === 'GET' && hook.signatureUrl === 'complete' ? url : hook.targetUrl,
      content: method === 'GET' ? new URL(url).search.slice(1) : body,
      body,
      atSeconds: Math.floor(at / 1_000),
      nonce: randomUUID().replaceAll('-', ''),
    },
  )
  const headers = ['user-agent', 'Hookline']
  if (hook.acceptHeader && !hasHeader(hook, 'accept')) headers.push('accept', '*/*')
  if (hook.traceHeader && !hasHeader(hook, 'traceparent'))
    headers.push('traceparent', traceparent ?? event.traceparent ?? traceparentOfEvent(event.id))
  if (contentType !== undefined) headers.push('content-type', contentType)
  for (const [name, value] of Object.entries(signatures)) headers.push(name, value)
  headers.push('x-hookline-hook', String(hook.id), 'x-hookline-attempt', String(attempts + 1))
  if (round > 1) headers.push('x-hookline-replay', String(round - 1))
  if (event.testHookId != null) headers.push('x-hookline-test', '1')
  for (const { name, value } of hook.headers) headers.push(name, value)
  return { method, url, headers, body }
}

export function hasHeader({ headers }: Pick<RequestHook, 'headers'>, lowerCaseName: string): boolean {
  return headers.some(({ name }) => name.toLowerCase() === lowerCaseName)
}

export interface RequestView {
  method: OutgoingRequest['method']
  url: string
  headers: Array<{ name: string; value: string }>
  body: string
}

/** Returns headers as pairs. A request has them as a flat list of alternating names and values. */
export function headerPairs(headers: readonly string[]): RequestView['headers'] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: headers[index + 1] ?? '' }] : [],
  )
}
