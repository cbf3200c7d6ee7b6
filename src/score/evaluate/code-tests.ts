import { z } from 'zod'
import type { Row } from '../../dataset/row.ts'
import { dictGet, pyStr } from '../../python/index.ts'
import { findAll } from '../../python/regex/index.ts'
import { defineEvaluator } from './evaluator.ts'

/** What a program that ran to its end says. */
export const passed = 'passed'

/** Rows as HumanEval has them: `prompt` is the beginning of a function, `test` defines `check`, `entry_point` is its name. */
export const humanEval = defineEvaluator({
  names: ['HumanEvalEvaluator'],
  does: 'Right when the function that the answer completes passes the tests of its row, run in the Python sandbox.',
  options: z.strictObject({
    k: z.unknown().optional().describe("OpenCompass's; write `n` and `k` beside the dataset instead."),
  }),
  with: () => ({
    metric: 'humaneval_pass@1',
    unit: 'percent' as const,
    needsReference: false,
    runs: humanEvalProgram,
    judge({ prediction }) {
      const said = pyStr(prediction)
      return { score: Number(said === passed), detail: { result: said, correct: said === passed } }
    },
  }),
})

/**
 * The program that tests an answer: the prompt, what completes it, the tests.
 *
 * @example
 * const row = { prompt: 'def one():\n', test: 'def check(f):\n    assert f() == 1\n', entry_point: 'one' }
 * humanEvalProgram(row, 'return 1') // => 'def one():\n    return 1\n\ndef check(f):\n    assert f() == 1\n\n\ncheck(one)\n'
 */
export function humanEvalProgram(row: Row, answer: string): string {
  const column = (name: string) => pyStr(dictGet(row, name) ?? '')
  return `${column('prompt')}${completionOf(answer)}\n\n${column('test')}\n\ncheck(${column('entry_point')})\n`
}

/** Chat models write the whole function again, in a block of code; base models go on with its body. */
function completionOf(answer: string): string {
  const [block] = findAll('```\\w*\\n(.*?)```', answer, { dotAll: true })
  const code = block ?? answer
  const first = code.split('\n').find((line) => line.trim() !== '') ?? ''
  const isBody = block === undefined && !/^\s|^(?:def|class|import|from|@|async)\b|^#/.test(first)
  // The space before the first line is often eaten by a chat format.
  return isBody ? `    ${code.trimStart()}` : code
}
