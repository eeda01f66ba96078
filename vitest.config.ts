import { defineConfig } from 'vitest/config'

/** Test files that run twice: in one process, and with api and worker apart, connected by NATS. */
const testsForBothSetups = [
  'delivery/attempts',
  'delivery/canary-delivery',
  'delivery/delivery',
  'delivery/fencing',
  'delivery/intake',
  'db/outage',
  'delivery/partition-boundary',
  'delivery/promises',
  'delivery/receivers',
  'observability/tracing',
].map((name) => `server/test/${name}.test.ts`)

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts'],
    // Every test file starts its own service. Tests mostly wait, so two cores run three files in parallel.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'one process',
          include: [
            '{server,receiver}/{src,test}/**/*.test.ts',
            '{dev,bench/src,cli/test,web/src}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: testsForBothSetups, env: { TEST_ROLES: 'apart' } },
      },
    ],
  },
})
