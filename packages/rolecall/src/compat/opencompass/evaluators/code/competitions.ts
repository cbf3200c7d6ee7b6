import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type EvaluatorDefinition, type Figures, leaving } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { textColumn } from '../../../../evaluation/score/evaluate/given.ts'
import { passAtK } from '../../../../evaluation/score/evaluate/pass-at-k.ts'
import { groupBy } from '../../../../evaluation/score/evaluate/replicas.ts'
import { count, mean, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { jsonOrUndefined } from '../json-dict.ts'
import { testCases } from './test-cases.ts'

/** The test results from a program's output; a program without readable results, e.g. an interrupted one, fails. */
function resultsOf(said: PyValue): PyValue[] {
  const text = pyStr(said)
  const results = text.startsWith(leaving) ? jsonOrUndefined(text.slice(leaving.length)) : undefined
  return results !== undefined && isList(results) ? [...results] : [-1]
}

const passes = (results: readonly PyValue[]) => results.every((one) => one === true)

/** The text between two fence lines. */
function fenced(answer: string, which: 'first' | 'last'): string {
  const lines = answer.split('\n')
  const fences = lines.flatMap((line, index) => (line.includes('```') ? [index] : []))
  const [from, to] = which === 'first' ? fences : fences.slice(-2)
  return from === undefined || to === undefined ? '' : lines.slice(from + 1, to).join('\n')
}

export const liveCodeBench = defineEvaluator({
  names: ['LCBCodeGenerationEvaluator'],
  does: 'Right when the first block of code of the answer passes the tests of the row (`evaluation_sample`: JSON of inputs, outputs, fn_name), run in the Python sandbox.',
  example: exampleOf({ evaluation_sample: '{"inputs": ["3"], "outputs": ["6"]}' }, 'livecodebench'),
  options: z.strictObject({
    extractor_version: z.enum(['v1', 'v2']).default('v1').describe('v2 takes the last block of code.'),
    num_process_evaluate: z.unknown().optional().describe("OpenCompass's; not needed here."),
    timeout: z.unknown().optional().describe('Ignored: the sandbox has its own limit.'),
    release_version: z.unknown().optional().describe("OpenCompass's; tests are those of the rows."),
    start_date: z.unknown().optional().describe("OpenCompass's; write a test_range instead."),
    end_date: z.unknown().optional().describe("OpenCompass's; write a test_range instead."),
  }),
  with: ({ extractor_version }) => ({
    ...shareOf('pass@1'),
    needsReference: false,
    runs: (row, answer) =>
      testCases(fenced(answer, extractor_version === 'v1' ? 'first' : 'last'), textColumn(row, 'evaluation_sample'), 'livecodebench'),
    judge({ prediction }) {
      const results = resultsOf(prediction)
      return { score: Number(passes(results)), detail: { eval_result: results, correct: passes(results) } }
    },
  }),
})

function exampleOf(row: Record<string, string>, style: 'livecodebench' | 'apps') {
  const isLive = style === 'livecodebench' ? 'True' : 'False'
  return {
    row,
    answer: '```python\nprint(int(input()) * 2)\n```',
    program: `…_json.loads(\\'${Object.values(row)[0]!}\\'), ${isLive}, ${isLive}))\\n', False, 'result', [], None)\n`,
  }
}

/** The first code block without its language name; the whole answer if there is none. */
function firstBlock(answer: string): string {
  if (!answer.includes('```')) return answer
  const block = /```([\s\S]*?)```/.exec(answer)?.[1]
  if (block === undefined) return answer.split('```')[1]!
  return block.startsWith('\n') ? block : block.slice(block.indexOf('\n') + 1)
}

type Tried = { problem: string; correct: boolean }

function competition(name: string, of: string): EvaluatorDefinition<unknown, Tried> {
  return defineEvaluator({
    names: [name],
    does: `Right when the first block of code of the answer passes the tests of the row (\`input_output\`: JSON of inputs, outputs, fn_name), run in the Python sandbox; rows of one problem count together. For ${of}.`,
    example: exampleOf({ input_output: '{"inputs": ["3"], "outputs": ["6"]}' }, 'apps'),
    ...shareOf('pass@1'),
    needsReference: false,
    interval: 'none' as const,
    runs: (row, answer) => testCases(firstBlock(answer), textColumn(row, 'input_output'), 'apps'),
    judge({ prediction, reference }) {
      const results = resultsOf(prediction)
      const correct = passes(results)
      return { score: Number(correct), detail: { results, correct }, keep: { problem: pyStr(reference), correct } }
    },
    summarise(rows: readonly Tried[]): Figures {
      const problems = [...groupBy(rows, ({ problem }) => problem).values()]
      const ks = [1, 10, 100].filter((k) => problems.every((tried) => tried.length >= k))
      return Object.fromEntries(
        ks.map((k) => {
          const each = problems.map((tried) => passAtK({ n: tried.length, c: count(tried, ({ correct }) => correct), k }))
          return [`pass@${k}`, 100 * mean(each)]
        }),
      )
    },
  })
}

export const taco = competition('TACOEvaluator', 'TACO')
export const apps = competition('APPSEvaluator', 'APPS')
