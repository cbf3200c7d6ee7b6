import type { Constraint } from '@rolecall/core/internal/constrain'
import { PromptError } from '@rolecall/core/internal/errors'
import { z } from 'zod'
import { badField } from './api-error.ts'
import type { ServedModel } from './served-model.ts'

const schema = z.union([z.looseObject({}), z.boolean()])
const named = z.looseObject({ name: z.string().nullish(), schema: schema.nullish(), strict: z.boolean().nullish() })

/** `response_format` of OpenAI, and llama.cpp's `json_object` with a schema. */
const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object'), schema: schema.nullish() }),
  z.looseObject({ type: z.literal('json_schema'), json_schema: named }),
])

/** The same in the Responses API and Anthropic's, where the schema is next to its type. */
export const textFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({ type: z.literal('json_schema'), name: z.string().nullish(), schema, strict: z.boolean().nullish() }),
])

/** Converts it to `response_format`. */
export function responseFormatOf(
  given: z.output<typeof textFormat> | null | undefined,
): z.output<typeof responseFormat> | null | undefined {
  if (given?.type !== 'json_schema') return given
  return { type: 'json_schema', json_schema: { name: given.name, schema: given.schema, strict: given.strict } }
}

/** Fields that constrain the reply: OpenAI's, and vLLM's old and new ones. */
export const constraintRequestFields = {
  response_format: responseFormat
    .nullish()
    .describe(
      '`{ "type": "json_object" }`, or `{ "type": "json_schema", "json_schema": { "schema": … } }`: the reply is JSON that the schema allows, always, unless it is truncated (`length`). A keyword that cannot be enforced is an error.',
    ),
  guided_json: z.union([schema, z.string()]).nullish().describe("vLLM's: the schema, or its JSON text."),
  guided_regex: z.string().min(1).nullish().describe("vLLM's: the whole reply matches a regular expression."),
  guided_choice: z.array(z.string()).min(1).nullish().describe("vLLM's: the reply is one of several strings."),
  structured_outputs: z
    .looseObject({
      json: z.union([schema, z.string()]).nullish(),
      regex: z.string().min(1).nullish(),
      choice: z.array(z.string()).min(1).nullish(),
      json_object: z.boolean().nullish(),
      grammar: z.null().optional(),
      structural_tag: z.null().optional(),
    })
    .nullish()
    .describe("vLLM's newer field for the same: `json`, `regex`, `choice` or `json_object`."),
} as const

export type ConstraintRequest = { [Key in keyof typeof constraintRequestFields]?: z.output<(typeof constraintRequestFields)[Key]> }

/** The paths of the response format and its schema in a protocol. */
export type FormatPlaces = { format: string; schema: string }

const chatPlaces: FormatPlaces = { format: 'response_format', schema: 'response_format.json_schema.schema' }

/** The constraint on the reply, if any. */
export function constraintOf(request: ConstraintRequest, places: FormatPlaces = chatPlaces): Constraint | undefined {
  const { structured_outputs: structured } = request
  const found = [
    ...formatConstraint(request.response_format, places),
    ...jsonConstraint(request.guided_json, 'guided_json'),
    ...patternConstraint(request.guided_regex, 'guided_regex'),
    ...choiceConstraint(request.guided_choice, 'guided_choice'),
    ...jsonConstraint(structured?.json, 'structured_outputs.json'),
    ...patternConstraint(structured?.regex, 'structured_outputs.regex'),
    ...choiceConstraint(structured?.choice, 'structured_outputs.choice'),
    ...(structured?.json_object ? [{ kind: 'json-object', where: 'structured_outputs.json_object' } as const] : []),
  ]
  const [first, second] = found
  if (!second) return first
  const where = second.where ?? 'response_format'
  throw badField(where, `the reply is already constrained by ${first!.where}`)
}

type Placed = Extract<Constraint, { kind: 'json-schema' | 'json-object' | 'pattern' | 'choice' }>

function formatConstraint(given: ConstraintRequest['response_format'], { format: where, schema: schemaWhere }: FormatPlaces): Placed[] {
  if (!given || given.type === 'text') return []
  if (given.type === 'json_object') {
    return given.schema == null
      ? [{ kind: 'json-object', where }]
      : [{ kind: 'json-schema', schema: given.schema, where: `${where}.schema` }]
  }
  const { name, schema: wanted } = given.json_schema
  return [{ kind: 'json-schema', schema: wanted ?? {}, where: schemaWhere, ...(name == null ? {} : { name }) }]
}

function jsonConstraint(given: unknown, where: string): Placed[] {
  if (given === undefined || given === null) return []
  if (typeof given !== 'string') return [{ kind: 'json-schema', schema: given, where }]
  try {
    return [{ kind: 'json-schema', schema: JSON.parse(given) as unknown, where }]
  } catch {
    throw badField(where, 'not valid JSON')
  }
}

function patternConstraint(pattern: string | null | undefined, where: string): Placed[] {
  return pattern == null ? [] : [{ kind: 'pattern', pattern, where }]
}

function choiceConstraint(choices: readonly string[] | null | undefined, where: string): Placed[] {
  return choices == null ? [] : [{ kind: 'choice', choices, where }]
}

/** The request field that a constraint comes from. */
export function constraintPlace(constraint: Constraint): string {
  return ('where' in constraint ? constraint.where : undefined) ?? 'response_format'
}

/** Who requested a constraint; `signal` aborts when the client has gone. */
export type Requested = { client: string; signal: AbortSignal }

/** Rejects a constraint that the model cannot enforce before anything is generated. */
export async function checkConstraint(
  constraint: Constraint | undefined,
  { model, name, guides }: ServedModel,
  by: Requested,
): Promise<void> {
  if (!constraint) return
  try {
    if (model.drawsHere) await guides(by.client).check(constraint, by.signal)
    else model.checkConstraint?.(constraint)
  } catch (error) {
    if (!(error instanceof PromptError) || !error.where.endsWith('constrain_by')) throw error
    // `constrain_by` is a setting of the config, which clients cannot change.
    throw badField(constraintPlace(constraint), `the server of ${name} cannot enforce this; use a JSON schema`, 'unsupported')
  }
}
