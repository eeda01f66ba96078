/** Adapts the guarded fetch of the transport to the client of identity providers. */
import type { CustomFetch } from 'openid-client'
import { attemptReasons } from '../model/delivery/outcome.ts'
import { type FetchDocument, FetchFailed } from '../delivery/transport/fetch-document.ts'

/** An error whose reason may be shown. */
class ProviderUnreachable extends Error {
  readonly publicReason: string

  constructor(publicReason: string) {
    super(publicReason)
    this.publicReason = publicReason
  }
}

export function createProviderFetch(fetchDocument: FetchDocument): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new Error('unexpected method')
    try {
      const response = await fetchDocument({
        method,
        url: new URL(url),
        headers: Object.entries({
          ...headers,
          'user-agent': 'Hookline',
          'accept-encoding': 'identity',
        }).flat(),
        body: body instanceof URLSearchParams ? body.toString() : null,
      })
      // A response with one of these statuses has no body.
      const isEmpty = [204, 205, 304].includes(response.status)
      return new Response(isEmpty ? null : new Uint8Array(response.body), {
        status: response.status,
        headers: Object.entries(response.headers).flatMap(([name, value = []]) =>
          [value].flat().map((line): [string, string] => [name, line]),
        ),
      })
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error
      throw new ProviderUnreachable(
        error.reason === 'too_large' ? 'Its response is too large.' : attemptReasons[error.reason].text,
      )
    }
  }
}
