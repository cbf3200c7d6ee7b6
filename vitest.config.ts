import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './proof/testing/slowest-first.ts'

const folders = ['packages', 'proof', 'docs', 'examples', 'scripts']

// Workers inherit it. The seed changes with the commit, not with the date, so that a run can be repeated.
process.env.ROLECALL_SEED ??= String(seedOfCommit())

// Where scripts/install-peers.sh puts packages that `npm ci` leaves out.
const peers = fileURLToPath(new URL('.cache/peers', import.meta.url))
if (existsSync(peers)) process.env.ROLECALL_PEERS ??= peers

export default defineConfig({
  // Our packages are tested as sources; their own tests and those of the packages above share one copy of each module.
  ssr: { resolve: { conditions: ['rolecall-source', ...defaultServerConditions] } },
  test: {
    // One project: vitest ends a worker where the next file is of another one, and loading the modules again took a sixth of CI's time.
    // `npm test` leaves out *.slow.test.ts, which start processes, browsers or sandboxes, or load large vocabularies.
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**'],
    // Colours differ between a terminal, a pipe and CI (picocolors enables them if `CI` is set); tests expect plain text.
    // Without a cache, every test sends its requests instead of finding replies of an earlier run. No test reaches a hub, or finds what
    // is cached on this machine.
    env: {
      NO_COLOR: '1',
      ROLECALL_CACHE: 'off',
      HF_HUB_OFFLINE: '1',
      HF_HOME: '/nowhere/huggingface',
      MODELSCOPE_CACHE: '/nowhere/modelscope',
    },
    // Loading the modules again for every file took longer than most tests. Workers are processes, so that a test can lend its
    // working directory and streams to a command.
    // What was compiled is kept between runs: compiling takes half of the processor time of a run of a few files.
    experimental: { fsModuleCache: true },
    pool: 'forks',
    isolate: false,
    setupFiles: 'proof/testing/setup.ts',
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Generous, because a busy machine is no failure: tests wait for conditions, and these limits only end tests that hang.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // CI runs other checks beside three workers on two cores, so tests that wait for other processes may time out once. Retries are reported.
    retry: process.env.CI ? 1 : 0,
    globalSetup: 'proof/testing/global-setup.ts',
    // One more than cores: a third of the time, tests wait for browsers, servers and other processes. The default leaves one core idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
  },
})

/** The first 31 bits of the commit, or 1 outside a git repository. */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(commit.slice(0, 8), 16) >>> 1
  } catch {
    return 1
  }
}
