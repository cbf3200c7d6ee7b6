import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    include: ['src/**/*.test.ts', 'docs/**/*.test.ts', 'cases/**/*.test.ts', 'conformance/**/*.test.ts', 'examples/**/*.test.ts'],
  },
})
