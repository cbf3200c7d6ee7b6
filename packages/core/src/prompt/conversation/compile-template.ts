import { check, kindOf, placeOf, whatIsRefused } from '../../base/errors/check.ts'
import { nearestName, suggestName } from '../../base/errors/nearest.ts'
import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { readAffix } from './affix.ts'
import { withCallIds } from './call-ids.ts'
import { type Carried, readCarried } from './carried.ts'
import { compileMessages, type MessagesBody, messagesIceToken } from './compile-messages.ts'
import type { Affix } from './conversation.ts'
import { readText, type TemplateText } from './fill.ts'
import { type PartsTemplate, readParts } from './fill-parts.ts'
import {
  dialogueKeys,
  dialogueSchema,
  isDialogue,
  lenientDialogueSchema,
  lenientPromptTemplateOutline,
  messagesTemplateSchema,
  promptTemplateOutline,
  type TurnConfig,
} from './template-schema.ts'
import type { TemplateTokens } from './template-segments.ts'

export type TurnTemplate = {
  role: string
  fallbackRole?: string
  prompt?: TemplateText
  /** Its content as parts, instead of a text. */
  parts?: PartsTemplate
  override?: { begin?: Affix; end?: Affix; generate?: boolean }
  ownLine?: true
  carried?: Carried
  path: string
}

export type ItemTemplate = { loose: TemplateText } | TurnTemplate

export type TextBody = { kind: 'text'; text: TemplateText }
export type DialogueBody = {
  kind: 'dialogue'
  begin: readonly ItemTemplate[]
  round: readonly ItemTemplate[]
  /** It has only a begin, an end or both. */
  lacksRound?: true
  end: readonly ItemTemplate[]
}
export type LabelsBody = { kind: 'labels'; labels: readonly string[]; bodyOf(label: string): TextBody | DialogueBody }

/** A compiled template of the dataset. */
export type CompiledPromptTemplate = {
  body: TextBody | DialogueBody | LabelsBody | MessagesBody
  path: string
  iceToken?: string
  sepToken?: string
  notes: readonly Note[]
}

type Context = { tokens: TemplateTokens; quirks: Quirks; notes: Note[] }

/** Compiles a `prompt_template` or `ice_template`. Mistakes are thrown with their path; `path` is that of the config. */
export function compileTemplate(config: unknown, path: string, quirks: Quirks): CompiledPromptTemplate {
  const notes: Note[] = []
  if (!isObject(config)) {
    throw new PromptError('wrong-type', {
      where: path,
      problem: `expected an object, found ${kindOf(config)}`,
      fix: 'write { template: … } around it',
    })
  }
  if ('messages' in config) {
    const checked = check(messagesTemplateSchema, config, path, { quirks, notes })
    return { body: compileMessages(checked, path, quirks, notes), path, iceToken: messagesIceToken(checked), notes }
  }
  const checked = check(quirks.has('empty-ice-token') ? lenientPromptTemplateOutline : promptTemplateOutline, config, path)
  if (checked.template === undefined) {
    throw new PromptError('missing', {
      where: `${path}.template`,
      problem: '"template" is missing',
      fix: 'add it: a string, a dialogue, or a template for each label',
    })
  }
  const iceToken = checked.ice_token ?? undefined
  const columnTokens = columnTokensOf(checked.column_token_map ?? {}, iceToken, path)
  const sepToken = checked.sep_token ?? undefined
  const context = { tokens: { iceToken, sepToken, columnTokens }, quirks, notes }
  return { body: compileBody(checked.template, `${path}.template`, context), path, iceToken, sepToken, notes }
}

function compileBody(template: unknown, path: string, context: Context): CompiledPromptTemplate['body'] {
  if (typeof template === 'string') return compileText(template, path, context)
  if (!isObject(template)) {
    throw new PromptError('wrong-type', {
      where: path,
      problem: `expected a string, a dialogue or a template for each label, found ${kindOf(template)}`,
      fix: 'write a string such as "{question}" or an object with `round`',
    })
  }
  return isDialogue(template) ? compileDialogue(template, path, context) : compileLabels(template, path, context)
}

function compileText(template: string, path: string, { tokens }: Context, answerFrom?: number): TextBody {
  if (tokens.iceToken && !template.includes(tokens.iceToken)) throw iceTokenMissing(path, tokens.iceToken)
  return { kind: 'text', text: readText(template, path, tokens, { control: true }, answerFrom) }
}

const leniency = ['missing-role', 'empty-round', 'unknown-key'] as const

function compileDialogue(template: object, path: string, context: Context, isLabel = false): DialogueBody {
  const { tokens, quirks, notes } = context
  if (Object.keys(template).length === 0)
    throw new PromptError('missing', { where: `${path}.round`, problem: 'the dialogue is empty', fix: 'write `round`, with its turns' })
  const schema = leniency.some((quirk) => quirks.has(quirk)) ? lenientDialogueSchema : dialogueSchema
  const dialogue = check(schema, template, path, { quirks, notes })
  if (schema === lenientDialogueSchema) notes.push(...whatIsRefused(() => check(dialogueSchema, template, path, { quirks })))
  const { iceToken } = tokens
  const loose = dialogue.round?.findIndex((item) => typeof item === 'string' && item !== iceToken) ?? -1
  if (loose >= 0)
    notes.push({
      code: 'text-in-round',
      where: placeOf(path, ['round', loose]),
      text: 'a round holds turns; this text is written where it stands, without a role',
    })
  // The reference does not check the strings of a label's dialogue; with examples, placing them finds the mistake.
  const hasString = !isLabel && (typeof dialogue.begin === 'string' || typeof dialogue.end === 'string')
  if (iceToken && hasString && !JSON.stringify(template).includes(JSON.stringify(iceToken).slice(1, -1)))
    throw iceTokenMissing(path, iceToken)
  const part = (name: 'begin' | 'round' | 'end'): ItemTemplate[] => {
    const value = dialogue[name]
    if (value === undefined) return []
    if (Array.isArray(value)) return withCallIds(value).map((item, index) => compileItem(item, placeOf(path, [name, index]), context))
    return [compileItem(value, placeOf(path, [name]), context)]
  }
  const lacksRound = dialogue.round === undefined ? { lacksRound: true as const } : {}
  return { kind: 'dialogue', begin: part('begin'), round: part('round'), ...lacksRound, end: part('end') }
}

function compileItem(item: string | (Omit<TurnConfig, 'role'> & { role?: string }), path: string, { tokens }: Context): ItemTemplate {
  if (typeof item === 'string') return { loose: readText(item, path, tokens, { control: true }) }
  const override = {
    ...(item.begin === undefined ? {} : { begin: readAffix(item.begin, { by: 'template', path: `${path}.begin` }) }),
    ...(item.end === undefined ? {} : { end: readAffix(item.end, { by: 'template', path: `${path}.end` }) }),
    ...(item.generate === undefined ? {} : { generate: item.generate }),
  }
  const carried = readCarried(item, path, true)
  if (item.prompt !== undefined && item.prompt_mm !== undefined)
    throw new PromptError('two-contents', {
      where: path,
      problem: 'the turn has both a prompt and a prompt_mm',
      fix: 'keep one of them; a text is a part of prompt_mm',
    })
  return {
    role: item.role ?? '',
    ...(item.fallback_role ? { fallbackRole: item.fallback_role } : {}),
    ...(item.prompt === undefined ? {} : { prompt: readText(item.prompt, `${path}.prompt`, tokens, { control: false }) }),
    ...(item.prompt_mm === undefined ? {} : { parts: readParts(Object.values(item.prompt_mm), `${path}.prompt_mm`, true) }),
    ...(Object.keys(override).length > 0 ? { override } : {}),
    ...(item.own_line ? { ownLine: true as const } : {}),
    ...(carried ? { carried } : {}),
    path,
  }
}

function compileLabels(template: Record<string, unknown>, path: string, context: Context): LabelsBody {
  const labels = Object.keys(template)
  for (const label of labels) checkLabel(template, label, path, context)
  const answerFrom = whereLabelsDiffer(Object.values(template).filter((value) => typeof value === 'string'))
  const compiled = new Map<string, TextBody | DialogueBody>()
  const bodyOf = (label: string) => {
    const known = compiled.get(label)
    if (known) return known
    const value = template[label]
    const where = placeOf(path, [label])
    if (Array.isArray(value)) throw labelIsList(where, label, Object.keys(template))
    const body =
      typeof value === 'string' ? compileText(value, where, context, answerFrom) : compileDialogue(value as object, where, context, true)
    compiled.set(label, body)
    return body
  }
  if (!context.quirks.has('unread-mistake')) for (const label of labels) bodyOf(label)
  return { kind: 'labels', labels, bodyOf }
}

/** The common prefix of the string labels is the question; it ends before the word in which they first differ. */
function whereLabelsDiffer(templates: readonly string[]): number | undefined {
  const [first, ...others] = templates
  if (first === undefined || others.length === 0) return undefined
  let at = 0
  while (at < first.length && others.every((other) => other[at] === first[at])) at++
  // A label must not begin with half a surrogate pair.
  if (at > 0 && /[\ud800-\udbff]/.test(first[at - 1]!)) at--
  while (at > 0 && isWordCharacter(first[at - 1]!) && templates.some((template) => isWordCharacter(template[at] ?? 'x'))) at--
  return at
}

function isWordCharacter(character: string): boolean {
  return /[\p{Script=Latin}\p{N}_']/u.test(character)
}

/** Checks every label up front, as the reference does. */
function checkLabel(template: Record<string, unknown>, label: string, path: string, { tokens }: Context): void {
  const value = template[label]
  const where = placeOf(path, [label])
  if (typeof value === 'string') {
    if (tokens.iceToken && !value.includes(tokens.iceToken)) throw iceTokenMissing(where, tokens.iceToken)
  } else if (typeof value !== 'object' || value === null) {
    throw new PromptError('wrong-type', {
      where,
      problem: `the template of label "${label}" is ${kindOf(value)}`,
      fix: 'write a string or a dialogue with `round`',
    })
  } else if (!Array.isArray(value) && !isDialogue(value)) {
    throw new PromptError('wrong-type', {
      where,
      problem: `the template of label "${label}" is neither a string nor a dialogue (it has: ${Object.keys(value).join(', ')})`,
      fix: 'use only the keys begin, round and end',
    })
  }
}

function labelIsList(where: string, label: string, labels: readonly string[]): PromptError {
  const meantAsDialogue = labels.some((name) => (dialogueKeys as readonly string[]).includes(name))
  const near = nearestName(label, dialogueKeys)
  const stranger = labels.find((name) => !(dialogueKeys as readonly string[]).includes(name)) ?? label
  return new PromptError('wrong-type', {
    where,
    problem: meantAsDialogue
      ? `"${stranger}" makes this a map of labels, but "${label}" holds a list of turns`
      : `the template of label "${label}" is a list`,
    fix: meantAsDialogue
      ? `a dialogue has only the keys begin, round, end: ${suggestName(stranger, dialogueKeys)}`
      : near === undefined
        ? 'write { round: [...] } around it'
        : `did you mean "${near}"?`,
  })
}

function iceTokenMissing(where: string, iceToken: string): PromptError {
  return new PromptError('ice-token-missing', {
    where,
    problem: `the ice token "${iceToken}" does not occur in it, so examples have no place`,
    fix: `write ${iceToken} where the examples go, or remove ice_token`,
  })
}

function columnTokensOf(map: Record<string, string>, iceToken: string | undefined, path: string): ReadonlyMap<string, string> | undefined {
  const tokens = new Map<string, string>()
  for (const [column, token] of Object.entries(map)) {
    const other = token === iceToken ? 'ice_token' : tokens.get(token)
    if (other !== undefined) {
      throw new PromptError('duplicate-token', {
        where: placeOf(path, ['column_token_map', column]),
        problem: `"${token}" already stands for ${other === 'ice_token' ? 'the examples (ice_token)' : `the column "${other}"`}`,
        fix: 'give every column its own token',
      })
    }
    tokens.set(token, column)
  }
  return tokens.size > 0 ? tokens : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
