import { dictGet, isDict, isList, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { checkedProgram } from '../../../../evaluation/score/evaluate/code/check-answer.ts'
import {
  defineEvaluator,
  type Evaluator,
  type EvaluatorDefinition,
  type Figures,
  type Program,
  passed,
} from '../../../../evaluation/score/evaluate/evaluator.ts'
import { wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { passAtK } from '../../../../evaluation/score/evaluate/pass-at-k.ts'
import { groupBy } from '../../../../evaluation/score/evaluate/replicas.ts'
import { count, mean, percent, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { guardedPattern, search, splitBy } from '../../../../python/regex/index.ts'
import { evalPlusProgram, evalPlusResult } from './evalplus-program.ts'
import { codeBlocks, testsFor } from './lcbench.ts'

/** How models mark the code of their answer, most reliable first. */
const marks = [
  ...[String.raw`\s*'(.*)'\s*`, String.raw`\s*'(.*)\s*`, String.raw`\s*(.*)\s*`].flatMap((code) => [
    String.raw`\[BEGIN\]${code}\[DONE\]`,
    String.raw`BEGIN${code}\[DONE\]`,
    String.raw`\[BEGIN\]${code}DONE`,
    `BEGIN${code}DONE`,
  ]),
  ...['```python', '```'].map((fence) => `${String.raw`${fence}\s*(.*)\s*`}\`\`\``),
  ...['```python', '```'].map((fence) => String.raw`${fence}\s*(.*)\s*$`),
  `${String.raw`(.*)\s*`}\`\`\`.*`,
  String.raw`\[BEGIN\]\s*'(.*)`,
  String.raw`\[BEGIN\](.*)`,
  String.raw`'(.*)'\s*\[DONE\]`,
]

/** Extracts the code of an MBPP answer. */
export function mbppCode(answer: string): string {
  let text = answer
  for (const mark of marks) {
    const found = guardedPattern(mark, { dotAll: true }).first(answer)
    if (!found) continue
    text = found.groups[0] ?? ''
    break
  }
  return strip(splitBy(String.raw`'?\s*\[?DONE\]?`, text.split('```')[0]!)[0]!.replaceAll('\\_', '_'))
}

/** The same for WizardCoder: the first code block, without tests. */
export function wizardCode(answer: string): string {
  let text = answer
  if (text.includes('```')) {
    const [block] = [...text.matchAll(/```([\s\S]*?)```/g)].map(([, code]) => code!)
    if (block === undefined) text = text.split('```')[1]!
    else text = block.startsWith('\n') ? block : block.slice(block.indexOf('\n') + 1)
  } else text = text.replace(/Here(.*?)\n/, '')
  for (const test of ['# Test', '#Test', '#test', '# test']) text = text.split(test)[0]!
  text = strip(text)
  const done = search(String.raw`('\s*|)(\[DONE\]|DONE)`, text)
  if (done) text = text.slice(0, done.index)
  const begin = search(String.raw`(\[BEGIN\]|BEGIN)('\s*|)`, text)
  if (begin) text = text.slice(begin.index + begin[0].length)
  text = strip(text)
  return text.startsWith("'") ? text.slice(1) : text
}

const outcomes = ['pass', 'timeout', 'failed', 'wrong_answer'] as const
type Outcome = (typeof outcomes)[number]

/** The outcome of a program, in the reference's words. */
function outcomeOf(said: PyValue): Outcome {
  const text = pyStr(said)
  if (text === passed) return 'pass'
  if (/^failed: AssertionError(?::|$)/.test(text)) return 'wrong_answer'
  return /^failed: (?:KeyboardInterrupt|interrupted after|Python had to be started anew: it ran for)/.test(text) ? 'timeout' : 'failed'
}

const counts = (rows: readonly Outcome[]): Figures =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, count(rows, (one) => one === outcome)]))

function mbpp(
  name: string,
  does: string,
  codeOf: (answer: string) => string,
): EvaluatorDefinition<{ metric: 'MBPP' | 'MBPPPlus' }, Outcome> {
  return defineEvaluator({
    names: [name],
    does,
    example: {
      row: {},
      answer: '```python\ndef one(): return 1\n```',
      gold: 'assert one() == 1',
      program: "…_check('def one(): return 1', [], 'assert one() == 1', True, None, [], None)\n",
    },
    options: z.strictObject({
      metric: z
        .enum(['MBPP', 'MBPPPlus'])
        .default('MBPP')
        .describe('MBPPPlus: with the inputs of EvalPlus, in the column that `with_evalplus` of MBPPPlusDataset adds.'),
    }),
    with: ({ metric }) =>
      metric === 'MBPPPlus'
        ? withEvalPlus(codeOf)
        : {
            ...shareOf('score'),
            interval: 'scores' as const,
            runs: (_row, answer, reference) => checkedProgram({ code: codeOf(answer), tests: testsOf(reference), isTyped: true }),
            judge({ prediction }) {
              const result = outcomeOf(prediction)
              return { score: Number(result === 'pass'), detail: { result, is_correct: result === 'pass' }, keep: result }
            },
            summarise: (rows: readonly Outcome[]) => ({
              score: percent(
                count(rows, (one) => one === 'pass'),
                rows.length,
              ),
              ...counts(rows),
            }),
          },
  })
}

/** Only the additional inputs count, as in OpenCompass. */
function withEvalPlus(codeOf: (answer: string) => string): Evaluator<Outcome> {
  return {
    ...shareOf('mbpp_plus_pass@1'),
    runs: (row, answer) => evalPlusProgram(row, codeOf(answer), 'mbpp'),
    judge({ prediction }) {
      const { base, plus } = evalPlusResult(prediction)
      return { score: Number(plus), detail: { base_result: base, plus_result: plus, correct: plus } }
    },
  }
}

function testsOf(reference: PyValue): string {
  const tests = isDict(reference) ? dictGet(reference, 'test_list_2') : reference
  if (typeof tests === 'string') return tests
  if (tests !== undefined && isList(tests)) return tests.map((one) => pyStr(one)).join('\n')
  throw wrongGold('it has no tests', 'give the assertions as one text: test_list_2, or test_column for MBPPPassKEvaluator')
}

export const mbppTests = mbpp(
  'MBPPEvaluator',
  'Right when the function that the answer defines passes the assertions of the gold answer, run in the Python sandbox; equal values must have equal types.',
  mbppCode,
)

export const mbppWizard = mbpp(
  'MBPPEvaluator2',
  'As MBPPEvaluator, with the first block of code of the answer and without the tests in it. For WizardCoder.',
  wizardCode,
)

type Task = { task: string; results: readonly Outcome[] }

/** pass@k of answers whose programs are run, one or several for each row. */
function passK(name: string, does: string, programOf: (answer: string, tests: string) => Program) {
  return defineEvaluator({
    names: [name],
    does,
    example: {
      row: {},
      answer: 'def one(): return 1',
      gold: { test_list_2: 'assert one() == 1', task_id: 1 },
      program: "…_check('def one(): return 1', [], 'assert one() == 1', True, None, [], None)\n",
    },
    options: z.strictObject({
      k: z
        .union([z.int().positive(), z.array(z.int().positive())])
        .default([1, 10, 100])
        .describe('For which k; those that some task has too few answers for are left out.'),
    }),
    with: ({ k }) => ({
      ...shareOf('pass@1'),
      interval: 'none',
      beside: [k].flat().map((one) => ({ metric: `pass@${one}`, unit: 'percent' })),
      runs: (_row, answer, reference) => programOf(answer, testsOf(reference)),
      judge({ prediction, reference }) {
        const results = (isList(prediction) ? prediction : [prediction]).map(outcomeOf)
        const task = isDict(reference) ? pyStr(dictGet(reference, 'task_id')) : pyStr(reference)
        const score = count(results, (one) => one === 'pass') / results.length
        return { score: Number(score === 1), detail: { result: results, is_correct: score === 1 }, keep: { task, results } }
      },
      summarise(rows: readonly Task[]): Figures {
        const tasks = [...groupBy(rows, ({ task }) => task).values()].map((group) => group.flatMap(({ results }) => results))
        const ks = [k].flat().filter((one) => tasks.every((results) => results.length >= one))
        const passes = ks.map((one) => {
          const each = tasks.map((results) => passAtK({ n: results.length, c: count(results, (result) => result === 'pass'), k: one }))
          return [`pass@${one}`, 100 * mean(each)] as const
        })
        return { ...Object.fromEntries(passes), ...counts(tasks.flat()) }
      },
    }),
  })
}

export const mbppPassK = passK(
  'MBPPPassKEvaluator',
  'pass@k of answers tested as MBPPEvaluator does, one or several for each row; gold answers are { test_list_2, task_id }, and rows of one task count together.',
  (answer, tests) => checkedProgram({ code: mbppCode(answer), tests, isTyped: true }),
)

export const lcPassK = passK(
  'LCPassKEvaluator',
  'As MBPPPassKEvaluator, but an answer passes if one of its blocks of code does; tests call the methods of a class Solution, if there is one. For LCBench.',
  (answer, tests) => {
    const [first, ...others] = codeBlocks(answer).map((code) => ({ code, tests: testsFor(code, tests), isTyped: true }))
    return checkedProgram(first ?? { code: '', tests, isTyped: true }, ...others)
  },
)
