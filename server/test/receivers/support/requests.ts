/** Requests as a worker makes them, and a client that sends them unchanged. */
import { createSecretKey, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { buildRequest } from '../../../src/delivery/request/build-request.ts'
import { defaultOptions, type DeliveryOptions } from '../../../src/model/delivery-options.ts'
import type { RequestMethod } from '../../../src/model/hook.ts'

const key = Buffer.alloc(32, 'a secret of the webhook')
export const secret = `whsec_${key.toString('base64')}`
export const signingKey = '5f1c'.repeat(16)

export const sms = {
  id: '77001',
  sender: '491700000001',
  system: '491700000002',
  text: 'Grüße & 😀 a=b+c "d"',
  time: '1763197200',
  message_type: 'SMS',
}

export interface Sent {
  method: string
  url: string
  /** Alternating names and values. */
  headers: string[]
  body: string
}

export interface Format extends Partial<DeliveryOptions> {
  requestMethod: RequestMethod
}

export const formats: ReadonlyArray<Format & { name: string }> = [
  { name: 'JSON', requestMethod: 'JSON' },
  { name: 'form', requestMethod: 'POST' },
  { name: 'flat form', requestMethod: 'POST', formFields: 'flat' },
  { name: 'query', requestMethod: 'GET' },
]

/** The request of the first attempt for a new event, by the code of the worker. */
export function requestTo(url: string, { requestMethod, ...options }: Format, now = Date.now()): Sent {
  const hook = {
    id: 12,
    targetUrl: url,
    callUrl: new URL(url).href,
    requestMethod,
    headers: [{ name: 'Authorization', value: 'Basic c2hvcDpzZWNyZXQ=' }],
    ...defaultOptions,
    ...options,
    secrets: [createSecretKey(key)],
  }
  const data = JSON.stringify(sms)
  const event = { id: randomUUID(), accountId: 1, type: 'sms_mo' as const, data, acceptedAt: new Date(now) }
  const built = buildRequest(
    hook,
    [createSecretKey(signingKey, 'utf8')],
    { event, round: 1, attempts: 0 },
    now,
  )
  if (typeof built === 'string') throw new Error(built)
  return built
}

export function headerOf({ headers }: Sent, name: string): string {
  return headers[headers.indexOf(name) + 1] ?? ''
}

/** Changes a value in the query or the body, after the request was signed. */
export function tampered(request: Sent): Sent {
  const [url = '', body = ''] = [request.url, request.body].map((text) =>
    text.replace('700000001', '700000009'),
  )
  return { ...request, url, body }
}

export interface Answer {
  status: number
  body: string
}

export async function send({ method, url, headers, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url)
  // As the worker does, with the text of the URL.
  const path = url.slice(url.indexOf('/', 'http://'.length))
  const length = method === 'GET' ? [] : ['content-length', String(Buffer.byteLength(body))]
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, path, method, headers: ['host', `${hostname}:${port}`, ...headers, ...length] },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
