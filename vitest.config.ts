import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/{src,test}/**/*.test.ts', 'dev/**/*.test.ts'],
    globalSetup: ['server/test/global-setup.ts'],
    // Every test file starts a service of its own; two cores bear few of them at once.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
