/** Forwards a request byte for byte: method, path, headers in their order and spelling, and body. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ConsumedEvent } from '@hookline/client'
import { lookupLocal } from '../local-host.ts'

export type ForwardedRequest = NonNullable<ConsumedEvent['request']>

export type Forwarded =
  | { status: number; ms: number; body: string; error?: never }
  /** `isDown`: no connection was made, so the receiver has not seen the request. */
  | { error: string; isDown: boolean; ms: number; status?: never }

/** As long as Hookline waits for a receiver. */
const timeoutMs = 15_000
const maxBodyBytes = 16 * 1024

export function forward({ method, url: address, headers, body }: ForwardedRequest): Promise<Forwarded> {
  const url = new URL(address)
  const startedAt = performance.now()
  const elapsed = (): number => Math.round(performance.now() - startedAt)
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: [
        'Host',
        url.host,
        ...headers.flatMap(({ name, value }) => [name, value]),
        ...(method === 'POST' ? ['Content-Length', String(Buffer.byteLength(body))] : []),
      ],
      agent: false,
      lookup: lookupLocal,
      timeout: timeoutMs,
    })
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`no response within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    )
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      resolve({ error: describe(error), isDown: isDown(error), ms: elapsed() })
    })
    // A response that is none, such as an unexpected upgrade, only closes the connection.
    outgoing.once('close', () => {
      clearTimeout(timer)
      resolve({ error: 'connection closed without a response', isDown: false, ms: elapsed() })
    })
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        if (size < maxBodyBytes) chunks.push(chunk)
        size += chunk.length
      })
      response.once('close', () => {
        clearTimeout(timer)
        const text = Buffer.concat(chunks).subarray(0, maxBodyBytes).toString()
        resolve({ status: response.statusCode ?? 0, ms: elapsed(), body: text })
      })
    })
    outgoing.end(body)
  })
}

const downCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

type ForwardError = NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }

/** Of several addresses, none could be connected to. */
function isDown({ code, errors }: ForwardError): boolean {
  return (errors ?? [{ code }]).every((error) => downCodes.has(error.code ?? ''))
}

function describe(error: ForwardError): string {
  const { code, message } = error.errors?.[0] ?? error
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ECONNRESET') return 'connection closed without a response'
  return message || code || 'failed'
}
