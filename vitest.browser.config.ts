import { defineConfig } from 'vitest/config'

/** Test files that measure times need the machine for themselves. */
const measuring = ['web/test/budgets.browser.ts']

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/global-setup.ts', 'web/test/support/build-dashboard.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Matches the timeout of the other page assertions.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'measuring', include: measuring, maxWorkers: 1, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['web/test/**/*.browser.ts'],
          exclude: measuring,
          // One browser waits for its page while the other one works.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
