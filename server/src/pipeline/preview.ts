/**
 * What a hook would get, before it exists: the same code that sends makes the requests, so they are the same byte for byte.
 * Only the secrets are not the real ones.
 */
import { createSecretKey } from 'node:crypto'
import { splitHeaders } from '../model/custom-headers.ts'
import type { DeliverableType, Event } from '../model/event.ts'
import { requestMethods, type RequestMethod } from '../model/hook.ts'
import { sampleData } from './intake/sample-events.ts'
import { headerPairs, outgoingRequest, type ShownRequest } from './outgoing.ts'

interface Shown {
  hookId: number
  targetUrl: string
  callUrl: string
  headers: string
  type: DeliverableType
  accountId: number
}

const placeholder = createSecretKey(Buffer.alloc(32, 'placeholder'))
const sampleId = '019a8716-a680-7000-8000-000000000000'

/** One for each method; null: it would be too large to be sent. */
export function previewRequests(shown: Shown, at: number): Record<RequestMethod, ShownRequest | null> {
  const event: Event = {
    id: sampleId,
    accountId: shown.accountId,
    type: shown.type,
    data: JSON.stringify(sampleData[shown.type]),
    acceptedAt: new Date(at),
  }
  const requests = requestMethods.map((requestMethod) => {
    const hook = {
      id: shown.hookId,
      targetUrl: shown.targetUrl,
      callUrl: shown.callUrl,
      requestMethod,
      headers: splitHeaders(shown.headers),
      secrets: [placeholder],
    }
    const request = outgoingRequest(hook, placeholder, { event, round: 1, attempts: 0 }, at)
    return [
      requestMethod,
      typeof request === 'string' ? null : { ...request, headers: headerPairs(request.headers) },
    ]
  })
  return Object.fromEntries(requests) as Record<RequestMethod, ShownRequest | null>
}
