import * as z from '@rolecall/core/internal/schema'
import type { EvaluatorFunction, OwnEvaluator } from '../evaluate/own-evaluator.ts'

const text = () => z.string().check(z.minLength(1))
const texts = () => z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).check(z.minLength(1))])
const expected = (does: string) =>
  z.optional(texts()).check(z.describe(`${does} true compares with the gold answer; a text, or a list of which one is enough, with that.`))

/** The kinds of checks, one of which every check has. */
export const checkKinds = {
  exact: expected('The reply is this text, apart from white space around it.'),
  iexact: expected('The same without case.'),
  contains: expected('The reply contains this text.'),
  icontains: expected('The same without case.'),
  'starts-with': expected('The reply starts with this text.'),
  'ends-with': expected('The reply ends with this text.'),
  regex: z
    .optional(z.union([text(), z.boolean()]))
    .check(z.describe('The reply matches a regular expression, in linear time; true takes the gold answer as one.')),
  number: z
    .optional(z.union([z.boolean(), z.number(), z.strictObject({ tolerance: z.number().check(z.nonnegative()) })]))
    .check(z.describe('The number that the reply ends with or announces is the expected one; { tolerance: 0.01 } allows a difference.')),
  choice: z
    .optional(z.union([z.boolean(), z.string(), z.strictObject({ options: z.optional(text()), texts: z.optional(z.string()) })]))
    .check(
      z.describe(
        'The letter that the reply chooses is the gold answer, of A to J, or the letters given: `ABCD`; { texts: column } names the column with the texts of the options.',
      ),
    ),
  json: z
    .optional(z.union([z.boolean(), z.strictObject({ schema: z.record(z.string(), z.unknown()) }), z.record(z.string(), z.unknown())]))
    .check(z.describe('The reply is JSON, and satisfies a JSON Schema, if one is given.')),
  fields: z
    .optional(z.union([z.boolean(), z.array(z.string()).check(z.minLength(1))]))
    .check(z.describe('The reply is a JSON object whose fields are those of the gold answer: all, or those listed.')),
  calls: z
    .optional(z.union([z.boolean(), z.enum(['exact', 'schema', 'ignore'])]))
    .check(z.describe('The reply makes the tool calls of the gold answer; how their arguments are compared: exact, schema or ignore.')),
  python: z.optional(text()).check(z.describe('A function or class in a Python file, run by the interpreter: `score.py:name`.')),
  ts: z.optional(text()).check(z.describe('A function exported by a TypeScript or JavaScript file: `score.ts:name`.')),
  judge: z
    .optional(text())
    .check(z.describe('What a judge model is asked about the reply, with columns in braces: "Is the answer to {question} polite?".')),
  type: z.optional(text()).check(z.describe('An evaluator of docs/scoring.md, with its `options`.')),
} satisfies z.FieldSchemas

export type CheckKind = keyof typeof checkKinds
export const checkKindNames = Object.keys(checkKinds) as CheckKind[]

/** Kinds that need no setting and may be named alone: `check: contains`. */
export const plainKinds = checkKindNames.filter((kind) => !['python', 'ts', 'judge', 'type'].includes(kind))

const checkFields = {
  name: z.optional(text()).check(z.describe('The name of the check in results; by default its kind.')),
  weight: z
    .optional(z.number().check(z.nonnegative()))
    .check(z.describe('What the check counts among several: the score is then their weighted mean.')),
  column: z.optional(z.string()).check(z.describe('The column with the expected answer, in place of `gold`.')),
  not: z.optional(z.boolean()).check(z.describe('For comparisons of texts: the reply must not fulfil it.')),
  extract: z
    .optional(z.union([z.string(), z.looseObject({ type: z.string() })]))
    .check(z.describe('What reads the answer in the reply before it is compared: a postprocessor of docs/scoring.md.')),
  options: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Options of `type`.')),
}

/** A check with its settings; `checkOf` refuses one without a kind, or with several. */
export const checkObjectSchema = z.strictObject({ ...checkKinds, ...checkFields })

const functionSchema = z.custom<EvaluatorFunction>((value) => typeof value === 'function', 'expected a function')
const ownSchema = z.custom<OwnEvaluator>(
  (value) => typeof value === 'object' && value !== null && 'judge' in value && typeof value.judge === 'function',
  'expected a function',
)

export const checkSchema = z.union([z.string(), checkObjectSchema, functionSchema, ownSchema])
export const checksSchema = z.union([checkSchema, z.array(checkSchema).check(z.minLength(1))])

/** One check as users write it: a kind alone, a function in a file, an object with one kind, or in TypeScript a function. */
export type CheckConfig = z.input<typeof checkSchema>
/** One check, or several. */
export type ChecksConfig = z.input<typeof checksSchema>
export type CheckObject = z.output<typeof checkObjectSchema>
