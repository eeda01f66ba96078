/**
 * Fetches small documents from servers that an account has chosen, such as its identity provider. Like deliveries, only from
 * public addresses, without following redirects, and with one deadline from DNS to the last byte.
 */
import type { AttemptReason } from '../../model/delivery/outcome.ts'
import type { Connections } from './connections.ts'
import { exchange, type ExchangeResponse } from './exchange.ts'
import { failureReason } from './failure-reason.ts'

interface DocumentRequest {
  method: 'GET' | 'POST'
  url: URL
  /** Alternating names and values. */
  headers: string[]
  body: string | null
}

export type FetchDocument = (
  request: DocumentRequest,
) => Promise<Pick<ExchangeResponse, 'status' | 'headers' | 'body'>>

export class FetchFailed extends Error {
  readonly reason: AttemptReason | 'too_large'

  constructor(reason: AttemptReason | 'too_large') {
    super(`fetch failed: ${reason}`)
    this.reason = reason
  }
}

const deadlineMs = 10_000
const maxBytes = 64 * 1024

export function createFetchDocument(connections: Connections): FetchDocument {
  return async ({ method, url, headers, body }) => {
    const endsAt = performance.now() + deadlineMs
    const connection = connections.open(url.origin, endsAt)
    const request = { method, path: url.pathname + url.search, headers, body }
    const response = await exchange(connection.client, request, endsAt, maxBytes, () =>
      connection.bytesRead(),
    )
    connections.release(url.origin, connection, false)
    if ('error' in response) throw new FetchFailed(failureReason(connection.failure ?? response.error))
    if (response.status >= 300 && response.status < 400) throw new FetchFailed('redirect')
    if (!response.isComplete) throw new FetchFailed('too_large')
    return response
  }
}
