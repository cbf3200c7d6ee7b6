import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take a quarter of a minute or more in CI, the longest first. Started last, one of them would keep a worker busy long after the
 * others have finished. Those with a browser are apart, because each uses all cores.
 */
const slowest = [
  'proof/conformance/conformance.test.ts',
  'proof/bench/bench.slow.test.ts',
  'packages/viewer/runs.slow.test.ts',
  'proof/testing/attack/attack.slow.test.ts',
  'packages/rolecall/src/node/interpreters/python/restart.slow.test.ts',
  'packages/rolecall/src/cli/queue/queue.slow.test.ts',
  'packages/viewer/pages.slow.test.ts',
  'docs/code-blocks.slow.test.ts',
  'packages/rolecall/src/node/interpreters/python/close.slow.test.ts',
  'packages/rolecall/src/node/runs/resume.slow.test.ts',
  'packages/rolecall/src/cli/run/limits.slow.test.ts',
  'packages/rolecall/src/node/interpreters/jupyter/jupyter-interpreter.slow.test.ts',
  'packages/viewer/prompts.slow.test.ts',
  'packages/core/src/base/jinja/bombs.test.ts',
  'packages/rolecall/src/server/client-matrix.slow.test.ts',
  'packages/rolecall/src/node/interpreters/python/reuse.slow.test.ts',
  'packages/rolecall/src/node/hub/stand-in.slow.test.ts',
  'packages/viewer/recorded.slow.test.ts',
  'packages/core/src/prompt/tokenizer/hard-cases.slow.test.ts',
  'packages/rolecall/src/workbench/convert/round-trip.slow.test.ts',
  'packages/rolecall/src/node/interpreters/python/python-sandbox.slow.test.ts',
  'packages/viewer/look.slow.test.ts',
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
