/** Every page in one table: its path, its place in the frame, what it reads from the address, when its code is loaded. */
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
import { auditQuery, sessionsQuery } from './api/account.ts'
import { areaQuery, queryClient, sessionQuery } from './api/api.ts'
import { appsQuery, authorizationsQuery } from './api/apps.ts'
import { eventQuery, eventsQuery } from './api/events.ts'
import { hookAttemptsQuery, hookQuery, hookStatsQuery, hooksQuery } from './api/hooks.ts'
import { deprecatedUsesQuery, keysQuery } from './api/keys.ts'
import { overviewQuery } from './api/overview.ts'
import { replayQuery, replaysQuery } from './api/replays.ts'
import { safeReturnTo } from './api/return-to.ts'
import { BrokenPage } from './pages/broken-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { WaitingPage } from './pages/waiting-page.tsx'
import { noteNavigation } from './parts/navigated.ts'
import {
  readEventsSearch,
  readLiveSearch,
  readOverviewSearch,
  readValue,
  readWebhookSearch,
  readWebhooksSearch,
} from './search-params.ts'
import { type AuditSubject, auditSubjects } from './words/audit.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  /** What goes along with a step within the area. Not a part of the address: no link from elsewhere can bring it. */
  interface HistoryState {
    /** A webhook was saved to be tested. */
    isToBeTested?: true
  }
  interface StaticDataRouteOption {
    /** The page's name in the trail above it. */
    title?: string
  }
}

/** Starts loading and does not wait: the page shows its skeleton meanwhile. */
function begin(...queries: readonly object[]): void {
  for (const query of queries) void queryClient.prefetchQuery(query as FetchQueryOptions)
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
})

/**
 * What a page reads from its address. Every field is named, also when it is not there: the router fills in what is left
 * out from the address itself, unread.
 */
const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** Pages that anyone may open. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { return_to?: string | undefined } => ({
    return_to: search.return_to === undefined ? undefined : safeReturnTo(search.return_to),
  }),
  async beforeLoad({ search }) {
    const session = await queryClient.ensureQueryData(sessionQuery).catch(() => null)
    if (session !== null) throw redirect({ href: search.return_to ?? '/' })
  },
  loader: () => begin(areaQuery),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/forgotten',
  loader: () => begin(areaQuery),
  component: lazyRouteComponent(() => import('./pages/sign-in/forgotten-page.tsx'), 'ForgottenPage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./pages/sign-in/reset-page.tsx'), 'ResetPage'),
})

const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyRouteComponent(() => import('./pages/sign-in/verify-page.tsx'), 'VerifyPage'),
})

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  loader: () => begin(areaQuery),
  component: lazyRouteComponent(() => import('./pages/sign-in/register-page.tsx'), 'RegisterPage'),
})

const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect/$id',
  component: lazyRouteComponent(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
})

/** Pages for those who are signed in. */
const area = createRoute({
  getParentRoute: () => root,
  id: 'area',
  async beforeLoad({ location }) {
    const session = await queryClient.ensureQueryData(sessionQuery)
    if (session === null)
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { return_to: location.href } })
  },
  component: lazyRouteComponent(() => import('./frame/frame.tsx'), 'Frame'),
})

const overview = createRoute({
  getParentRoute: () => area,
  path: '/',
  staticData: { title: 'Overview' },
  validateSearch: readOverviewSearch,
  loaderDeps: ({ search }) => ({ range: search.range ?? ('24h' as const) }),
  loader: ({ deps }) => begin(overviewQuery(deps.range), hooksQuery, keysQuery, deprecatedUsesQuery),
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const webhooks = createRoute({
  getParentRoute: () => area,
  path: '/webhooks',
  staticData: { title: 'Webhooks' },
  validateSearch: readWebhooksSearch,
  loader: () => begin(hooksQuery),
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const newWebhook = createRoute({
  getParentRoute: () => area,
  path: '/webhooks/new',
  staticData: { title: 'New webhook' },
  component: lazyRouteComponent(() => import('./pages/webhook-form/new-webhook-page.tsx'), 'NewWebhookPage'),
})

const webhook = createRoute({
  getParentRoute: () => area,
  path: '/webhooks/$id',
  staticData: { title: 'Webhooks' },
  validateSearch: readWebhookSearch,
  loaderDeps: ({ search }) => ({ range: search.range ?? ('24h' as const), attempts: search.attempts }),
  loader: ({ params, deps }) => {
    const id = Number(params.id)
    begin(hookQuery(id), hookStatsQuery(id, deps.range), hookAttemptsQuery(id, deps.attempts))
  },
  component: lazyRouteComponent(() => import('./pages/webhook/webhook-page.tsx'), 'WebhookPage'),
})

const editWebhook = createRoute({
  getParentRoute: () => area,
  path: '/webhooks/$id/edit',
  staticData: { title: 'Edit webhook' },
  loader: ({ params }) => begin(hookQuery(Number(params.id))),
  component: lazyRouteComponent(
    () => import('./pages/webhook-form/edit-webhook-page.tsx'),
    'EditWebhookPage',
  ),
})

const events = createRoute({
  getParentRoute: () => area,
  path: '/events',
  staticData: { title: 'Events' },
  validateSearch: readEventsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => begin(eventsQuery(deps), hooksQuery),
  component: lazyRouteComponent(() => import('./pages/events/events-page.tsx'), 'EventsPage'),
})

const event = createRoute({
  getParentRoute: () => area,
  path: '/events/$id',
  staticData: { title: 'Events' },
  loader: ({ params }) => begin(eventQuery(params.id)),
  component: lazyRouteComponent(() => import('./pages/event/event-page.tsx'), 'EventPage'),
})

const live = createRoute({
  getParentRoute: () => area,
  path: '/live',
  staticData: { title: 'Live' },
  validateSearch: readLiveSearch,
  loader: () => begin(hooksQuery),
  component: lazyRouteComponent(() => import('./pages/live/live-page.tsx'), 'LivePage'),
})

const replays = createRoute({
  getParentRoute: () => area,
  path: '/replays',
  staticData: { title: 'Replays' },
  loader: () => begin(replaysQuery),
  component: lazyRouteComponent(() => import('./pages/replays/replays-page.tsx'), 'ReplaysPage'),
})

const replay = createRoute({
  getParentRoute: () => area,
  path: '/replays/$id',
  staticData: { title: 'Replays' },
  loader: ({ params }) => begin(replayQuery(Number(params.id))),
  component: lazyRouteComponent(() => import('./pages/replays/replay-page.tsx'), 'ReplayPage'),
})

interface KeysSearch {
  q?: string | undefined
  /** Only those in use, unless asked for all. */
  show?: 'all' | undefined
  new?: true | undefined
}

const keys = createRoute({
  getParentRoute: () => area,
  path: '/keys',
  staticData: { title: 'API keys' },
  validateSearch: (search): KeysSearch => ({
    q: text(search.q),
    show: search.show === 'all' ? 'all' : undefined,
    new: search.new === true ? true : undefined,
  }),
  loader: () => begin(keysQuery, deprecatedUsesQuery, areaQuery),
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
})

interface AppsSearch {
  tab?: 'access' | undefined
  new?: true | undefined
}

const apps = createRoute({
  getParentRoute: () => area,
  path: '/apps',
  staticData: { title: 'Apps' },
  validateSearch: (search): AppsSearch => ({
    tab: search.tab === 'access' ? 'access' : undefined,
    new: search.new === true ? true : undefined,
  }),
  loader: () => begin(appsQuery, authorizationsQuery, areaQuery),
  component: lazyRouteComponent(() => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
})

const app = createRoute({
  getParentRoute: () => area,
  path: '/apps/$id',
  staticData: { title: 'Apps' },
  loader: () => begin(appsQuery),
  component: lazyRouteComponent(() => import('./pages/apps/app-page.tsx'), 'AppPage'),
})

const account = createRoute({
  getParentRoute: () => area,
  path: '/account',
  staticData: { title: 'Account' },
  loader: () => begin(sessionsQuery),
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

interface AuditSearch {
  before?: number | undefined
  about?: AuditSubject | undefined
}

const audit = createRoute({
  getParentRoute: () => area,
  path: '/account/audit',
  staticData: { title: 'Audit log' },
  validateSearch: (search): AuditSearch => ({
    before: Number.isSafeInteger(search.before) ? Number(search.before) : undefined,
    about: auditSubjects.find((subject) => subject === search.about),
  }),
  loaderDeps: ({ search }) => ({ before: search.before }),
  loader: ({ deps }) => begin(auditQuery(deps.before)),
  component: lazyRouteComponent(() => import('./pages/account/audit-page.tsx'), 'AuditPage'),
})

const tree = root.addChildren([
  signIn,
  forgotten,
  reset,
  verify,
  register,
  connect,
  area.addChildren([
    overview,
    webhooks,
    newWebhook,
    webhook,
    editWebhook,
    events,
    event,
    live,
    replays,
    replay,
    keys,
    apps,
    app,
    account,
    audit,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPendingComponent: WaitingPage,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  parseSearch: parseSearchWith(readValue),
  stringifySearch: stringifySearchWith(String),
})

router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged) noteNavigation()
})
