import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take half a minute or more in CI. Started last, one of them would keep a worker busy long after the others have finished. Those
 * with a browser are apart, because each uses all cores.
 */
const slowest = [
  'bench/bench.slow.test.ts',
  'conformance/conformance.test.ts',
  'viewer/recorded.slow.test.ts',
  'src/app/node/interpreters/python/restart.slow.test.ts',
  'testing/attack/attack.slow.test.ts',
  'viewer/runs.slow.test.ts',
  'src/app/node/runs/resume.slow.test.ts',
  'src/app/cli/queue/queue.slow.test.ts',
  'src/prompt/tokenizer/hard-cases.slow.test.ts',
  'viewer/pages.slow.test.ts',
  'src/app/node/hub/stand-in.slow.test.ts',
  'src/base/jinja/bombs.test.ts',
  'src/workbench/convert/round-trip.slow.test.ts',
  'src/evaluation/run/ask/shown-is-sent.test.ts',
  'src/model/reply/parse/any-chunking.test.ts',
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
