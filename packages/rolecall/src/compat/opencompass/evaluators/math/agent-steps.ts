import { dictGet, floatOf, intOf, isDict, type PyDict, type PyValue, pyEqual, pyStr } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineEvaluator, type EvaluatorDefinition, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { listColumn } from '../../../../evaluation/score/evaluate/given.ts'
import { count, percent, shareOf } from '../../../../evaluation/score/evaluate/shares.ts'
import { mathEquivalent } from './math-answer.ts'

type Kept = {
  isRight: boolean
  /** The tool was used; its code ran; its result is the right answer. */
  acted: boolean
  ran: boolean
  reasoned: boolean
}

const isSet = (value: PyValue | undefined) => value !== undefined && value !== null && value !== '' && value !== false

/** The first step of this type. */
function stepOf(steps: readonly PyValue[], action: string): PyDict | undefined {
  return steps.find((step): step is PyDict => isDict(step) && dictGet(step, 'type') === action)
}

function resultOf(step: PyDict): PyValue | undefined {
  const result = dictGet(step, 'result')
  return result !== undefined && isDict(result) ? dictGet(result, 'text') : undefined
}

type Agent = {
  name: string
  of: string
  same(said: PyValue, gold: PyValue): boolean
  sameResult(found: PyValue | undefined, gold: PyValue): boolean
  figures(rows: readonly Kept[]): Figures
}

function agentSteps({ name, of, same, sameResult, figures }: Agent): EvaluatorDefinition<{ action: string }, Kept> {
  return defineEvaluator({
    names: [name],
    does: `For ${of} with a tool: right answers (\`follow_acc\`), also those whose tool was right (\`reasoning_acc\`), code that ran, tool use. Rows have the \`steps\` of the agent: { type, errmsg, result: { text } }.`,
    example: {
      answers: ['5', '4'],
      gold: ['5', '8'],
      rows: [
        { steps: [{ type: 'PythonInterpreter', errmsg: null, result: { text: '5' } }] },
        { steps: [{ type: 'PythonInterpreter', errmsg: null, result: { text: '8' } }] },
      ],
      figures: { follow_acc: 50 },
    },
    options: z.strictObject({
      action: z.string().default('PythonInterpreter').describe('The type of the step whose result counts.'),
    }),
    with: ({ action }) => ({
      ...shareOf('follow_acc'),
      interval: 'scores' as const,
      beside: ['reasoning_acc', 'code_acc', 'action_pct'].map((metric) => ({ metric, unit: 'percent' })),
      judge({ prediction, reference, row }) {
        const step = stepOf(listColumn(row, 'steps'), action)
        const isRight = same(prediction, reference)
        const acted = step !== undefined
        const ran = acted && (isRight || !isSet(dictGet(step, 'errmsg')))
        const reasoned = isRight || (ran && sameResult(resultOf(step), reference))
        const keep = { isRight, acted, ran, reasoned }
        return { score: Number(isRight), detail: { pred: prediction, answer: reference, ...keep, correct: isRight }, keep }
      },
      summarise: figures,
    }),
  })
}

export const gsm8kAgent = agentSteps({
  name: 'Gsm8kAgentEvaluator',
  of: 'GSM8K',
  same: pyEqual,
  sameResult(found, gold) {
    const whole = intOf(floatOf(found) ?? null)
    return whole !== undefined && String(whole) === gold
  },
  figures: (rows) => ({
    follow_acc: percent(
      count(rows, ({ isRight }) => isRight),
      rows.length,
    ),
    reasoning_acc: percent(
      count(rows, ({ reasoned }) => reasoned),
      rows.length,
    ),
    code_acc: percent(
      count(rows, ({ ran }) => ran),
      rows.length,
    ),
    action_pct: percent(
      count(rows, ({ acted }) => acted),
      rows.length,
    ),
  }),
})

export const mathAgent = agentSteps({
  name: 'MATHAgentEvaluator',
  of: 'MATH',
  same: (said, gold) => mathEquivalent(textOrNull(said), textOrNull(gold)),
  sameResult: (found, gold) => typeof found === 'string' && mathEquivalent(found, textOrNull(gold)),
  figures(rows) {
    const acted = rows.filter((row) => row.acted)
    return {
      follow_acc: percent(
        count(rows, ({ isRight }) => isRight),
        rows.length,
      ),
      reasoning_acc: percent(
        count(rows, ({ reasoned }) => reasoned),
        rows.length,
      ),
      // Omitted if no answer contains code.
      ...(acted.length > 0
        ? {
            code_acc: percent(
              count(acted, ({ ran }) => ran),
              acted.length,
            ),
          }
        : {}),
      action_pct: percent(acted.length, rows.length),
    }
  },
})

function textOrNull(value: PyValue): string | null {
  return value === null ? null : pyStr(value)
}
