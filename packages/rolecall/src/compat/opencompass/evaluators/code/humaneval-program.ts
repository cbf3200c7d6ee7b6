import type { Row } from '@rolecall/core/internal/conversation'
import { dictGet, pyRepr, pyStr } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { type CodeCheck, checkedProgram } from '../../../../evaluation/score/evaluate/code/check-answer.ts'
import { defineEvaluator, type Program, passed, verdict } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { textColumn } from '../../../../evaluation/score/evaluate/given.ts'
import { shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { evalPlusProgram, evalPlusResult } from './evalplus-program.ts'

/** HumanEval's rows: `prompt` is the beginning of a function, `test` defines `check`, `entry_point` is its name. */
export const humanEval = defineEvaluator({
  names: ['HumanEvalEvaluator'],
  does: 'Right when the function that the answer completes passes the tests of its row, run in the Python sandbox.',
  example: {
    row: { prompt: 'def one():\n', test: '…', entry_point: 'one' },
    answer: 'return 1',
    program: `…, "…\\n\\ncheck(_answer('one'))\\n", False, None, [], None)\n`,
  },
  options: z.strictObject({
    k: z.unknown().optional().describe("OpenCompass's; write `n` and `k` beside the dataset instead."),
  }),
  with: () => ({
    metric: 'humaneval_pass@1',
    kind: 'verdict' as const,
    unit: 'percent' as const,
    needsReference: false,
    runs: humanEvalProgram,
    judge({ prediction }) {
      const said = pyStr(prediction)
      return { score: Number(said === passed), detail: { result: said, correct: said === passed } }
    },
  }),
})

/** HumanEval with the inputs of EvalPlus: its loader adds the column `evalplus`. */
export const humanEvalPlus = defineEvaluator({
  names: ['HumanEvalPlusEvaluator'],
  does: 'Right when the function that the answer completes returns what the reference solution returns, for the inputs of HumanEval and those of EvalPlus, run in the Python sandbox. Rows have `evalplus`, which `with_evalplus` of HumanevalDataset adds.',
  example: {
    row: { prompt: 'def one():\n', task_id: 'HumanEval/0', evalplus: {} },
    answer: '    return 1',
    program: `…'plus': _passes(_task, [a for a in _task['plus_input']], False)})\\n", False, '_result', [], None)\n`,
  },
  options: z.strictObject({ k: z.unknown().optional().describe("OpenCompass's; it computes pass@1 only.") }),
  with: () => ({
    ...shareOf('humaneval_plus_pass@1'),
    needsReference: false,
    runs: (row, answer) => evalPlusProgram(row, `${textColumn(row, 'prompt')}${answer}`, 'humaneval'),
    judge({ prediction }) {
      const { base, plus } = evalPlusResult(prediction)
      return { score: Number(base && plus), detail: { base_result: base, plus_result: plus, correct: base && plus } }
    },
  }),
})

/** Problems whose solution calls that of a simpler one: rows have `test_code`. OpenCompass sends the same program to a service that runs it. */
export const selfInvoking = defineEvaluator({
  names: ['HumanevalProEvaluator', 'MBPPProEvaluator'],
  does: 'Right when the first block of code of the answer passes the tests of its row (`test_code`), run in the Python sandbox. OpenCompass sends the same program to a service. For HumanEval Pro and MBPP Pro.',
  example: {
    row: { test_code: 'assert one() == 1' },
    answer: '```python\ndef one(): return 1\n```',
    program: "…_check('def one(): return 1\\n', [], 'assert one() == 1', False, None, [], None)\n",
  },
  options: z.strictObject({
    language: z.literal('py').optional().describe('The language of the programs.'),
    ip_address: z.unknown().optional().describe("OpenCompass's service; not needed here."),
    retry: z.unknown().optional().describe("OpenCompass's; not needed here."),
  }),
  with: () => ({
    ...shareOf('pass@1'),
    needsReference: false,
    runs: (row, answer) =>
      checkedProgram({ code: /```\w*\n([\s\S]*?)```/.exec(answer)?.[1] ?? answer, tests: textColumn(row, 'test_code') }),
    judge: ({ prediction }) => verdict(prediction === passed, { result: prediction }),
  }),
})

/**
 * What tests an answer: the prompt with its completion, and the tests, which may use what the prompt defines.
 *
 * @example
 * const row = { prompt: 'def one():\n', test: 'def check(f):\n    assert f() == 1\n', entry_point: 'one' }
 * humanEvalCheck(row, 'return 1').code // => 'def one():\n    return 1'
 */
export function humanEvalCheck(row: Row, answer: string): CodeCheck {
  const column = (name: string) => pyStr(dictGet(row, name) ?? '')
  const [prompt, name] = [column('prompt'), column('entry_point')]
  return {
    code: `${prompt}${completionOf(answer, name)}`,
    // The prompt ends in the head of the function, without a body.
    before: [`${prompt}\n    pass\n`, prompt, ''],
    tests: `${column('test')}\n\ncheck(_answer(${pyRepr(name)}))\n`,
  }
}

/** The program that tests an answer. */
export function humanEvalProgram(row: Row, answer: string): Program {
  return checkedProgram(humanEvalCheck(row, answer))
}

/** Chat models repeat the whole function in a code block; base models continue with its body. */
function completionOf(answer: string, entryPoint: string): string {
  const code = codeOf(answer.replaceAll('\r\n', '\n'), entryPoint)
  const first = code.split('\n').find((line) => line.trim() !== '') ?? ''
  return defines(code, entryPoint) || /^\s/.test(first) ? code : asBody(code)
}

/**
 * The last complete block that defines the function, as a reply may correct itself; else the last that defines it, else the first block;
 * without blocks, the whole answer.
 */
function codeOf(answer: string, entryPoint: string): string {
  const blocks = [...answer.matchAll(/(```|~~~)([^\n`]*)\n([\s\S]*?)(\1|$)/g)].filter(({ index, 2: language, 3: code, 4: end }) => {
    // A lone fence after code closes the block that the prompt opened; an unclosed fence in a truncated answer opens one.
    return end !== '' || language!.trim() !== '' || answer.slice(0, index).trim() === '' || defines(code!, entryPoint)
  })
  const defining = blocks.filter(([, , , code]) => defines(code!, entryPoint))
  const block = defining.findLast(([, , , , end]) => end !== '') ?? defining.at(-1) ?? blocks[0]
  return block?.[3] ?? answer.split(/```|~~~/)[0]!
}

/** Whether code defines the function at the top level. */
function defines(code: string, name: string): boolean {
  return [...code.matchAll(/^(?:async\s+)?def\s+([^\s([]+)|^(\S+)\s*=(?!=)/gm)].some(
    ([, defined, assigned]) => (defined ?? assigned) === name,
  )
}

/** A body whose first line starts at column 0, indented to belong to the function. */
function asBody(code: string): string {
  const [first = '', ...rest] = code.trimStart().split('\n')
  const next = rest.find((line) => line.trim() !== '') ?? ''
  const depth = next.length - next.trimStart().length
  const goesOn = /[:([{,\\]\s*(?:#.*)?$/.test(first)
  // Chat formats often strip the leading space of the first line only; other models write the whole body at column 0.
  const isOnlyFirst = depth > (goesOn ? 4 : 0)
  return [first, ...rest].map((line, index) => (line.trim() === '' || (index > 0 && isOnlyFirst) ? line : `    ${line}`)).join('\n')
}
