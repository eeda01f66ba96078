/**
 * Imports run one way, downward:
 *   server: entry points → service → http, admin → notices, replays → consumers, events, stats → delivery flows → parts → foundations → model
 *   web:    main → app → features → ui → messages → api → lib
 * Delivery flows are the files of `delivery/` itself. Parts are `catalog`, `delivery/*`, `hooks`, `identity/*`, `ledger` and `tail`;
 * foundations are `db`, `nats`, `vault` and `runtime`. Neither parts nor foundations import their siblings.
 */

/** From the top to the bottom: each layer may import those after it. */
const serverLayers = [
  ['entry-points', '[^/]+\\.ts$', 'Entry points are started, never imported.'],
  ['service', 'service/', 'The service wires the parts together; a part gets all it needs as arguments.'],
  [
    'http-and-admin',
    '(http|admin)/',
    'A part does not know how it is reached: routes and commands import parts, not the other way round.',
  ],
  ['jobs', '(notices|replays)/', 'Notices and replays are jobs on top of the read side and the queue.'],
  ['events-and-stats', '(consumers|events|stats)/', 'The read side is on top of the write path.'],
  ['delivery-flows', 'delivery/[^/]+\\.ts$', 'A part knows nothing of the flow that uses it.'],
  [
    'parts',
    '(catalog|delivery/[^/]+|hooks|identity|ledger|tail)/',
    'Foundations do not know the parts they serve.',
  ],
  [
    'foundations',
    '(db|nats|vault|runtime)/',
    'The model holds nouns and pure rules and imports nothing of ours.',
  ],
  ['model', 'model/', ''],
]

const webLayers = [
  ['main', '[^/]+$', 'The entry point is never imported.'],
  ['app', 'app/', 'A feature does not know the routes and the shell around it.'],
  ['features', 'features/', 'A component for all features belongs to none of them.'],
  ['ui', 'ui/', 'Texts do not depend on how they are shown.'],
  ['messages', 'messages/', 'Queries do not depend on the texts made of their results.'],
  ['api', 'api/', 'Helpers in lib are pure and know nothing of the API.'],
  ['lib', 'lib/', ''],
]

/** A rule for each layer: nothing below it imports it. */
function downward(root, layers) {
  return layers.slice(0, -1).map(([name, path, reason], index) => ({
    name: `nothing-below-imports-${name}`,
    severity: 'error',
    comment: reason,
    from: { path: layers.slice(index + 1).map(([, lower]) => `^${root}${lower}`) },
    // Settings have a rule of their own.
    to: { path: `^${root}${path}`, pathNot: `^${root}config\\.ts$` },
  }))
}

/** Folders of one layer that do not import each other. `folder` has one group, its path. */
function strangers(name, folder, reason, except) {
  return {
    name,
    severity: 'error',
    comment: reason,
    from: { path: folder, ...(except && { pathNot: except }) },
    to: { path: folder, pathNot: '^$1/' },
  }
}

function forbid(name, from, to, reason) {
  return { name, severity: 'error', comment: reason, from: { path: from }, to: { path: to } }
}

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment:
        'Two files that import each other are one file in two places: move what they share below both.',
      from: {},
      to: { circular: true },
    },
    ...downward('server/src/', serverLayers),
    strangers(
      'http-and-admin-are-strangers',
      '^(server/src/(?:http|admin))/',
      'HTTP and the admin tool are two ways to the same parts.',
    ),
    strangers(
      'jobs-are-strangers',
      '^(server/src/(?:notices|replays))/',
      'Each job has its own steps; http and the service start them.',
    ),
    strangers(
      'events-and-stats-are-strangers',
      '^(server/src/(?:consumers|events|stats))/',
      'Consumers, events and stats are read side by side; http brings them together.',
    ),
    strangers(
      'parts-are-strangers',
      '^(server/src/(?:catalog|delivery/[^/]+|hooks|identity/[^/]+|ledger|tail))/',
      'A part knows nothing of its siblings; a flow above both brings them together.',
    ),
    strangers(
      'foundations-are-strangers',
      '^(server/src/(?:db|nats|vault|runtime))/',
      'db, nats, vault and runtime do not know each other; the service passes one to the other.',
    ),
    forbid(
      'pure-parts-import-only-the-model',
      '^server/src/delivery/(matching|retry|request)/(?!.*\\.test\\.ts$)',
      '^server/src/(?!(model|delivery/(matching|retry|request))/)',
      'Matching, the retry policy and the making of requests are pure: they import only the model.',
    ),
    forbid(
      'transport-never-touches-the-database',
      '^server/src/delivery/transport/',
      '^server/src/db/',
      'The code that sends bytes out gets all it needs as arguments.',
    ),
    {
      name: 'events-use-pure-parts-of-delivery',
      severity: 'error',
      comment: 'Of delivery the read side uses only pure parts: matching, the retry policy, requests.',
      from: { path: '^server/src/(consumers|events)/' },
      to: { path: '^server/src/delivery/', pathNot: '^server/src/delivery/(matching|retry|request)/' },
    },
    {
      name: 'only-entry-points-read-settings',
      severity: 'error',
      comment: 'Settings are read once at start; parts get values as arguments.',
      from: { path: '^server/src/.+/', pathNot: '^server/src/(admin|service)/' },
      to: { path: '^server/src/config\\.ts$' },
    },
    {
      name: 'source-does-not-import-tests',
      severity: 'error',
      comment: 'Source that ships cannot depend on its tests.',
      from: { path: '^(server|web)/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '(^(server|web)/test/|\\.test\\.ts$)' },
    },
    ...downward('web/src/', webLayers),
    {
      name: 'features-are-strangers',
      severity: 'error',
      comment:
        'A feature is one folder. All may use auth; events use replays; events, overview and webhooks use deliveries; overview and webhooks use onboarding.',
      from: { path: '^web/src/features/([^/]+)/' },
      to: {
        path: '^web/src/features/',
        pathNot: '^web/src/features/($1|auth|deliveries|onboarding|replays)/',
      },
    },
    forbid(
      'auth-and-deliveries-use-no-feature',
      '^web/src/features/(auth|deliveries|onboarding)/',
      '^web/src/features/(?!$1/)',
      'Features that others use import none themselves.',
    ),
    {
      name: 'only-events-use-replays',
      severity: 'error',
      comment: 'Events start replays; no other feature does.',
      from: { path: '^web/src/features/', pathNot: '^web/src/features/(events|replays)/' },
      to: { path: '^web/src/features/replays/' },
    },
    {
      name: 'only-overview-and-webhooks-use-onboarding',
      severity: 'error',
      comment: 'The first steps are shown where a new account starts.',
      from: { path: '^web/src/features/', pathNot: '^web/src/features/(overview|webhooks|onboarding)/' },
      to: { path: '^web/src/features/onboarding/' },
    },
    {
      name: 'only-events-overview-and-webhooks-use-deliveries',
      severity: 'error',
      comment: 'Deliveries are shown on the pages of events and webhooks, and retried from the overview too.',
      from: {
        path: '^web/src/features/',
        pathNot: '^web/src/features/(events|overview|webhooks|deliveries)/',
      },
      to: { path: '^web/src/features/deliveries/' },
    },
    {
      name: 'messages-take-only-types-from-api',
      severity: 'error',
      comment: 'Texts are typed by the API and call none of it.',
      from: { path: '^web/src/messages/' },
      to: { path: '^web/src/api/', dependencyTypesNot: ['type-only'] },
    },
    forbid(
      'ui-knows-no-api',
      '^web/src/ui/',
      '^web/src/api/',
      'Components get data as props and fetch none.',
    ),
    forbid(
      'web-imports-only-the-sdk',
      '^web/(?!test/)',
      '^(server|dev|bench)/',
      'The dashboard is a client of the public API like any other: of ours it imports only the SDK.',
    ),
    forbid(
      'receiver-imports-nothing',
      '^receiver/src/',
      '^((server|web|sdk|cli|dev|bench)/|node_modules/)',
      'The receiver library is for other programs, with nothing else installed.',
    ),
    forbid(
      'cli-imports-only-the-sdk-and-the-receiver',
      '^cli/src/',
      '^(server|web|dev|bench)/',
      'The command line tool is a client of the public API like any other.',
    ),
    forbid(
      'sdk-imports-nothing',
      '^sdk/',
      '^((server|web|receiver|cli|dev|bench)/|node_modules/)',
      'The SDK is for other programs: it must run wherever fetch is, with nothing else installed.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
