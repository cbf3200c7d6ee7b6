import { PromptError } from '@rolecall/core/internal/errors'
import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { callsOf, type RecordedCall } from '@rolecall/core/internal/reply'
import * as z from '@rolecall/core/internal/schema'
import { type ComparedCalls, compareCalls } from './compare-calls.ts'
import { defineEvaluator, type Figures, verdict } from './evaluator.ts'
import { shareOf } from './shares.ts'

/** The kept values of a row: whether all is right, how many of its turns are, and how many call the right tools. */
type Kept = { isRight: boolean; turns: number; rightTurns: number; namedTurns: number }

export const toolCalls = defineEvaluator<{ arguments: 'exact' | 'schema' | 'ignore'; order: 'any' | 'same' }, Kept>({
  names: ['ToolCallEvaluator'],
  does: 'Right when the answer makes the calls that are expected, `[{ name, arguments }]`, and no others; `[]` expects none. Of a chat every turn must be right; `turn_accuracy` is the share of turns that are, `name_accuracy` of those that call the right tools.',
  example: {
    answers: [
      [{ name: 'get_time', arguments: { city: 'Rome' } }],
      [{ name: 'get_time', arguments: { city: 'Oslo' } }],
      [],
      [{ name: 'get_time', arguments: { city: 'Rome' } }],
    ],
    gold: [[{ name: 'get_time', arguments: { city: 'Rome' } }], [{ name: 'get_time', arguments: { city: 'Rome' } }], [], []],
    figures: { accuracy: 50 },
  },
  options: z.strictObject({
    arguments: z
      ._default(z.enum(['exact', 'schema', 'ignore']), 'exact')
      .check(z.describe('How arguments are compared: equal to the expected ones, valid by the schema of the tool, or not at all.')),
    order: z
      ._default(z.enum(['any', 'same']), 'any')
      .check(z.describe('Whether several calls may come in any order, or only in the expected one.')),
  }),
  with: (options) => ({
    ...shareOf('accuracy'),
    readsCalls: true,
    interval: 'scores',
    beside: ['turn_accuracy', 'name_accuracy'].map((metric) => ({ metric, unit: 'percent' })),
    judge({ prediction, reference, tools = [] }) {
      const wanted = turnsOf(reference)
      const said = wanted ? roundsIn(prediction, wanted.length) : [callsIn(prediction)]
      const compared = (wanted ?? [reference]).map((one, index): ComparedCalls => {
        const calls = said[index]
        if (calls) return compareCalls(calls, one, tools, options)
        return { isRight: false, hasNames: false, reason: 'the conversation ended before this turn' }
      })
      const isRight = compared.every((one) => one.isRight)
      const reasons = compared.flatMap(({ reason }, index) =>
        reason === undefined ? [] : [wanted ? `turn ${index + 1}: ${reason}` : reason],
      )
      const { score, detail } = verdict(isRight, { pred: prediction, answer: reference })
      const turns = compared.map(({ isRight: correct, reason }): PyValue => ({ correct, ...(reason === undefined ? {} : { reason }) }))
      return {
        score,
        detail: { ...detail, ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }), ...(wanted ? { turns } : {}) },
        keep: {
          isRight,
          turns: compared.length,
          rightTurns: compared.filter((one) => one.isRight).length,
          namedTurns: compared.filter((one) => one.hasNames).length,
        },
      }
    },
    summarise(kept): Figures {
      const sum = (of: (one: Kept) => number) => kept.reduce((total, one) => total + of(one), 0)
      const turns = sum((one) => one.turns)
      return {
        accuracy: (100 * sum((one) => Number(one.isRight))) / kept.length,
        ...(turns === kept.length ? {} : { turn_accuracy: (100 * sum((one) => one.rightTurns)) / turns }),
        name_accuracy: (100 * sum((one) => one.namedTurns)) / turns,
      }
    },
  }),
})

/** The expected calls of each turn of a chat: a list of lists. */
function turnsOf(reference: PyValue): readonly PyValue[] | undefined {
  return isList(reference) && reference.length > 0 && reference.every(isList) ? reference : undefined
}

/** The calls of each turn; a single reply is the first turn. */
function roundsIn(prediction: PyValue, turns: number): readonly (readonly RecordedCall[])[] {
  if (isList(prediction) && prediction.every(isList)) return prediction.map(callsIn)
  return turns === 1 ? [callsIn(prediction)] : []
}

/** The calls parsed from an answer; an error if it is not a list of calls. */
export function callsIn(prediction: PyValue): readonly RecordedCall[] {
  const calls = callsOf(prediction)
  if (calls) return calls
  throw new PromptError('no-calls', {
    where: 'the answer',
    problem: `it is not a list of calls: ${pyStr(prediction).slice(0, 60)}`,
    fix: 'use GenInferencer or ChatInferencer; a chat of several turns needs the expected calls of each, as a list of lists',
  })
}
