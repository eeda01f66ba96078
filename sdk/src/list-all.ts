/** Reads all pages of a list as one async iterator. */
import type { Arguments, Client, PathOf, ResponseBody } from './client.ts'

type IsPage<Body> = [Body] extends [never]
  ? false
  : Body extends { next: string | number | null }
    ? true
    : false

type PagePath = {
  [P in PathOf<'get'>]: IsPage<ResponseBody<'get', P>> extends true ? P : never
}[PathOf<'get'>]

/** The paths that return a part of a list, with the field of its items. */
const itemFields = {
  '/api/audit': 'entries',
  '/api/events': 'events',
  '/api/hooks/{id}/attempts': 'attempts',
  '/api/hooks/{id}/versions': 'versions',
  '/api/notices': 'notices',
} as const satisfies Record<PagePath, string>

export type ListPath = keyof typeof itemFields

export type ListItem<P extends ListPath> =
  ResponseBody<'get', P> extends { [Field in (typeof itemFields)[P]]: ReadonlyArray<infer Item> }
    ? Item
    : never

/**
 * Yields the items of all pages. A page is read when the loop needs it, so `break` ends the reading. A search can return
 * pages without items before it is complete.
 */
export async function* listAll<P extends ListPath>(
  client: Client,
  path: P,
  ...[input]: Arguments<'get', P>
): AsyncGenerator<ListItem<P>, void, undefined> {
  const get = client.get as unknown as (path: string, input: object) => Promise<Page>
  const { query } = (input ?? {}) as { query?: object }
  let position: object = {}
  for (;;) {
    const page = await get(path, { ...input, query: { ...query, ...position } })
    yield* page[itemFields[path]] as Array<ListItem<P>>
    const { next } = page
    if (next === null) return
    position = typeof next === 'number' ? { before: next } : { cursor: next }
  }
}

interface Page {
  next: string | number | null
  [field: string]: unknown
}
