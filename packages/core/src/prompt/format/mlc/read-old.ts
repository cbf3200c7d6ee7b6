import { check } from '../../../base/errors/check.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type OldPreset, oldTemplates } from '../presets/mlc-old.ts'
import { checkKeys, refuseFloats, requireKeys, writtenAt } from './check-keys.ts'
import type { HistoryMessage, OldConversation } from './mlc-conversation.ts'
import { newKeys, type OldConversationConfig, oldConversationSchema, oldKeys, separatorStyles } from './mlc-schema.ts'
import { systemParts } from './system-parts.ts'

const styles = ['chat', 'code-completion', 'lm'] as const

/** The optional keys of a complete config of document 003: its own example has no `prefix_tokens`. */
const optional = ['offset', 'prefix_tokens']

/** A named template of the old generation, to be changed or rendered. */
export function oldFromPreset(key: string, preset: OldPreset, path: string): OldConversation {
  const [before, text, after] = typeof preset.system === 'string' ? ['', preset.system, ''] : (preset.system ?? ['', '', ''])
  return {
    generation: 'old',
    name: preset.name ?? key,
    system: { before, text, after },
    roles: twoRoles(preset.roles ?? [], path),
    history: historyOf(preset.messages ?? []),
    style: styleOf(preset.separator_style ?? 0),
    seps: preset.seps ?? [],
    roleMessageSep: preset.role_msg_sep ?? '',
    roleEmptySep: preset.role_empty_sep ?? '',
    stopText: preset.stop_str ?? '',
    stopIds: preset.stop_tokens ?? [],
    addBos: preset.add_bos ?? false,
    prefixIds: preset.prefix_tokens ?? [],
    path,
  }
}

/** Reads `conv_config`: a complete template, or changes to one. */
export function readOld(given: Record<string, unknown>, where: string, base?: OldConversation): OldConversation {
  checkKeys(given, oldKeys, newKeys, where)
  for (const [key, value] of Object.entries(given)) refuseFloats(value, `${where}.${key}`)
  const config = check(oldConversationSchema, given, where)
  if (!base) {
    const required = oldKeys.filter((key) => !optional.includes(key))
    requireKeys(given, required, where, 'add it, or name a conv_template that this changes')
  }
  const start = base ?? oldFromPreset('', { roles: ['', ''] }, where)
  const { system, messages, stop_str: stopText } = config
  return {
    ...start,
    name: config.name ?? start.name,
    system: system === undefined ? start.system : systemParts(system, base ? base.system : shippedSystem(config.name)),
    roles: config.roles === undefined ? start.roles : twoRoles(config.roles, where),
    ...keptHistory(messages === undefined ? start.history : historyOf(messages), config.offset, where),
    style: config.separator_style === undefined ? start.style : styleOf(config.separator_style),
    seps: config.seps ?? start.seps,
    roleMessageSep: config.role_msg_sep ?? start.roleMessageSep,
    roleEmptySep: config.role_empty_sep ?? start.roleEmptySep,
    stopText: stopText ?? start.stopText,
    stopIds: config.stop_tokens ?? start.stopIds,
    addBos: config.add_bos ?? start.addBos,
    prefixIds: config.prefix_tokens ?? start.prefixIds,
    ...writtenAt(where, given, base),
  }
}

/** The system prompt of the shipped template with this name: a config that was written out has its name and its markup. */
function shippedSystem(name = ''): OldConversation['system'] | undefined {
  const found = Object.entries(oldTemplates).find(([key, preset]) => (preset.name ?? key) === name)
  return found && oldFromPreset(found[0], found[1], '').system
}

/** The whole template as document 003 writes it. */
export function writeOld(conversation: OldConversation): OldConversationConfig {
  const { name, system, roles, history, style, seps, roleMessageSep, roleEmptySep, stopText, stopIds, addBos, prefixIds } = conversation
  return {
    name,
    system: system.before + system.text + system.after,
    roles: [...roles],
    messages: history.map(({ role, text }) => (text === undefined ? [role] : [role, text])),
    offset: history.length,
    separator_style: styles.indexOf(style) as 0 | 1 | 2,
    seps: [...seps],
    role_msg_sep: roleMessageSep,
    role_empty_sep: roleEmptySep,
    stop_str: stopText,
    stop_tokens: [...stopIds],
    add_bos: addBos,
    prefix_tokens: [...prefixIds],
  }
}

function styleOf(style: NonNullable<OldConversationConfig['separator_style']>): OldConversation['style'] {
  return styles[typeof style === 'number' ? style : separatorStyles.indexOf(style)]!
}

function twoRoles(roles: readonly string[], where: string): [string, string] {
  const [user, assistant] = roles
  if (roles.length === 2) return [user!, assistant!]
  throw new PromptError('wrong-value', {
    where: `${where}.roles`,
    problem: `expected two roles, found ${roles.length}`,
    fix: 'name the user and the model, e.g. ["USER", "ASSISTANT"]',
  })
}

function historyOf(messages: readonly (readonly string[])[]): HistoryMessage[] {
  return messages.map(([role, text]) => (text === undefined ? { role: role! } : { role: role!, text }))
}

/** `messages` up to `offset` precede every conversation; the document's "point we start from examples". */
function keptHistory(
  history: readonly HistoryMessage[],
  offset: number | undefined,
  where: string,
): Pick<OldConversation, 'history' | 'leftOut'> {
  if (offset === undefined || offset === history.length) return { history }
  if (offset >= 0 && offset < history.length) return { history: history.slice(0, offset), leftOut: history.length - offset }
  throw new PromptError('wrong-value', {
    where: `${where}.offset`,
    problem: `the offset is ${offset}, and there are ${history.length} messages`,
    fix: history.length === 0 ? 'leave it out, or write 0' : `use 0 to ${history.length}, or leave it out to keep all messages`,
  })
}
