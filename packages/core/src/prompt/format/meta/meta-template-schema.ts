import * as z from '../../../base/schema/schema.ts'
import { affixSchema } from '../../conversation/affix-schema.ts'

export const apiRoles = ['HUMAN', 'BOT', 'SYSTEM', 'user', 'assistant', 'system'] as const

export const roleSchema = z
  .strictObject({
    role: z.string().check(z.describe('The name that templates use for this role; it does not appear in the prompt.')),
    begin: z.optional(affixSchema).check(z.describe('Text or token ids before the text of this role.')),
    end: z.optional(affixSchema).check(z.describe('Text or token ids after the text of this role.')),
    prompt: z
      .optional(z.string())
      .check(z.describe("Text of this role if the dataset gives none; `{field}` is replaced by the row's value.")),
    generate: z.optional(z.boolean()).check(z.describe('This role is the model: a generation prompt ends after its `begin`.')),
    api_role: z.optional(z.enum(apiRoles)).check(z.describe('For API models: the role in the messages.')),
  })
  .check(z.describe('How one role is written.'))

const eosSchema = z.union([
  z.int().check(z.nonnegative()),
  z.string().check(z.minLength(1)),
  z.array(z.union([z.int().check(z.nonnegative()), z.string().check(z.minLength(1))])),
])

const metaShape = {
  reserved_roles: z.optional(z.array(roleSchema)).check(z.describe('Roles that are not part of every round, e.g. SYSTEM.')),
  eos_token_id: z.nullish(eosSchema).check(z.describe('EOS: a token id, a token, or a list of both.')),
}

export const metaTemplateSchema = z
  .strictObject({
    begin: z.optional(affixSchema).check(z.describe('What the prompt starts with.')),
    round: z
      .optional(z.array(z.union([z.string(), roleSchema])).check(z.minLength(1)))
      .check(z.describe('How each role of one round is written, in order; strings are written in every round.')),
    end: z.optional(affixSchema).check(z.describe('What a complete prompt ends with.')),
    ...metaShape,
  })
  .check(z.describe('How a language model expects a conversation to be written.'))

const apiBeginTurn = z.strictObject({ role: z.string(), prompt: z.string(), api_role: z.optional(z.enum(apiRoles)) })
export const apiMetaTemplateSchema = z
  .strictObject({
    begin: z
      .optional(z.union([z.string(), apiBeginTurn, z.array(z.union([z.string(), apiBeginTurn]))]))
      .check(z.describe('What the messages start with: text, a turn, or a list of both.')),
    round: z.array(roleSchema).check(z.minLength(1), z.describe('The roles of one round, in order, each with its api_role.')),
    end: z.optional(z.string()).check(z.describe('Text after the last message of a complete prompt.')),
    ...metaShape,
  })
  .check(z.describe('Which messages an API model gets.'))

const anyRoleSchema = z.strictObject({ ...roleSchema.shape, api_role: z.optional(z.string()) })
/** As `apiMetaTemplateSchema`; the reference accepts any api_role. */
export const lenientApiMetaTemplateSchema = z.strictObject({
  ...apiMetaTemplateSchema.shape,
  begin: z.optional(z.unknown()),
  round: z.array(anyRoleSchema).check(z.minLength(1)),
  reserved_roles: z.optional(z.array(anyRoleSchema)),
})

/** The reference's checks when a model is created; it finds other mistakes only when a dialogue is rendered. */
export const metaTemplateOutline = z.looseObject({
  round: z.optional(z.array(z.union([z.string(), z.looseObject({ role: z.string() })]))),
  reserved_roles: z.optional(z.array(z.looseObject({ role: z.string() }))),
})

export const messagesMetaTemplateSchema = z
  .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
  .check(z.describe("Messages that are merged into the prompt's own (API models only)."))

export type MetaTemplateConfig = z.input<typeof metaTemplateSchema>
export type RoleConfig = z.output<typeof anyRoleSchema>
