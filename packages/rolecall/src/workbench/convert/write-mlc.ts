import type { NewConversationConfig, OldConversationConfig } from '@rolecall/core/internal/format'
import { commonEnd } from './cut.ts'
import type { Layout, StopsAndPrefix, SystemLayout } from './format-layout.ts'
import { type Abilities, type Loss, lossesOf } from './losses.ts'

/** An MLC conversation template, of either generation, with its losses. */
export type WrittenMlc =
  | { generation: 'new'; config: NewConversationConfig; losses: Loss[] }
  | { generation: 'old'; config: OldConversationConfig; losses: Loss[] }

/** Writes a layout as MLC conversation templates, the current generation first. */
export function writeMlc(layout: Layout, stopsAndPrefix: StopsAndPrefix): WrittenMlc[] {
  const old = writeOldMlc(layout, stopsAndPrefix)
  return layout.writes === 'last-words' ? [old] : [writeNewMlc(layout, stopsAndPrefix), old]
}

const newAbilities: Abilities = { language: 'a conversation template', stripsReasoning: ['newlines'], systemJoint: '\n', tools: true }

function writeNewMlc(layout: Layout, { prefixIds, stopTexts, stopTokens, stopIds }: StopsAndPrefix): WrittenMlc {
  const { turns, absent, system, tools } = layout
  const { user, assistant, content, empty, inFrontOfAnswer } = roleSeparators(layout)
  const losses = lossesOf(layout, newAbilities)
  const own = ownSystem(layout, losses)
  // Users and tools share a separator; the rest goes into their templates.
  const common = turns.tool === undefined ? turns.user!.end : commonEnd(turns.user!.end, turns.tool.end)
  const [afterUser, afterAssistant] = [common, turns.assistant!.end]
  const restOf = (end: string) => end.slice(0, end.length - common.length)
  const role = (begin: string) => begin.slice(0, begin.length - content.length)
  const shown = typeof tools === 'object' ? tools : undefined
  const userParts = { begin: '', end: restOf(turns.user!.end) }
  if (shown?.place === 'user-end') userParts.end = `${shown.before}{function_string}${restOf(turns.user!.end).slice(shown.before.length)}`
  if (shown?.place === 'user-begin') userParts.begin = `{function_string}${shown.after}`
  // Remove what the role template contains from the role and the separator.
  const userRole = shown?.place === 'user-begin' ? user.slice(0, user.length - shown.after.length) : user
  const beyond = shown?.place === 'user-end' ? Math.max(0, shown.before.length - restOf(turns.user!.end).length) : 0
  const userEnd = afterUser.slice(beyond)
  return {
    generation: 'new',
    losses,
    config: {
      name: layout.name,
      system_template: withFunctions(own.template, shown?.place === 'opening' ? openingRest(shown.after, turns.user!.begin) : undefined),
      system_message: own.message,
      system_prefix_token_ids: prefixIds.length === 0 ? null : [...prefixIds],
      add_role_after_system_message: absent.withRole && (system?.withRole ?? true),
      roles: { user: userRole, assistant, ...(turns.tool ? { tool: role(turns.tool.begin) } : {}) },
      role_templates: {
        user: `${userParts.begin}{user_message}${userParts.end}`,
        assistant: `${inFrontOfAnswer}{assistant_message}`,
        tool: `{tool_message}${turns.tool === undefined ? '' : restOf(turns.tool.end) + afterUser.slice(0, beyond)}`,
      },
      messages: [],
      seps: userEnd === afterAssistant ? [userEnd] : [userEnd, afterAssistant],
      role_content_sep: content,
      role_empty_sep: empty,
      stop_str: [...new Set([...stopTexts, ...stopTokens])],
      stop_token_ids: [...stopIds],
      strip_reasoning_in_history: layout.stripsReasoning !== undefined,
      function_string: '',
      use_function_calling: shown !== undefined,
    },
  }
}

/** The part of an opening after the list of tools, without the start of the first turn. */
function openingRest(after: string, begin: string): string {
  return after.endsWith(begin) ? after.slice(0, after.length - begin.length) : after
}

function withFunctions(template: string, rest: string | undefined): string {
  if (rest === undefined || !template.endsWith(rest)) return template
  return `${template.slice(0, template.length - rest.length)}{function_string}${rest}`
}

/** The default system text and its markup. MLC always writes the markup. */
function ownSystem({ absent, system }: Layout, losses: Loss[]): { template: string; message: string } {
  if (system === undefined) return { template: absent.text, message: '' }
  const template = `${system.before}{system_message}${system.after}`
  const message = between(absent.text, system)
  if (message !== undefined) return { template, message }
  losses.push({
    features: ['no-system'],
    why: `without a system message there is no markup, but a conversation template writes it around an empty text`,
  })
  return { template, message: '' }
}

function between(text: string, { before, after }: SystemLayout): string | undefined {
  const fits = text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length
  return fits ? text.slice(before.length, text.length - after.length) : undefined
}

const oldAbilities: Abilities = {
  language: 'an old-generation conversation template',
  joinsNeighbours: true,
  endsByPosition: true,
  emptySystem: true,
  systemJoint: '\n',
}

function writeOldMlc(layout: Layout, { prefixIds, stopTexts, stopTokens, stopIds }: StopsAndPrefix): WrittenMlc {
  const { turns, absent, system, ends } = layout
  const { user, assistant, content, empty, inFrontOfAnswer } = roleSeparators(layout)
  const losses = lossesOf(layout, oldAbilities)
  const seps = ends ?? (turns.user!.end === turns.assistant!.end ? [turns.user!.end] : [turns.user!.end, turns.assistant!.end])
  const opening = openingOf(absent.text, system, seps[0]!, layout)
  if (system !== undefined && between(absent.text, system) === undefined)
    losses.push({ features: ['system'], why: 'the markup around a system message cannot be separated from a default system text' })
  if (inFrontOfAnswer !== '') losses.push({ features: ['past-answer'], why: 'both roles must be followed by the same text' })
  const stops = [...stopTexts, ...stopTokens]
  return {
    generation: 'old',
    losses,
    config: {
      name: layout.name,
      system: opening.system,
      roles: [user, assistant],
      messages: opening.history,
      offset: opening.history.length,
      separator_style: layout.writes === 'last-words' ? 2 : 0,
      seps: [...seps],
      role_msg_sep: content,
      role_empty_sep: empty,
      stop_str: stops[0] ?? '',
      stop_tokens: [...stopIds],
      add_bos: false,
      prefix_tokens: [...prefixIds],
    },
  }
}

type OldOpening = { system: string; history: string[][] }

/** The system text, followed by its separator, and the history after it. */
function openingOf(text: string, system: SystemLayout | undefined, separator: string, layout: Layout): OldOpening {
  const own = system && between(text, system)
  const after = own === undefined ? text : system!.after
  const head = own === undefined ? '' : system!.before + own
  const at = after.indexOf(separator)
  const whole = { system: text.endsWith(separator) ? text.slice(0, text.length - separator.length) : text, history: [] }
  if (separator === '' || at < 0 || own === undefined) return whole
  const history = readHistory(after.slice(at + separator.length), layout)
  return history === undefined ? whole : { system: head + after.slice(0, at), history }
}

/** Parses a text into turns by the markers of user and assistant; undefined if it is something else. */
function readHistory(text: string, layout: Layout): string[][] | undefined {
  const { turns, ends } = layout
  const { content } = roleSeparators(layout)
  const messages: string[][] = []
  const roles = [turns.user!, turns.assistant!]
  let rest = text
  for (let index = 0; rest !== ''; index++) {
    const { begin, end: byRole } = roles[index % 2]!
    const end = ends ? ends[index % ends.length]! : byRole
    if (!rest.startsWith(begin)) return undefined
    const next = end + roles[(index + 1) % 2]!.begin
    const found = rest.indexOf(next, begin.length)
    const at = found >= 0 ? found : rest.endsWith(end) ? rest.length - end.length : -1
    if (at < begin.length) return undefined
    messages.push([begin.slice(0, begin.length - content.length), rest.slice(begin.length, at)])
    rest = rest.slice(at + end.length)
  }
  return messages
}

/** How MLC starts a turn: the role, then a separator before the content, or one for an empty reply. */
export type RoleSeparators = {
  user: string
  assistant: string
  /** Between a role and its content. */
  content: string
  /** After the assistant role in a generation prompt. */
  empty: string
  /** The rest before the assistant's content, if the roles end differently. */
  inFrontOfAnswer: string
}

/** Splits turn starts as MLC does: the common prefix of a past answer and the reply is the role. */
export function roleSeparators({ turns, reply }: Layout): RoleSeparators {
  const [user, assistant] = [turns.user!.begin, turns.assistant!.begin]
  let length = 0
  while (length < Math.min(assistant.length, reply.length) && assistant[length] === reply[length]) length++
  const content = assistant.slice(length)
  const empty = reply.slice(length)
  const role = assistant.slice(0, length)
  const isCommon = [user, ...(turns.tool ? [turns.tool.begin] : [])].every((begin) => begin.endsWith(content))
  if (!isCommon) return { user, assistant: role, content: '', empty, inFrontOfAnswer: content }
  return { user: user.slice(0, user.length - content.length), assistant: role, content, empty, inFrontOfAnswer: '' }
}
