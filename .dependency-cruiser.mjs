/**
 * Imports run one way down and never between siblings:
 *   main, admin, migrate → service → http, pipeline/worker → flows → parts → db, stream, vault, ops → model
 * Flows are the files of pipeline/ itself; parts are hooks, identity/* and the folders of pipeline/.
 */
const below = (from, to, reason, name) => ({
  name,
  severity: 'error',
  comment: reason,
  from: { path: from },
  to: { path: to },
})

const parts = '^server/src/(hooks|identity|pipeline/[^/]+)/'

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
    below(
      '^server/src/model/',
      '^server/src/(?!model/)',
      'The model holds nouns and pure rules; it must be usable by every part, so it imports none of them.',
      'model-imports-nothing-of-ours',
    ),
    below(
      '^server/src/(db|stream|vault|ops)/',
      '^server/src/(?!(db|stream|vault|ops|model)/)',
      'db, stream, vault and ops serve the parts above; importing upwards would make them know who they serve.',
      'foundations-import-downwards',
    ),
    {
      name: 'foundations-are-strangers',
      severity: 'error',
      comment:
        'db, stream, vault and ops do not know each other; what connects them is passed in by service.ts.',
      from: { path: '^server/src/(db|stream|vault|ops)/' },
      to: { path: '^server/src/(db|stream|vault|ops)/', pathNot: '^server/src/$1/' },
    },
    below(
      parts,
      '^server/src/(http/|pipeline/[^/]+\\.ts$|[^/]+\\.ts$)',
      'A part does not know how it is reached: routes import parts, not the other way round.',
      'parts-import-downwards',
    ),
    {
      name: 'parts-are-strangers',
      severity: 'error',
      comment: 'A part knows nothing of its siblings; a flow above both brings them together.',
      from: { path: '^server/src/(hooks|identity/[^/]+|pipeline/[^/]+)/' },
      to: { path: '^server/src/(hooks|identity/[^/]+|pipeline/[^/]+)/', pathNot: '^server/src/$1/' },
    },
    below(
      '^server/src/pipeline/',
      '^server/src/(http/|[^/]+\\.ts$)',
      'The pipeline does not know how events are handed in or who starts it.',
      'pipeline-imports-downwards',
    ),
    below(
      '^server/src/pipeline/(matching|retry)/',
      '^server/src/(?!(model|pipeline/(matching|retry))/)',
      'Matching and the retry decision are pure: they import only the model.',
      'matching-and-retry-are-pure',
    ),
    below(
      '^server/src/pipeline/dispatch/',
      '^server/src/db/',
      'What sends bytes out never touches the database: it gets all it needs as arguments.',
      'dispatch-never-touches-the-database',
    ),
    below(
      '^server/src/http/',
      '^server/src/[^/]+\\.ts$',
      'HTTP is built by service.ts and gets what it needs as arguments, settings included.',
      'http-imports-downwards',
    ),
    {
      name: 'only-entry-points-read-settings',
      severity: 'error',
      comment: 'Settings are read once at start; parts get values as arguments.',
      from: { path: '^server/src/.+/', pathNot: '^server/src/admin/' },
      to: { path: '^server/src/config\\.ts$' },
    },
    below(
      '^web/',
      '^(server|dev|bench)/',
      'The developer area is a client of the public API like any other: it knows nothing of ours but the sdk.',
      'web-imports-only-the-sdk',
    ),
    below(
      '^sdk/',
      '^((server|web|dev|bench)/|node_modules/)',
      'The sdk is for programs of others: it must run wherever fetch is, with nothing else installed.',
      'sdk-imports-nothing',
    ),
    {
      name: 'source-does-not-import-tests',
      severity: 'error',
      comment: 'What ships cannot depend on what tests it.',
      from: { path: '^server/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '(^server/test/|\\.test\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
