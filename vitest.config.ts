import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './testing/slowest-first.ts'

export default defineConfig({
  test: {
    // Colours differ between a terminal, a pipe and CI (picocolors paints wherever `CI` is set); tests read plain text.
    // Answers of earlier runs would make tests pass that ask nothing.
    env: { NO_COLOR: '1', ROLECALL_CACHE: 'off' },
    globalSetup: 'testing/build-cli.ts',
    // Loading modules for each file anew took longer than most tests, and compiling the runtime of the embedded model seconds.
    // A worker is a process, so that tests may lend its folder and streams to a command.
    pool: 'forks',
    isolate: false,
    setupFiles: 'testing/after-each-file.ts',
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // By default one core is left out, which on a machine with two is half of it.
    maxWorkers: '100%',
    sequence: { sequencer: SlowestFirst },
    testTimeout: 30_000,
    // CI runs lint, types and two workers on two cores: what waits for other processes may be late once. A retry is reported.
    retry: process.env.CI ? 1 : 0,
    include: [
      'src/**/*.test.ts',
      'docs/**/*.test.ts',
      'cases/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/**/*.test.ts',
      'quickstart/**/*.test.ts',
      'embedded-model/**/*.test.ts',
      'viewer/**/*.test.ts',
      'testing/**/*.test.ts',
    ],
  },
})
