import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { dictGet, isDict, isList, type PyValue, parseJson } from '../../packages/core/src/base/python/index.ts'
import type { Chat } from '../../packages/core/src/prompt/conversation/chat-message.ts'
import type { Row } from '../../packages/core/src/prompt/conversation/row.ts'
import type { DatasetConfig, ModelConfig } from '../../packages/rolecall/src/evaluation/config/config-schema.ts'
import { type OpenCompassRuleName, opencompassRules } from '../conformance/rules/opencompass.ts'

const nonEmpty = z.string().min(1)
const objectOf = <Value>() => z.custom<Value>(isDict, 'expected an object')

const errorSchema = z.strictObject({
  error: z.strictObject({
    code: nonEmpty,
    where: z.string(),
    suggests: nonEmpty.optional().describe('What the fix must mention, e.g. the key that was meant.'),
  }),
})

const turnSchema = z.union([z.string(), z.strictObject({ role: z.string(), fallback_role: z.string().optional(), prompt: z.string() })])
const contentSchema = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))])
const messageSchema = z.strictObject({ role: z.string(), content: contentSchema, name: z.string().optional() })

const renderedSchema = z.union([
  z.strictObject({ text: z.string().describe('A completion, byte for byte.') }),
  z.strictObject({ pieces: z.array(z.union([z.string(), z.array(z.int())])).describe('A completion with token ids between its text.') }),
  z.strictObject({ messages: z.array(messageSchema).describe('What a chat server is sent.') }),
  z.strictObject({ turns: z.array(turnSchema).describe('The filled dialogue before any format, as document 002 shows it.') }),
])

const stopSchema = z.union([z.strictObject({ id: z.int() }), z.strictObject({ token: z.string() }), z.strictObject({ text: z.string() })])

const told = {
  name: nonEmpty.describe('A sentence: what holds.'),
  origin: nonEmpty.describe('Where that is written, or why it is so.'),
  rule: z
    .enum(Object.keys(opencompassRules) as OpenCompassRuleName[])
    .optional()
    .describe('The rule of conformance/rules/opencompass.ts that it shows.'),
}

/** A row to be rendered. The configs are checked by the code under test, not here: many cases are about broken ones. */
const promptCaseSchema = z.strictObject({
  ...told,
  model: objectOf<ModelConfig>(),
  dataset: objectOf<DatasetConfig>(),
  row: objectOf<Row>(),
  examples: z.array(objectOf<Row>()).default([]),
  mode: z.enum(['gen', 'ppl']),
  label: z.string().optional(),
  keepSeparator: z.boolean().optional(),
  expected: z.union([renderedSchema, errorSchema]),
  notes: z.array(nonEmpty).optional().describe('Codes of notes that must be there; others may be.'),
  stop: z.array(stopSchema).optional().describe('All stops, in order.'),
  answer: z.string().optional().describe('The text of the answer span.'),
})

/** A chat to be rendered; what is wrong with it is for the code under test to say. */
const chatCaseSchema = z.strictObject({
  ...told,
  model: objectOf<ModelConfig>(),
  chat: objectOf<Chat>(),
  want: z.enum(['generate', 'complete', 'continue', 'last-round']).default('generate'),
  expected: z.union([renderedSchema, errorSchema]),
  notes: z.array(nonEmpty).optional().describe('Codes of notes that must be there; others may be.'),
  stop: z.array(stopSchema).optional().describe('All stops, in order.'),
  answer: z.string().optional().describe('The text of the answer span.'),
})

/** A whole configuration to be checked. */
const configCaseSchema = z.strictObject({
  ...told,
  config: z.unknown(),
  expected: z.union([errorSchema, z.strictObject({ warnings: z.array(z.string()), unused: z.array(z.string()) })]),
})

const caseSchema = z.union([promptCaseSchema, chatCaseSchema, configCaseSchema])

const fileSchema = z
  .strictObject({ origin: nonEmpty, cases: z.array(caseSchema).min(1) })
  .refine(({ cases }) => new Set(cases.map(({ name }) => name)).size === cases.length, 'two cases have the same name')

export type PromptCase = z.output<typeof promptCaseSchema>
export type ChatCase = z.output<typeof chatCaseSchema>
export type ConfigCase = z.output<typeof configCaseSchema>
export type Case = PromptCase | ChatCase | ConfigCase
export type CaseFile = { file: string; origin: string; cases: readonly Case[] }

/** All cases of this folder, by file. They are frozen, since rendering must change neither configs nor rows. */
export function readCases(): CaseFile[] {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((file) => readCaseFile(file, readFileSync(new URL(file, folder), 'utf8')))
}

export function readCaseFile(file: string, text: string): CaseFile {
  const parsed = fileSchema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(`${file} is not a file of cases:\n${z.prettifyError(parsed.error)}`)
  // Rows are read once more, as a dataset's are: 1.0 stays a float, columns named like numbers stay in place.
  const exact = asList(asDict(parseJson(text), 'cases'))
  const cases = parsed.data.cases.map((one, index): Case => {
    if (!('row' in one)) return deepFreeze(one)
    const { row, examples } = rowsOf(exact[index])
    return deepFreeze({ ...one, row, examples })
  })
  return { file, origin: parsed.data.origin, cases }
}

function rowsOf(value: PyValue | undefined): { row: Row; examples: Row[] } {
  const row = asDict(value, 'row')
  const examples = asDict(value, 'examples') ?? []
  if (!isDict(row)) throw new Error('a row is an object')
  return { row, examples: asList(examples).filter(isDict) }
}

function asDict(value: PyValue | undefined, key: string): PyValue | undefined {
  return isDict(value) ? dictGet(value, key) : undefined
}

function asList(value: PyValue | undefined): readonly PyValue[] {
  if (!isList(value)) throw new Error('expected a list')
  return value
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const entry of Object.values(value)) deepFreeze(entry)
  }
  return value
}
