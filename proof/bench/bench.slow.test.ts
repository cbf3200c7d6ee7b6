import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasVocabularies, warnIfMissing } from '../testing/on-demand.ts'
import { sampleOf } from '../testing/sampling.ts'
import { benches } from './benches.ts'
import { buildBenches } from './build.ts'

// Benches run from a compiled copy beside the sources, as `npm run bench` compiles them: paths relative to a file differ there.
const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = `${root}.bench-smoke`

beforeAll(async () => {
  await buildBenches(copy)
}, 300_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Vitest's timeout cannot interrupt `spawnSync`. */
const bench = (...args: string[]) =>
  spawnSync(process.execPath, [`${copy}/proof/bench/main.js`, ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: 240_000,
    killSignal: 'SIGKILL',
  })

warnIfMissing(hasVocabularies, 'benches of tokenizers', 'the vocabularies')
const tried = benches.filter(({ needsVocabularies }) => !needsVocabularies || hasVocabularies)

/** These start processes; the others share one, because starting takes longer than measuring. */
const withProcesses = ['http', 'serve', 'agent-latency', 'run-http', 'run-processor', 'queue']
const [alone, together] = [true, false].map((isAlone) =>
  tried.map(({ names }) => names[0]!).filter((name) => withProcesses.includes(name) === isAlone),
) as [string[], string[]]

// Half of them and one of those with processes per commit: each of these takes up to 20 s, and `npm run bench` runs them all.
test.for([sampleOf(together, Math.ceil(together.length / 2)), ...sampleOf(alone, 1).map((name) => [name])])(
  'bench runs at its smallest size: %s',
  { timeout: 300_000 },
  (names) => {
    const { status, stdout, stderr } = bench('--smoke', '--json', ...names)
    expect([status, stderr]).toEqual([0, ''])
    const { cases } = JSON.parse(stdout) as { cases: object }
    // Without Redis, the queue's measures nothing.
    if (names[0] !== 'queue') expect(Object.keys(cases).length).toBeGreaterThanOrEqual(names.length)
  },
)

test('--help lists the cases, and an unknown name is an error', () => {
  expect(bench('--help').stdout).toContain('lm-eval-mmlu-5shot')
  expect(bench('nothing-of-this-name')).toMatchObject({ status: 2, stderr: expect.stringContaining('no case matches') })
})
