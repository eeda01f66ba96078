/**
 * Previews the requests of a hook before it exists, with the code that sends them, so they are the same byte for
 * byte. Only the secrets are placeholders.
 */
import { createSecretKey } from 'node:crypto'
import { splitHeaders } from '../../model/custom-headers.ts'
import type { RequestOptions } from '../../model/delivery-options.ts'
import type { Event } from '../../model/event.ts'
import { requestMethods, type RequestMethod } from '../../model/hook.ts'
import { headerPairs, buildRequest, type RequestView } from './build-request.ts'

interface PreviewedHook extends RequestOptions {
  hookId: number
  targetUrl: string
  callUrl: string
  headers: string
  type: string
  sample: Record<string, unknown>
  accountId: number
}

const placeholder = createSecretKey(Buffer.alloc(32, 'placeholder'))
const sampleId = '019a8716-a680-7000-8000-000000000000'

/** Returns a request for each method; null if it would be too large to send. */
export function previewRequests(hook: PreviewedHook, at: number): Record<RequestMethod, RequestView | null> {
  const event: Event = {
    id: sampleId,
    accountId: hook.accountId,
    type: hook.type,
    data: JSON.stringify(hook.sample),
    acceptedAt: new Date(at),
  }
  const requests = requestMethods.map((requestMethod) => {
    const requestHook = {
      id: hook.hookId,
      targetUrl: hook.targetUrl,
      callUrl: hook.callUrl,
      requestMethod,
      headers: splitHeaders(hook.headers),
      formFields: hook.formFields,
      acceptHeader: hook.acceptHeader,
      traceHeader: hook.traceHeader,
      signatureUrl: hook.signatureUrl,
      secrets: [placeholder],
    }
    const request = buildRequest(requestHook, [placeholder], { event, round: 1, attempts: 0 }, at)
    return [
      requestMethod,
      typeof request === 'string' ? null : { ...request, headers: headerPairs(request.headers) },
    ]
  })
  return Object.fromEntries(requests) as Record<RequestMethod, RequestView | null>
}
