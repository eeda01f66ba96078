/** A request as it arrived, and how its parts are read. */
export interface SignedRequest {
  method: string
  /** The URL that the account signature covers: as registered, for a GET without the query of the event. */
  url?: string | undefined
  /** The raw query string without the question mark. Signed for a GET. */
  query?: string | undefined
  /** In any casing. Also `Headers` of the web. */
  headers: HeaderValues | Iterable<[string, string]>
  body: string | Uint8Array
}

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

export type ReadHeader = (name: string) => string | undefined

/** Returns a reader of headers by lowercase name. Proxies and frameworks change the casing, and hyphens to underscores. */
export function headerReader(headers: SignedRequest['headers']): ReadHeader {
  const entries = isIterable(headers) ? [...headers] : Object.entries(headers)
  const byName = new Map(
    entries.map(([name, value]) => [
      name.toLowerCase().replaceAll('_', '-'),
      typeof value === 'string' ? value : value?.join(', '),
    ]),
  )
  return (name) => byName.get(name)
}

function isIterable(headers: SignedRequest['headers']): headers is Iterable<[string, string]> {
  return Symbol.iterator in headers
}

/** Returns the raw query of a URL, without the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : (url.slice(mark + 1).split('#')[0] ?? '')
}
