import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['web/test/**/*.browser.ts'],
    globalSetup: ['server/test/support/global-setup.ts', 'web/test/support/build-dashboard.ts'],
    // Runs one browser at a time.
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Matches the timeout of the other page assertions.
    expect: { poll: { timeout: 30_000 } },
  },
})
