import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'docs/**/*.test.ts',
      'cases/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/**/*.test.ts',
      'model/**/*.test.ts',
    ],
  },
})
