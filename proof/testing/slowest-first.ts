import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take a quarter of a minute or more in CI, the longest first. Started last, one of them would keep a worker busy long after the
 * others have finished. Those with a browser are apart, because each uses all cores.
 */
const slowest = [
  'conformance/conformance.test.ts',
  'bench/bench.slow.test.ts',
  'viewer/runs.slow.test.ts',
  'testing/attack/attack.slow.test.ts',
  'src/app/node/interpreters/python/restart.slow.test.ts',
  'src/app/cli/queue/queue.slow.test.ts',
  'viewer/pages.slow.test.ts',
  'docs/code-blocks.slow.test.ts',
  'src/app/node/interpreters/python/close.slow.test.ts',
  'src/app/node/runs/resume.slow.test.ts',
  'src/app/cli/run/limits.slow.test.ts',
  'src/app/node/interpreters/jupyter/jupyter-interpreter.slow.test.ts',
  'viewer/prompts.slow.test.ts',
  'src/base/jinja/bombs.test.ts',
  'src/app/server/client-matrix.slow.test.ts',
  'src/app/node/interpreters/python/reuse.slow.test.ts',
  'src/app/node/hub/stand-in.slow.test.ts',
  'viewer/recorded.slow.test.ts',
  'src/prompt/tokenizer/hard-cases.slow.test.ts',
  'src/workbench/convert/round-trip.slow.test.ts',
  'src/app/node/interpreters/python/python-sandbox.slow.test.ts',
  'viewer/look.slow.test.ts',
]

/** The order of test files: in a fresh clone, vitest knows only their sizes. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = slowest.findIndex((path) => moduleId.endsWith(`/${path}`))
      return found < 0 ? slowest.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
