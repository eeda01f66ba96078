/**
 * The request of one attempt, byte for byte: format, signatures, our headers, the customer's. What is sent, what is shown
 * before anything is sent, and what is shown afterwards are all made here.
 */
import { type KeyObject, randomUUID } from 'node:crypto'
import type { DeliveryHook } from '../hooks/delivery-hooks.ts'
import { type FormatFailure, formatRequest } from './dispatch/format.ts'
import type { OutgoingRequest } from './dispatch/send.ts'
import { signatureHeaders } from './dispatch/sign.ts'
import type { LeasedDelivery } from './route.ts'

export type RequestHook = Pick<
  DeliveryHook,
  'id' | 'targetUrl' | 'callUrl' | 'requestMethod' | 'headers' | 'secrets'
>

/** Returns the reason instead where the formatted event would be too large; `limitFactor` raises what is allowed. */
export function outgoingRequest(
  hook: RequestHook,
  accountKey: KeyObject,
  { event, round, attempts }: Pick<LeasedDelivery, 'event' | 'round' | 'attempts'>,
  at: number,
  limitFactor?: number,
): Omit<OutgoingRequest, 'deadlineMs'> | FormatFailure {
  const formatted = formatRequest(hook.requestMethod, hook.callUrl, event, limitFactor)
  if (typeof formatted === 'string') return formatted
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
    ...(round > 1 && { 'x-hookline-replay': String(round - 1) }),
    ...(event.testHookId != null && { 'x-hookline-test': '1' }),
  }
  const custom = hook.headers.flatMap(({ name, value }) => [name, value])
  return { method, url, headers: [...Object.entries(own).flat(), ...custom], body }
}

export interface ShownRequest {
  method: OutgoingRequest['method']
  url: string
  headers: Array<{ name: string; value: string }>
  body: string
}

/** The headers of a request as people read them: sent, they stand one after the other, name and value in turn. */
export function headerPairs(headers: readonly string[]): ShownRequest['headers'] {
  return headers.flatMap((name, place) =>
    place % 2 === 0 ? [{ name, value: headers[place + 1] ?? '' }] : [],
  )
}
