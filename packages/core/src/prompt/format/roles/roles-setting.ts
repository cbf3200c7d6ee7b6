import * as z from '../../../base/schema/schema.ts'

/** The rungs of the ladder that one kind of turn may take; `auto` takes the first that the template writes. */
const rungs = ['auto', 'native', 'system', 'fold', 'error'] as const

const rolesObjectSchema = z.strictObject({
  developer: z
    .optional(z.enum(rungs))
    .check(z.describe('A developer message: as the role developer, as a system message, folded into a user turn, or an error.')),
  system: z
    .optional(z.enum(['auto', 'native', 'fold', 'error']))
    .check(
      z.describe(
        'A system message before all other messages, in a template that does not write it: put before the first user text, or an error.',
      ),
    ),
  later_system: z
    .optional(z.enum(['auto', 'native', 'fold', 'error']))
    .check(z.describe('A later system message: in its place, folded into the neighbouring user turn, or an error.')),
  tools: z
    .optional(z.enum(['auto', 'native', 'fold', 'error']))
    .check(z.describe('Tools, calls and results that the template does not write: as text, or an error.')),
  images: z
    .optional(z.enum(['auto', 'placeholder', 'error']))
    .check(z.describe('Images, audio and files that the template does not write: a placeholder in the text, or an error.')),
  wrapper: z
    .optional(z.string())
    .check(
      z.describe(
        'The text around a folded message, with {role} and {text}; by default <{role}>, a newline, the text, a newline, </{role}>.',
      ),
    ),
})

/** What `roles` may be in the config of a model. */
export const rolesSchema = z.union([z.enum(['auto', 'strict']), rolesObjectSchema])

/**
 * What becomes of turns that a chat template does not write: `strict` passes all messages to the template as they are, as transformers does;
 * `auto` rewrites what it would lose or refuse; an object sets the rule of one kind of turn, `auto` for the others.
 */
export type RolesSetting = z.output<typeof rolesSchema>

/** The rules of the ladder. */
export type RolesPolicy = Required<z.output<typeof rolesObjectSchema>>

const automatic: RolesPolicy = {
  developer: 'auto',
  system: 'auto',
  later_system: 'auto',
  tools: 'auto',
  images: 'auto',
  wrapper: '<{role}>\n{text}\n</{role}>',
}

/** The rules of a setting; undefined for `strict`, the default. `system` is the rule of the older setting `system_policy`. */
export function rolesPolicy(setting: RolesSetting | undefined, system?: 'error' | 'fold' | 'drop'): RolesPolicy | undefined {
  if (setting === undefined || setting === 'strict') return undefined
  const rules = system === 'error' ? { ...automatic, system } : automatic
  return setting === 'auto' ? rules : { ...rules, ...setting }
}
