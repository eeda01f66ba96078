import { defineConfig } from 'vitest/config'

/** What must hold whichever way fresh events take to the workers. */
const ofBothSources = [
  'attempts',
  'canary-delivery',
  'delivery',
  'fencing',
  'intake',
  'outage',
  'partition-boundary',
  'promises',
  'receivers',
].map((name) => `server/test/${name}.test.ts`)

export default defineConfig({
  test: {
    globalSetup: ['server/test/global-setup.ts'],
    // Every test file starts a service of its own; two cores bear few of them at once.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'postgres', include: ['server/{src,test}/**/*.test.ts', 'dev/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'jetstream', include: ofBothSources, env: { TEST_SOURCE: 'jetstream' } },
      },
    ],
  },
})
