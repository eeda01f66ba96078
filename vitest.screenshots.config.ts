import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/test/browser/**/*.screenshots.ts'],
    globalSetup: ['server/test/global-setup.ts', 'server/test/browser/built-area.ts'],
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
