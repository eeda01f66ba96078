/** Route table: path, layout, URL parameters, data to prefetch and lazy component of every page. */
import type { FetchQueryOptions } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { auditQuery, countryQuery, sessionsQuery } from '../api/account.ts'
import { accessOf } from '../api/access.ts'
import {
  cachedSession,
  type CallMeta,
  configQuery,
  eventTypesQuery,
  isUnavailable,
  queryClient,
  sessionQuery,
} from '../api/client.ts'
import { appsQuery, authorizationsQuery } from '../api/oauth-apps.ts'
import { eventQuery, eventsQuery, withoutTime } from '../api/events.ts'
import {
  webhookAttemptsQuery,
  webhookQuery,
  webhookStatsQuery,
  webhookVersionsQuery,
  webhooksQuery,
} from '../api/webhooks.ts'
import { deprecatedUsesQuery, keysQuery } from '../api/api-keys.ts'
import { invitationsQuery, membersQuery } from '../api/members.ts'
import { channelsQuery, noticesQuery, preferencesQuery } from '../api/notices.ts'
import { overviewQuery } from '../api/overview.ts'
import { replayQuery, replaysQuery } from '../api/replays.ts'
import { identitiesQuery, ssoQuery } from '../api/sso.ts'
import { untilReachable } from '../lib/connection.ts'
import { loadChunk } from '../lib/load-chunk.ts'
import { safeReturnPath } from '../lib/safe-return-path.ts'
import { ErrorPage } from './error-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { LoadingContent, LoadingFrame } from './shell/frame.tsx'
import { noteNavigation } from '../lib/navigated.ts'
import {
  readEventsSearch,
  readOverviewSearch,
  readValue,
  readWebhookSearch,
  readWebhooksSearch,
} from './search-params.ts'
import { type AuditSubject, auditSubjects } from '../messages/audit-subjects.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  /** State of a navigation within the app. External links cannot set it. */
  interface HistoryState {
    /** Opens the test dialog after a webhook is saved. */
    shouldSendTest?: true
  }
  interface StaticDataRouteOption {
    /** Page name in the breadcrumb. */
    title?: string
  }
}

/** A component that loads with its page, and waits for the service during an outage. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadChunk(load), name)

/** Starts loading what the session may read, without waiting. The page shows a skeleton meanwhile. */
function prefetch(...queries: ReadonlyArray<{ meta?: CallMeta | undefined }>): void {
  const session = cachedSession()
  for (const query of queries) {
    const { role, needsOwnSession } = query.meta ?? {}
    if (role !== undefined && (session == null || !accessOf(session.member).mayCall(query))) continue
    if (needsOwnSession === true && session?.sso != null) continue
    void queryClient.prefetchQuery(query as FetchQueryOptions)
  }
}

/** The session, or null. Waits for the service during an outage. */
const loadSession = () => untilReachable(() => queryClient.ensureQueryData(sessionQuery), isUnavailable)

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
})

/**
 * Reads a URL parameter. `validateSearch` must return every field, even if undefined: the router fills missing fields
 * from the unvalidated URL.
 */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

interface ReturnSearch {
  /** Path to open after sign-in. */
  return_to?: string | undefined
}

function readReturnPath({ return_to: requested }: Record<string, unknown>): string | undefined {
  return requested === undefined ? undefined : safeReturnPath(requested)
}

async function skipIfSignedIn({ return_to: returnTo }: ReturnSearch): Promise<void> {
  const session = await loadSession().catch(() => null)
  if (session !== null) throw redirect({ href: returnTo ?? '/' })
}

/** Public pages. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): ReturnSearch & { link_sso?: true | undefined } => ({
    return_to: readReturnPath(search),
    link_sso: search.link_sso === true ? true : undefined,
  }),
  async beforeLoad({ search }) {
    // A link takes the password again, also in place of an open session.
    if (search.link_sso !== true) await skipIfSignedIn(search)
  },
  loader: () => prefetch(configQuery),
  component: lazyPage(() => import('../features/auth/sign-in-page.tsx'), 'SignInPage'),
})

const ssoSignIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/sso',
  validateSearch: (search): ReturnSearch & { connection?: string | undefined } => ({
    return_to: readReturnPath(search),
    connection: text(search.connection),
  }),
  async beforeLoad({ search }) {
    // A connection leads to one account, which may not be that of the open session.
    if (search.connection === undefined) await skipIfSignedIn(search)
  },
  component: lazyPage(() => import('../features/auth/sso-sign-in-page.tsx'), 'SsoSignInPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  loader: () => prefetch(configQuery),
  component: lazyPage(() => import('../features/auth/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyPage(() => import('../features/auth/reset-password-page.tsx'), 'ResetPasswordPage'),
})

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyPage(() => import('../features/auth/verify-page.tsx'), 'VerifyPage'),
})

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  loader: () => prefetch(configQuery),
  component: lazyPage(() => import('../features/auth/register-page.tsx'), 'RegisterPage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('../features/auth/join/join-page.tsx'), 'JoinPage'),
})

const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect/$id',
  component: lazyPage(() => import('../features/oauth-apps/consent-page.tsx'), 'ConsentPage'),
})

/** Pages that require a session. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  async beforeLoad({ location }) {
    const session = await loadSession()
    if (session === null)
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { return_to: location.href } })
    prefetch(eventTypesQuery)
  },
  pendingComponent: LoadingFrame,
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
})

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  staticData: { title: 'Overview' },
  validateSearch: readOverviewSearch,
  loaderDeps: ({ search }) => ({ range: search.range ?? ('24h' as const) }),
  loader: ({ deps }) => prefetch(overviewQuery(deps.range), webhooksQuery, keysQuery, deprecatedUsesQuery),
  component: lazyPage(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
})

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  staticData: { title: 'Webhooks' },
  validateSearch: readWebhooksSearch,
  loader: () => prefetch(webhooksQuery),
  component: lazyPage(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/new',
  staticData: { title: 'New webhook' },
  component: lazyPage(() => import('../features/webhooks/form/new-webhook-page.tsx'), 'NewWebhookPage'),
})

const testReceiver = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/test-receiver',
  staticData: { title: 'Test receiver' },
  loader: () => prefetch(webhooksQuery),
  component: lazyPage(
    () => import('../features/webhooks/test-receiver/test-receiver-page.tsx'),
    'TestReceiverPage',
  ),
})

const webhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$id',
  staticData: { title: 'Webhooks' },
  validateSearch: readWebhookSearch,
  loaderDeps: ({ search: { tab, range = '24h' as const, attempts, before } }) => ({
    tab,
    range,
    attempts,
    before,
  }),
  loader: ({ params, deps }) => {
    const id = Number(params.id)
    prefetch(webhookQuery(id), webhookStatsQuery(id, deps.range))
    if (deps.tab === undefined) prefetch(webhookAttemptsQuery(id, deps.attempts))
    if (deps.tab === 'events') prefetch(eventsQuery({ hook_id: id }))
    if (deps.tab === 'history') prefetch(webhookVersionsQuery(id, deps.before))
  },
  component: lazyPage(() => import('../features/webhooks/detail/webhook-page.tsx'), 'WebhookPage'),
})

const editWebhook = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$id/edit',
  staticData: { title: 'Edit webhook' },
  loader: ({ params }) => prefetch(webhookQuery(Number(params.id))),
  component: lazyPage(() => import('../features/webhooks/form/edit-webhook-page.tsx'), 'EditWebhookPage'),
})

const events = createRoute({
  getParentRoute: () => app,
  path: '/events',
  staticData: { title: 'Events' },
  validateSearch: readEventsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(eventsQuery(deps), webhooksQuery),
  component: lazyPage(() => import('../features/events/events-page.tsx'), 'EventsPage'),
})

const event = createRoute({
  getParentRoute: () => app,
  path: '/events/$id',
  staticData: { title: 'Events' },
  loader: ({ params }) => prefetch(eventQuery(params.id)),
  component: lazyPage(() => import('../features/events/detail/event-page.tsx'), 'EventPage'),
})

/** Former path of live events. */
const live = createRoute({
  getParentRoute: () => app,
  path: '/live',
  validateSearch: readEventsSearch,
  beforeLoad({ search }) {
    throw redirect({ to: '/events', search: { ...withoutTime(search), live: true }, replace: true })
  },
})

const replays = createRoute({
  getParentRoute: () => app,
  path: '/replays',
  staticData: { title: 'Replays' },
  loader: () => prefetch(replaysQuery),
  component: lazyPage(() => import('../features/replays/replays-page.tsx'), 'ReplaysPage'),
})

const replay = createRoute({
  getParentRoute: () => app,
  path: '/replays/$id',
  staticData: { title: 'Replays' },
  loader: ({ params }) => prefetch(replayQuery(Number(params.id))),
  component: lazyPage(() => import('../features/replays/replay-page.tsx'), 'ReplayPage'),
})

interface KeysSearch {
  q?: string | undefined
  /** Default: active keys only. */
  show?: 'all' | undefined
  new?: true | undefined
}

const keys = createRoute({
  getParentRoute: () => app,
  path: '/keys',
  staticData: { title: 'API keys' },
  validateSearch: (search): KeysSearch => ({
    q: text(search.q),
    show: search.show === 'all' ? 'all' : undefined,
    new: search.new === true ? true : undefined,
  }),
  loader: () => prefetch(keysQuery, deprecatedUsesQuery, configQuery),
  component: lazyPage(() => import('../features/api-keys/keys-page.tsx'), 'KeysPage'),
})

interface AppsSearch {
  tab?: 'access' | undefined
  new?: true | undefined
}

const apps = createRoute({
  getParentRoute: () => app,
  path: '/apps',
  staticData: { title: 'Apps' },
  validateSearch: (search): AppsSearch => ({
    tab: search.tab === 'access' ? 'access' : undefined,
    new: search.new === true ? true : undefined,
  }),
  loader: () => prefetch(appsQuery, authorizationsQuery, configQuery),
  component: lazyPage(() => import('../features/oauth-apps/apps-page.tsx'), 'AppsPage'),
})

const oauthApp = createRoute({
  getParentRoute: () => app,
  path: '/apps/$id',
  staticData: { title: 'Apps' },
  loader: () => prefetch(appsQuery),
  component: lazyPage(() => import('../features/oauth-apps/app-page.tsx'), 'AppPage'),
})

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  staticData: { title: 'Account' },
  loader: () => prefetch(sessionsQuery, countryQuery, identitiesQuery),
  component: lazyPage(() => import('../features/account/account-page.tsx'), 'AccountPage'),
})

const members = createRoute({
  getParentRoute: () => app,
  path: '/account/members',
  staticData: { title: 'Members' },
  loader: () => prefetch(membersQuery, invitationsQuery, configQuery),
  component: lazyPage(() => import('../features/account/members/members-page.tsx'), 'MembersPage'),
})

const sso = createRoute({
  getParentRoute: () => app,
  path: '/account/sso',
  staticData: { title: 'Single sign-on' },
  loader: () => prefetch(ssoQuery, membersQuery),
  component: lazyPage(() => import('../features/account/sso/sso-page.tsx'), 'SsoPage'),
})

const noticeSettings = createRoute({
  getParentRoute: () => app,
  path: '/account/notices',
  staticData: { title: 'Notice settings' },
  loader: () => prefetch(preferencesQuery, channelsQuery),
  component: lazyPage(
    () => import('../features/account/notices/notice-settings-page.tsx'),
    'NoticeSettingsPage',
  ),
})

interface NoticesSearch {
  before?: number | undefined
}

const notices = createRoute({
  getParentRoute: () => app,
  path: '/notices',
  staticData: { title: 'Notices' },
  validateSearch: (search): NoticesSearch => ({
    before: Number.isSafeInteger(search.before) ? Number(search.before) : undefined,
  }),
  loaderDeps: ({ search }) => ({ before: search.before }),
  loader: ({ deps }) => prefetch(noticesQuery(deps.before)),
  component: lazyPage(() => import('../features/notices/notices-page.tsx'), 'NoticesPage'),
})

interface AuditSearch {
  before?: number | undefined
  about?: AuditSubject | undefined
}

const audit = createRoute({
  getParentRoute: () => app,
  path: '/account/audit',
  staticData: { title: 'Audit log' },
  validateSearch: (search): AuditSearch => ({
    before: Number.isSafeInteger(search.before) ? Number(search.before) : undefined,
    about: auditSubjects.find((subject) => subject === search.about),
  }),
  loaderDeps: ({ search }) => ({ before: search.before }),
  loader: ({ deps }) => prefetch(auditQuery(deps.before)),
  component: lazyPage(() => import('../features/account/audit-page.tsx'), 'AuditPage'),
})

/** One chunk for all guide pages: each chunk adds its file names to the first load. */
const loadGuides = () => import('./guides.ts')

/** Guides are public. Signed-in users see them inside the shell. */
const guidesFrame = createRoute({
  getParentRoute: () => root,
  id: 'guides',
  beforeLoad: () => queryClient.ensureQueryData(sessionQuery).catch(() => null),
  component: lazyPage(loadGuides, 'GuidesFrame'),
})

const guides = createRoute({
  getParentRoute: () => guidesFrame,
  path: '/guides',
  staticData: { title: 'Guides' },
  component: lazyPage(loadGuides, 'GuidesPage'),
})

const guide = createRoute({
  getParentRoute: () => guidesFrame,
  path: '/guides/$guide',
  staticData: { title: 'Guides' },
  component: lazyPage(loadGuides, 'GuidePage'),
})

/** The event types of an installation are not public. */
const payloads = createRoute({
  getParentRoute: () => app,
  path: '/guides/payloads',
  staticData: { title: 'Guides' },
  component: lazyPage(loadGuides, 'PayloadsPage'),
})

const payload = createRoute({
  getParentRoute: () => app,
  path: '/guides/payloads/$type',
  staticData: { title: 'Guides' },
  component: lazyPage(loadGuides, 'PayloadPage'),
})

const tree = root.addChildren([
  signIn,
  ssoSignIn,
  forgotPassword,
  reset,
  verify,
  register,
  join,
  connect,
  app.addChildren([
    overview,
    webhooks,
    newWebhook,
    testReceiver,
    webhook,
    editWebhook,
    events,
    event,
    live,
    replays,
    replay,
    keys,
    apps,
    oauthApp,
    account,
    members,
    sso,
    noticeSettings,
    notices,
    audit,
    payloads,
    payload,
  ]),
  guidesFrame.addChildren([guides, guide]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPendingComponent: LoadingContent,
  defaultErrorComponent: ErrorPage,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  parseSearch: parseSearchWith(readValue),
  stringifySearch: stringifySearchWith(String),
})

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) noteNavigation()
})
