import { checkArguments } from '@rolecall/core/internal/constrain'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictGet, dictHas, isDict, type PyDict, type PyValue, parseJson, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { isSame } from './compare-calls.ts'
import { defineEvaluator, verdict } from './evaluator.ts'
import { shareOf } from './shares.ts'

/** The kept values of a row: the number of expected and right fields, and whether the answer is valid. */
type Kept = { fields: number; right: number; isRight: boolean; isValid: boolean }

/** Compares the fields of JSON objects, for datasets with an `output_schema`. */
export const fields = defineEvaluator<{ fields?: string[] | undefined; schema?: Record<string, unknown> | undefined }, Kept>({
  names: ['FieldsEvaluator'],
  does: 'Right when the answer is a JSON object whose fields are those of the expected one; other fields do not count. `field_accuracy` is the share of fields that are right, `valid` the share of answers that are a JSON object and satisfy `schema`, if one is given.',
  example: {
    answers: ['{"city": "Rome", "people": 3}', '{"city": "Rome", "people": 4}', 'Rome'],
    gold: ['{"city": "Rome", "people": 3.0}', { city: 'Rome', people: 3 }, { city: 'Rome', people: 3 }],
    figures: { accuracy: 33.33 },
  },
  options: z.strictObject({
    fields: z
      .optional(z.array(z.string()).check(z.minLength(1)))
      .check(z.describe('The fields that are compared; by default all of the expected object.')),
    schema: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('A JSON Schema that a valid answer satisfies, usually the `output_schema`.')),
  }),
  with: (options) => ({
    ...shareOf('accuracy'),
    interval: 'scores',
    beside: ['field_accuracy', 'valid'].map((metric) => ({ metric, unit: 'percent' })),
    judge({ prediction, reference }) {
      const [said, wanted] = [objectOf(prediction), objectOf(reference)]
      if (wanted === undefined) throw badExpected(reference)
      const names = options.fields ?? dictEntries(wanted).map(([name]) => name)
      const faults = names.flatMap((name) => faultOf(name, said, wanted))
      const isValid = said !== undefined && (options.schema === undefined || checkArguments(said, options.schema).length === 0)
      const isRight = said !== undefined && faults.length === 0
      const { score, detail } = verdict(isRight, { pred: prediction, answer: reference })
      const reason = said === undefined ? 'the answer is not a JSON object' : faults.join('; ')
      return {
        score,
        detail: { ...detail, valid: isValid, ...(isRight ? {} : { reason }) },
        keep: { fields: names.length, right: names.length - faults.length, isRight, isValid },
      }
    },
    summarise(kept) {
      const share = (of: (one: Kept) => boolean) => (100 * kept.filter(of).length) / kept.length
      const all = kept.reduce((sum, one) => sum + one.fields, 0)
      const right = kept.reduce((sum, one) => sum + one.right, 0)
      return {
        accuracy: share(({ isRight }) => isRight),
        field_accuracy: all === 0 ? 0 : (100 * right) / all,
        valid: share(({ isValid }) => isValid),
      }
    },
  }),
})

function objectOf(value: PyValue): PyDict | undefined {
  if (isDict(value)) return value
  if (typeof value !== 'string') return undefined
  try {
    const read = parseJson(value)
    return isDict(read) ? read : undefined
  } catch {
    return undefined
  }
}

function badExpected(reference: PyValue): PromptError {
  const text = pyStr(reference)
  return new PromptError('bad-expected-fields', {
    where: 'the expected answer',
    problem: `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}" is not a JSON object, so there are no fields to compare`,
    fix: 'name a column with JSON objects as reader_cfg.output_column, or use another evaluator',
  })
}

/** A field that is absent from both is equal. */
function faultOf(name: string, said: PyDict | undefined, wanted: PyDict): string[] {
  const other = dictGet(wanted, name)
  if (!said || !dictHas(said, name)) return said && other === undefined ? [] : [`${name} is missing`]
  const one = dictGet(said, name)!
  return other !== undefined && isSame(one, other)
    ? []
    : [`${name} is ${pyStr(one)}, expected ${other === undefined ? 'nothing' : pyStr(other)}`]
}
