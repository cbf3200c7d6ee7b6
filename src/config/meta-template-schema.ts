import { z } from 'zod'
import { affixSchema } from './template-schema.ts'

export const apiRoles = ['HUMAN', 'BOT', 'SYSTEM', 'user', 'assistant', 'system'] as const

export const roleSchema = z
  .strictObject({
    role: z.string().describe('The name templates use for this speaker; it does not appear in the prompt.'),
    begin: affixSchema.optional().describe('What the model expects before this role speaks.'),
    end: affixSchema.optional().describe('What the model expects after this role has spoken.'),
    prompt: z.string().optional().describe("What is said when the dataset gives nothing; `{field}` is replaced by the row's value."),
    generate: z.boolean().optional().describe('The model speaks here: a generative prompt ends after `begin`.'),
    api_role: z.enum(apiRoles).optional().describe('For API models: who this role is in the messages.'),
  })
  .describe('How one role speaks.')

const eosSchema = z.union([z.int().nonnegative(), z.string().min(1), z.array(z.union([z.int().nonnegative(), z.string().min(1)]))])

const metaShape = {
  reserved_roles: z.array(roleSchema).optional().describe('Roles that are not part of every round, e.g. SYSTEM.'),
  eos_token_id: eosSchema.nullish().describe('Where generation stops: a token id, a token, or a list of both.'),
}

export const metaTemplateSchema = z
  .strictObject({
    begin: affixSchema.optional().describe('What the prompt starts with.'),
    round: z
      .array(z.union([z.string(), roleSchema]))
      .min(1)
      .optional()
      .describe('How each role of one round speaks, in order; strings are written in every round.'),
    end: affixSchema.optional().describe('What a complete prompt ends with.'),
    ...metaShape,
  })
  .describe('How a language model expects a conversation to be written.')

const apiBeginTurn = z.strictObject({ role: z.string(), prompt: z.string(), api_role: z.enum(apiRoles).optional() })
export const apiMetaTemplateSchema = z
  .strictObject({
    begin: z
      .union([z.string(), apiBeginTurn, z.array(z.union([z.string(), apiBeginTurn]))])
      .optional()
      .describe('What the messages start with: text, a turn, or a list of both.'),
    round: z.array(roleSchema).min(1).describe('The roles of one round, in order, each with its api_role.'),
    end: z.string().optional().describe('Text after the last message of a complete prompt.'),
    ...metaShape,
  })
  .describe('Which messages an API model gets.')

const anyRoleSchema = roleSchema.extend({ api_role: z.string().optional() })
/** As `apiMetaTemplateSchema`; the reference takes any api_role. */
export const lenientApiMetaTemplateSchema = apiMetaTemplateSchema.extend({
  begin: z.unknown().optional(),
  round: z.array(anyRoleSchema).min(1),
  reserved_roles: z.array(anyRoleSchema).optional(),
})

/** What the reference checks when a model is made; the rest it finds only when a dialogue is rendered. */
export const metaTemplateOutline = z.looseObject({
  round: z.array(z.union([z.string(), z.looseObject({ role: z.string() })])).optional(),
  reserved_roles: z.array(z.looseObject({ role: z.string() })).optional(),
})

export const messagesMetaTemplateSchema = z
  .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
  .describe("Messages that are merged into the prompt's own (API models only).")

export type MetaTemplateConfig = z.input<typeof metaTemplateSchema>
export type RoleConfig = z.infer<typeof anyRoleSchema>
