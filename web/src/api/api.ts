/**
 * The one way from the pages to the service. Knows who is signed in, proves with every change that it comes from our own
 * page, and leaves for the sign-in page when a session has ended.
 */
import { ApiFailure, type Answer, createClient } from '@hookline/sdk'
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'

export type Session = Answer<'get', '/api/session'>

const sessionKey = ['session']

/** Codes of the error catalogue that pages act upon. */
export const codes = {
  authenticationFailed: 900,
  passwordWrong: 910,
  secondFactorNeeded: 911,
  secondFactorWrong: 912,
  linkInvalid: 1013,
  notFound: 1102,
  tooManyStreams: 1205,
}

export function hasCode(error: unknown, name: keyof typeof codes): boolean {
  return error instanceof ApiFailure && error.code === codes[name]
}

export const client = createClient({
  baseUrl: location.origin,
  csrf: () => queryClient.getQueryData<Session | null>(sessionKey)?.csrf_token,
})

/** Pages that a visitor may see set this on their queries and mutations: being nobody is no failure there. */
export const openToAnyone = { isOpenToAnyone: true }

function leaveIfSessionEnded(error: unknown, meta: Record<string, unknown> | undefined): void {
  if (hasCode(error, 'authenticationFailed') && meta?.isOpenToAnyone !== true) leaveForSignIn()
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => leaveIfSessionEnded(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _values, _context, mutation) => leaveIfSessionEnded(error, mutation.meta),
  }),
  defaultOptions: {
    // A browser that thinks it is offline may be wrong; what fails is said at once and not kept back.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      // A refusal stays one; only what may pass by itself is tried again.
      retry: (count, error) =>
        count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
})

/** Who is signed in, or null. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  async queryFn({ signal }): Promise<Session | null> {
    // Asked first, as nobody being signed in is no failure and should not look like one anywhere.
    const { area } = await client.get('/api/area', { signal })
    queryClient.setQueryData(areaQuery.queryKey, area)
    if (!area.is_signed_in) return null
    return client.get('/api/session', { signal }).catch((error: unknown) => {
      if (hasCode(error, 'authenticationFailed')) return null
      throw error
    })
  },
  staleTime: 60_000,
})

export function rememberSession(session: Session): void {
  queryClient.setQueryData(sessionKey, session)
}

/** What pages need to know before anybody is signed in. */
export const areaQuery = queryOptions({
  queryKey: ['area'],
  queryFn: async ({ signal }) => (await client.get('/api/area', { signal })).area,
  staleTime: Infinity,
  meta: openToAnyone,
})

/** By loading anew, so that nothing of the session stays in memory. */
export function leaveForSignIn(): void {
  const here = location.pathname + location.search
  location.assign(here === '/' ? '/sign-in' : `/sign-in?return_to=${encodeURIComponent(here)}`)
}
