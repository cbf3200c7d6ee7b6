import * as z from '../../base/schema/schema.ts'
import { affixSchema } from './affix-schema.ts'

const nameSchema = z.optional(z.string()).check(z.describe("The speaker's name, e.g. `file` for a list of files (InternLM2)."))

const toolCallsSchema = z
  .optional(z.union([z.string(), z.array(z.looseObject({}))]))
  .check(
    z.describe(
      'The tool calls of this turn, after its text: `[{ name, arguments }]`, or in OpenAI\'s shape. `{field}` is replaced in every string; a string that is only a field keeps the type of its value. Or one string `"{column}"` for a column that contains them.',
    ),
  )

const toolCallIdSchema = z
  .optional(z.string())
  .check(z.describe('For the result of a tool: the id of the call it answers; by default the first call without a result.'))

const carriedFields = { name: nameSchema, tool_calls: toolCallsSchema, tool_call_id: toolCallIdSchema }

const partConfigSchema = z.union([z.string(), z.looseObject({})])

export const turnSchema = z
  .strictObject({
    role: z.string().check(z.describe('The role, one of the model\'s format, e.g. "HUMAN", "BOT", "SYSTEM".')),
    fallback_role: z.nullish(z.string()).check(z.describe('The role to use if the format does not have `role`.')),
    prompt: z.optional(z.string()).check(z.describe("The text; `{field}` is replaced by the row's value.")),
    prompt_mm: z
      .optional(z.union([z.array(partConfigSchema), z.record(z.string(), z.looseObject({}))]))
      .check(
        z.describe(
          'Parts instead of a text, as in AISBench: a list of parts, or an object whose values are parts, e.g. { text: { type: "text", text: "{question}" }, image: { type: "image_url", image_url: { url: "file://{image}" } } }.',
        ),
      ),
    ...carriedFields,
    begin: z.optional(affixSchema).check(z.describe('Overrides what the format writes before the text of this role.')),
    end: z.optional(affixSchema).check(z.describe('Overrides what the format writes after the text of this role.')),
    generate: z.optional(z.boolean()).check(z.describe('Overrides whether the model generates here.')),
    own_line: z
      .optional(z.boolean())
      .check(
        z.describe(
          'For formats without markers (`plain`): a generation prompt ends with the newline before this turn, as in examples and perplexity prompts. By default it ends before the newline, as in OpenCompass.',
        ),
      ),
  })
  .check(z.describe('One turn of a dialogue.'))

// Interfaces have a name in error messages and declaration files, where an inferred type is repeated at every use.
/** One turn of a dialogue. */
export interface TurnConfig extends z.input<typeof turnSchema> {}
const namedTurnSchema: z.Schema<TurnConfig> = turnSchema

const itemSchema = z.union([z.string(), namedTurnSchema])
const partSchema = z.union([z.string(), namedTurnSchema, z.array(itemSchema)])

export const dialogueKeys = ['begin', 'round', 'end'] as const

export const dialogueSchema = z
  .strictObject({
    begin: z
      .optional(partSchema)
      .check(z.describe('What comes first: a string, a turn, or a list of both. The ice token usually goes here.')),
    round: z
      .optional(z.array(itemSchema).check(z.minLength(1)))
      .check(z.describe('The turns of the conversation, in order; without it, only begin and end are written.')),
    end: z.optional(partSchema).check(z.describe('What comes after the last round: a string, a turn, or a list of both.')),
  })
  .check(z.describe('A dialogue: begin, round, end, or some of them.'))

/** A dialogue: begin, round, end. */
export interface DialogueConfig extends z.input<typeof dialogueSchema> {}
const namedDialogueSchema: z.Schema<DialogueConfig> = dialogueSchema

/**
 * `dialogueSchema` plus what the reference accepts: turns without a role, an empty round. The reference has no calls, results or
 * names, and drops them.
 */
export const lenientDialogueSchema = lenientDialogue()

function lenientDialogue() {
  const { name: _, tool_calls: __, tool_call_id: ___, ...shape } = turnSchema.shape
  const turn = z.strictObject({ ...shape, role: z._default(z.string(), '') })
  const item = z.union([z.string(), turn])
  const part = z.union([z.string(), turn, z.array(item)])
  return z.strictObject({ begin: z.optional(part), round: z.optional(z.array(item)), end: z.optional(part) })
}

/** Document 000: an object whose keys are a subset of begin, round, end is a dialogue; any other maps labels. */
export function isDialogue(template: object): boolean {
  return Object.keys(template).every((key) => (dialogueKeys as readonly string[]).includes(key))
}

export const labelsSchema = z
  .record(z.string(), z.union([z.string(), namedDialogueSchema]))
  .check(z.refine((labels) => !isDialogue(labels), 'a dialogue'))
  .check(z.meta({ not: { propertyNames: { enum: [...dialogueKeys] } } }), z.describe('One template per label, for perplexity.'))

export const templateSchema = z.union([z.string(), namedDialogueSchema, labelsSchema])

const typeSchema = z.optional(z.string()).check(z.describe('The class in OpenCompass; optional here.'))
const iceTokenSchema = z.nullish(z.string().check(z.minLength(1))).check(z.describe('The placeholder for the examples, e.g. "</E>".'))

export const promptTemplateSchema = z
  .strictObject({
    type: typeSchema,
    template: templateSchema.check(z.describe('A string, a dialogue, or one template per label.')),
    ice_token: iceTokenSchema,
    sep_token: z
      .nullish(z.string().check(z.minLength(1)))
      .check(z.describe('Separates context and answer; removed before the prompt is sent.')),
    column_token_map: z
      .nullish(z.record(z.string(), z.string().check(z.minLength(1))))
      .check(z.describe('Column → its placeholder in the template, e.g. { input: "</input>" }.')),
  })
  .check(z.describe('A template of strings or dialogues.'))

/** The settings around the template, which has its own decoding rule. */
export const promptTemplateOutline = z.strictObject({ ...promptTemplateSchema.shape, template: z.optional(z.unknown()) })
/** As `promptTemplateOutline`; the reference accepts an empty ice token. */
export const lenientPromptTemplateOutline = z.strictObject({ ...promptTemplateOutline.shape, ice_token: z.nullish(z.string()) })

export const messageRoles = ['system', 'user', 'assistant', 'tool', 'environment', 'function', 'developer'] as const

export const messageSchema = z
  .strictObject({
    role: z.enum(messageRoles).check(z.describe('The role; `tool` (for InternLM2 also `environment`) is the result of a call.')),
    content: z
      .optional(z.union([z.string(), z.array(partConfigSchema)]))
      .check(
        z.describe(
          'The text, or a list of parts: `{ type: "text", text }`, `{ type: "image_url", image_url: { url } }` and so on. `{field}` is replaced by the row\'s value in every string; an entry that is only a field may be a list of parts. Required unless there are tool_calls.',
        ),
      ),
    ...carriedFields,
  })
  .check(z.describe('A chat message.'))

export const expandSchema = z
  .strictObject({ expand_column: z.string().check(z.describe('The column whose list of messages is inserted here.')) })
  .check(z.describe('Messages from the row.'))

export const messagesTemplateSchema = z
  .strictObject({
    type: typeSchema,
    messages: z
      .array(z.union([z.string(), expandSchema, messageSchema]))
      .check(z.describe('Chat messages; the ice token may be one of them, as a string.')),
    ice_token: iceTokenSchema,
    format_variables: z.optional(z.boolean()).check(z.describe('Whether `{field}` is replaced; true by default.')),
  })
  .check(z.describe('A template of chat messages (RawPromptTemplate).'))
