import { check, placeOf, whatIsRefused } from '../../../base/errors/check.ts'
import { nearestName } from '../../../base/errors/nearest.ts'
import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import { control, type TextPiece, textOf } from '../../../base/text/index.ts'
import { readAffix } from '../../conversation/affix.ts'
import type { Affix } from '../../conversation/conversation.ts'
import { readText, type TemplateText } from '../../conversation/fill.ts'
import type { Stop } from '../format.ts'
import {
  apiMetaTemplateSchema,
  lenientApiMetaTemplateSchema,
  metaTemplateOutline,
  metaTemplateSchema,
  type RoleConfig,
} from './meta-template-schema.ts'

/** How one role of a meta template is written. */
export type Role = {
  name: string
  begin: Affix
  end: Affix
  /** Its text if the dataset gives none. */
  prompt?: TemplateText
  generate: boolean
  apiRole?: string
  path: string
}

/** A compiled meta template. */
export type MetaTemplate = {
  begin: Affix
  end: Affix
  /** Undefined if the meta template has none: the dataset's turns are then used unchanged. */
  round?: readonly (Role | { text: readonly TextPiece[] })[]
  /** All roles by name, including reserved ones. */
  roles: ReadonlyMap<string, Role>
  /** Where the model stops: `eos`, and the end of the generating role. */
  stop: readonly Stop[]
  /** The stops of `eos_token_id`: a property of the model, independent of the prompt. */
  eos: readonly Stop[]
  /** Whether it writes messages. */
  api: boolean
  /** Notes about dropped parts, for its prompts. */
  notes: readonly Note[]
}

export type ReadOptions = { where: string; quirks: Quirks; api: boolean }

/** The reference's checks when a model is created: lists where lists belong, a role in each entry, no role twice. */
export function checkOutline(config: unknown, { where, api }: ReadOptions): void {
  const { round, reserved_roles: reserved = [] } = check(metaTemplateOutline, config, where)
  if (round === undefined && api) {
    const near = nearestName('round', Object.keys(config as object))
    throw new PromptError('missing', {
      where: `${where}.round`,
      problem: '"round" is missing',
      fix: near === undefined ? 'name the roles and their api_role' : `did you mean it by "${near}"?`,
    })
  }
  const seen = new Map<string, string>()
  const entries = [
    ...(round ?? []).map((role, index) => ({ role, path: placeOf(where, ['round', index]) })),
    ...reserved.map((role, index) => ({ role, path: placeOf(where, ['reserved_roles', index]) })),
  ]
  for (const { role, path } of entries) {
    if (typeof role === 'string') continue
    const first = seen.get(role.role)
    if (first !== undefined) {
      throw new PromptError('duplicate-role', {
        where: `${path}.role`,
        problem: `role "${role.role}" is already defined at ${first}`,
        fix: 'define every role once',
      })
    }
    seen.set(role.role, path)
  }
}

/** Compiles a meta template. */
export function readMetaTemplate(config: unknown, options: ReadOptions): MetaTemplate {
  const { where, quirks, api } = options
  const schema = api ? (quirks.has('api-role-unknown') ? lenientApiMetaTemplateSchema : apiMetaTemplateSchema) : metaTemplateSchema
  const notes: Note[] = []
  const meta = check(schema, config, where, { quirks, notes })
  if (schema === lenientApiMetaTemplateSchema) notes.push(...whatIsRefused(() => check(apiMetaTemplateSchema, config, where, { quirks })))
  const round = meta.round?.map((entry, index) => {
    const path = placeOf(where, ['round', index])
    return typeof entry === 'string' ? { text: [control(entry, { by: 'format', path })] } : readRole(entry, path, options)
  })
  const reserved = meta.reserved_roles?.map((role, index) => readRole(role, placeOf(where, ['reserved_roles', index]), options)) ?? []
  const roles = new Map([...(round ?? []).filter((entry) => 'name' in entry), ...reserved].map((role) => [role.name, role]))
  const eos = readEos(meta.eos_token_id, `${where}.eos_token_id`)
  return {
    begin: api ? [] : readAffix((meta.begin as string | undefined) ?? '', { by: 'format', path: `${where}.begin` }),
    end: readAffix(meta.end ?? '', { by: 'format', path: `${where}.end` }),
    ...(round ? { round } : {}),
    roles,
    stop: [...eos, ...[...roles.values()].flatMap((role) => (role.generate ? stopsOfEnd(role.end) : []))],
    eos,
    api,
    notes,
  }
}

function readRole(config: RoleConfig, path: string, { api }: ReadOptions): Role {
  const begin = readAffix(config.begin ?? '', { by: 'format', path: `${path}.begin` })
  const end = readAffix(config.end ?? '', { by: 'format', path: `${path}.end` })
  if (api) for (const piece of [...begin, ...end]) if ('ids' in piece) throw idsInMessage(piece.source.path)
  if (api && config.api_role === undefined) {
    throw new PromptError('missing', {
      where: `${path}.api_role`,
      problem: `"api_role" is missing for role "${config.role}"`,
      fix: 'write HUMAN, BOT or SYSTEM',
    })
  }
  return {
    name: config.role,
    begin,
    end,
    ...(config.prompt === undefined ? {} : { prompt: readText(config.prompt, `${path}.prompt`, {}, { control: false, by: 'format' }) }),
    generate: config.generate ?? false,
    ...(config.api_role === undefined ? {} : { apiRole: config.api_role }),
    path,
  }
}

export function idsInMessage(where: string): PromptError {
  return new PromptError('token-ids-in-message', {
    where,
    problem: 'a chat server takes messages, and token ids cannot stand in them',
    fix: 'write the text of the tokens, or use a completion model',
  })
}

function readEos(eos: number | string | readonly (number | string)[] | null | undefined, path: string): Stop[] {
  const named = eos === undefined || eos === null ? [] : [eos].flat()
  return named.map((token) =>
    typeof token === 'number' ? { id: token, source: { by: 'format', path } } : { token, source: { by: 'format', path } },
  )
}

/** Many formats end a turn with a bare newline, on which generation must not stop: white space is not a stop. */
export function stopsOfEnd(end: Affix): Stop[] {
  const firstIds = end.findIndex((piece) => 'ids' in piece)
  const text = textOf(firstIds < 0 ? end : end.slice(0, firstIds)).trimEnd()
  if (text !== '') return [{ text, source: end[0]!.source }]
  const ids = end[firstIds]
  return ids && 'ids' in ids ? [{ id: ids.ids[0]!, source: ids.source }] : []
}
