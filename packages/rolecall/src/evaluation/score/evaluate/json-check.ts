import { checkArguments } from '@rolecall/core/internal/constrain'
import { isDict, isList, type PyValue, parseJson } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { defineEvaluator, verdict } from './evaluator.ts'
import { shareOf } from './shares.ts'

/** Whether a reply is JSON, and valid by a schema. */
export const jsonCheck = defineEvaluator({
  names: ['JsonEvaluator'],
  does: 'Right when the reply is JSON and satisfies `schema`, if one is given; nothing is compared with the gold answer (FieldsEvaluator does that).',
  example: {
    options: { schema: { type: 'object', required: ['city'] } },
    answers: ['{"city": "Rome"}', '{"town": "Rome"}', 'Rome'],
    figures: { accuracy: 33.33 },
  },
  options: z.strictObject({
    schema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('A JSON Schema that the reply must satisfy.')),
  }),
  with: ({ schema }) => ({
    ...shareOf('accuracy'),
    needsReference: false,
    goldIsNoReply: true,
    judge({ prediction }) {
      const read = jsonOf(prediction)
      const problems = read === undefined ? ['it is not JSON'] : schema === undefined ? [] : problemsOf(read.value, schema)
      const isRight = problems.length === 0
      return verdict(isRight, { pred: prediction, ...(isRight ? {} : { reason: problems.join('; ') }) })
    },
  }),
})

function jsonOf(prediction: PyValue): { value: PyValue } | undefined {
  if (isDict(prediction) || isList(prediction)) return { value: prediction }
  if (typeof prediction !== 'string') return undefined
  try {
    return { value: parseJson(prediction) }
  } catch {
    return undefined
  }
}

function problemsOf(value: PyValue, schema: Record<string, unknown>): string[] {
  return checkArguments(value, schema).map(({ path, problem }) => (path === '' ? problem : `${path} ${problem}`))
}
