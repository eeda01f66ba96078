import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/test/browser/**/*.browser.ts'],
    globalSetup: ['server/test/global-setup.ts', 'server/test/browser/built-area.ts'],
    // One browser at a time.
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // As long as everything else in a page is waited for.
    expect: { poll: { timeout: 30_000 } },
  },
})
