import { z } from 'zod'

const integers = { type: 'array', items: { type: 'integer' } } as const
const strings = { type: 'array', items: { type: 'string' } } as const

/** A list of token ids. Checked in one go: element by element, as zod does it, 100,000 ids take a tenth of a second. */
export const tokenIds = checked<number[]>('an array of token ids', isIds).meta(integers)

/** Every reply compares its tokens with them. */
const mostStopIds = 1000

/** A short list of token ids. */
export const stopIds = checked<number[]>(
  `an array of at most ${mostStopIds} token ids`,
  (value) => isIds(value) && value.length <= mostStopIds,
).meta(integers)

/** A text or token ids, or several of them. */
export const rawPrompts = checked<string | string[] | number[] | number[][]>(
  'a string, an array of strings, an array of token ids, or an array of such arrays',
  (value) =>
    typeof value === 'string' ||
    (Array.isArray(value) &&
      value.length > 0 &&
      (isIds(value) || value.every((one) => typeof one === 'string') || value.every((one) => isIds(one) && one.length > 0))),
).meta({ anyOf: [{ type: 'string' }, strings, integers, { type: 'array', items: integers }] })

function checked<Value>(expected: string, isValid: (value: unknown) => boolean) {
  return z.custom<Value>().check(({ value, issues }) => {
    if (!isValid(value)) issues.push({ code: 'custom', message: `expected ${expected}`, params: { isType: true }, input: value })
  })
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id >= 0)
}
