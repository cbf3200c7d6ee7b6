import { z } from 'zod'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Constraint } from '../../model/constrain/index.ts'
import { ApiError } from './api-error.ts'
import type { ServedModel } from './served-model.ts'

const schema = z.union([z.looseObject({}), z.boolean()])
const named = z.looseObject({ name: z.string().nullish(), schema: schema.nullish(), strict: z.boolean().nullish() })

/** `response_format`: OpenAI's, and llama.cpp's `json_object` with a schema. */
const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object'), schema: schema.nullish() }),
  z.looseObject({ type: z.literal('json_schema'), json_schema: named }),
])

/** The same in the Responses API and in Anthropic's, which have the schema beside its type. */
export const textFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({ type: z.literal('json_schema'), name: z.string().nullish(), schema, strict: z.boolean().nullish() }),
])

/** The format of a reply as chats name it. */
export function responseFormatOf(
  given: z.output<typeof textFormat> | null | undefined,
): z.output<typeof responseFormat> | null | undefined {
  if (given?.type !== 'json_schema') return given
  return { type: 'json_schema', json_schema: { name: given.name, schema: given.schema, strict: given.strict } }
}

/** What a reply has to be, in OpenAI's words and in vLLM's, newer and older. */
export const constraintFields = {
  response_format: responseFormat
    .nullish()
    .describe(
      '`{ "type": "json_object" }`, or `{ "type": "json_schema", "json_schema": { "schema": … } }`: the reply is JSON that the schema allows, always, unless it is cut (`length`). A keyword that cannot be enforced is an error.',
    ),
  guided_json: z.union([schema, z.string()]).nullish().describe("vLLM's: the schema alone, or as a text."),
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

export type ConstraintFields = { [Key in keyof typeof constraintFields]?: z.output<(typeof constraintFields)[Key]> }

/** Where a protocol has the format of a reply, and the schema in it. */
export type FormatPlaces = { format: string; schema: string }

const chatPlaces: FormatPlaces = { format: 'response_format', schema: 'response_format.json_schema.schema' }

/** What a request asks of its reply; undefined where it may be anything. */
export function constraintOf(request: ConstraintFields, places: FormatPlaces = chatPlaces): Constraint | undefined {
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
  throw new ApiError(400, { message: `${where}: the reply is already constrained by ${first!.where}`, param: where, code: 'invalid_value' })
}

type Placed = Exclude<Constraint, { kind: 'sequence' }>

function formatConstraint(given: ConstraintFields['response_format'], { format: where, schema: schemaWhere }: FormatPlaces): Placed[] {
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
    throw new ApiError(400, { message: `${where}: this text is not JSON`, param: where, code: 'invalid_value' })
  }
}

function patternConstraint(pattern: string | null | undefined, where: string): Placed[] {
  return pattern == null ? [] : [{ kind: 'pattern', pattern, where }]
}

function choiceConstraint(choices: readonly string[] | null | undefined, where: string): Placed[] {
  return choices == null ? [] : [{ kind: 'choice', choices, where }]
}

/** Whether a model can keep to a constraint is found out before it is asked. */
export function checkConstraint(constraint: Constraint | undefined, { model, name }: ServedModel): void {
  if (!constraint) return
  try {
    model.checkConstraint?.(constraint)
  } catch (error) {
    if (!(error instanceof PromptError) || !error.where.endsWith('constrain_by')) throw error
    // How the server behind this one is told is nothing that a client could change.
    const where = 'where' in constraint ? constraint.where : undefined
    throw new ApiError(400, {
      message: `${where}: the server of ${name} cannot enforce this; use a JSON schema`,
      param: where,
      code: 'unsupported',
    })
  }
}
