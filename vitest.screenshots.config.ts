import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['web/test/**/*.screenshots.ts'],
    globalSetup: ['server/test/support/global-setup.ts', 'web/test/support/build-dashboard.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
