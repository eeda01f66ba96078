/**
 * API client of the dashboard. Holds the session, sends the CSRF token with every change, and redirects to the sign-in
 * page when the session has ended.
 */
import { ApiError, type ErrorCode, type ResponseBody, createClient } from '@hookline/client'
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { addedEventTypes } from '../lib/added-event-types.ts'
import { announceSession, onOtherSession } from '../lib/other-tabs.ts'

export type Session = ResponseBody<'get', '/api/session'>
export type Role = Session['member']['role']

/** Properties of queries and mutations. */
export type CallMeta = {
  /** For public pages: a missing session does not redirect to the sign-in page. */
  isPublic?: boolean
  /** The least role that may make the call. Default: viewer. */
  role?: Role
  /** Rejected in a session of single sign-on. */
  needsOwnSession?: true
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta
    mutationMeta: CallMeta
  }
}

const sessionKey = ['session']

/** Error codes that pages handle. */
export const codes = {
  authenticationFailed: 900,
  wrongPassword: 910,
  secondFactorRequired: 911,
  invalidSecondFactor: 912,
  insufficientRole: 913,
  ssoRequired: 920,
  invalidResetLink: 1013,
  invalidInvitation: 1014,
  ssoFailed: 1015,
  notFound: 1102,
  tooManyTails: 1205,
} satisfies Record<string, ErrorCode>

export function isErrorCode(error: unknown, name: keyof typeof codes): boolean {
  return error instanceof ApiError && error.code === codes[name]
}

export interface SecondFactors {
  hasApp: boolean
  hasPasskey: boolean
}

/** The methods that complete a sign-in which was rejected without a second factor. */
export function secondFactors(error: unknown): SecondFactors {
  const allowed = (error instanceof ApiError && error.details.allowed) || []
  return { hasApp: allowed.includes('code'), hasPasskey: allowed.includes('passkey') }
}

/** The connection to sign in with, of an error with the code `ssoRequired`. */
export function requiredConnection(error: unknown): string | undefined {
  return error instanceof ApiError ? error.details.connection : undefined
}

/** No response, or one that says that the service is down, such as a gateway's or during maintenance. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}

export const client = createClient({
  baseUrl: location.origin,
  csrf: () => cachedSession()?.csrf_token,
  // Queries are retried below. A user decides about other calls.
  maxRetries: 0,
})

export const publicAccess = { isPublic: true } satisfies CallMeta

function handleAuthError(error: unknown, meta: CallMeta | undefined): void {
  if (isErrorCode(error, 'authenticationFailed') && meta?.isPublic !== true) redirectToSignIn()
  // An admin has changed the role since the session was read.
  if (isErrorCode(error, 'insufficientRole')) void queryClient.invalidateQueries({ queryKey: sessionKey })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => handleAuthError(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _values, _context, mutation) => handleAuthError(error, mutation.meta),
  }),
  defaultOptions: {
    // The offline detection of browsers is unreliable, so requests are sent and fail immediately.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      // Only network and server errors are retried. Other errors are final.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
})

/** The current session, or null. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  async queryFn({ signal }): Promise<Session | null> {
    // Checked first, so that a missing session causes no 401 in the browser console.
    const { config } = await client.get('/api/dashboard-config', { signal })
    queryClient.setQueryData(configQuery.queryKey, config)
    if (!config.is_signed_in) return null
    const [session] = await Promise.all([
      client.get('/api/session', { signal }).catch((error: unknown) => {
        if (isErrorCode(error, 'authenticationFailed')) return null
        throw error
      }),
      // Pages show the labels of event types. Without them they show the names.
      queryClient.prefetchQuery(eventTypesQuery),
    ])
    if (session !== null && isOtherAccount(session)) return reload()
    return session
  },
  staleTime: 60_000,
})

/** Whether the browser continued in another account or with another login since this tab was loaded. */
function isOtherAccount({ account, login }: Session): boolean {
  const known = cachedSession()
  return known != null && (known.account.id !== account.id || known.login.id !== login.id)
}

/** Nothing of the other account stays visible. The promise never settles, because the page ends. */
function reload(): Promise<never> {
  location.reload()
  return new Promise(() => {})
}

onOtherSession((sessionId) => {
  const known = cachedSession()
  if (known != null && known.session.id !== sessionId) void reload()
})

/** Event types of this installation: built-in ones and those of the operator. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  async queryFn({ signal }) {
    const { event_types: types } = await client.get('/api/event-types', { signal })
    for (const {
      name,
      label,
      filter_field: field,
      built_in: isBuiltIn,
      account_event: isAccountEvent,
    } of types)
      if (!isBuiltIn || isAccountEvent) addedEventTypes.set(name, { label, hasFilterField: field !== null })
    return types
  },
  // Loaded beside the session, which decides whether the user must sign in.
  meta: publicAccess,
})

/** The session as last read. Null without one. */
export function cachedSession(): Session | null | undefined {
  return queryClient.getQueryData<Session | null>(sessionKey)
}

export function rememberSession(session: Session): void {
  queryClient.setQueryData(sessionKey, session)
  announceSession(session.session.id)
}

/** A full page load clears all data of the previous account from memory. */
export function continueIn({ session }: Session): void {
  announceSession(session.id)
  location.assign('/')
}

/** Configuration for pages without a session. */
export const configQuery = queryOptions({
  queryKey: ['dashboard-config'],
  queryFn: async ({ signal }) => (await client.get('/api/dashboard-config', { signal })).config,
  staleTime: Infinity,
  meta: publicAccess,
})

/** A full page load clears the session from memory. */
export function redirectToSignIn(): void {
  const current = location.pathname + location.search
  location.assign(current === '/' ? '/sign-in' : `/sign-in?return_to=${encodeURIComponent(current)}`)
}
