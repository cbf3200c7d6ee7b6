import { suggestName } from '../config/nearest.ts'
import { type Conversation, type Item, isLoose, type LooseText, type Section, type Turn } from '../conversation/conversation.ts'
import type { Note } from '../note.ts'
import { PromptError } from '../prompt-error.ts'
import { textOf } from '../text/index.ts'
import type { Traits } from './traits.ts'

/** The names that evaluation templates and chat messages have for the same speakers. */
const sameRole: ReadonlyMap<string, string> = new Map([
  ['user', 'HUMAN'],
  ['assistant', 'BOT'],
  ['system', 'SYSTEM'],
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
])

/**
 * Brings a conversation into the shape a format can take: every turn gets a role the format knows, text without a role
 * is treated as the format needs it. What was changed is noted; what cannot be said is an error.
 */
export function adaptConversation(conversation: Conversation, traits: Traits, formatName: string): Conversation {
  if (conversation.kind === 'text') return conversation
  const notes: Note[] = []
  let isStart = true
  const sections = conversation.sections.map((section): Section => {
    const items: Item[] = []
    for (const item of section.items) {
      if (isLoose(item)) {
        const adapted = adaptLooseText(item, traits, formatName, notes)
        isStart &&= adapted.every((turn) => !isLoose(turn) && turn.role === systemSlot)
        items.push(...adapted)
      } else {
        const adapted = adaptTurn(item, traits, formatName, notes, isStart)
        isStart &&= adapted.role === systemSlot
        items.push(adapted)
      }
    }
    return { ...section, items }
  })
  return { ...conversation, sections, notes: [...conversation.notes, ...notes] }
}

/** The role of turns that fill a format's system slot. */
export const systemSlot = 'system'

/** A system turn at the start fills the slot; elsewhere, or without a slot, it is said by its fallback role or refused. */
function adaptTurn(given: Turn, traits: Traits, formatName: string, notes: Note[], isStart: boolean): Turn {
  const turn = given.role === 'developer' ? developerAsSystem(given, traits, formatName, notes) : given
  const isSystem = turn.role === 'SYSTEM' || turn.role === 'system'
  if (!isSystem || traits.system === undefined || traits.system === 'turn') return adaptRole(turn, traits, formatName, notes)
  if (traits.system === 'slot' && isStart) return { ...turn, role: systemSlot }
  if (turn.fallbackRole !== undefined) return adaptRole(turn, traits, formatName, notes)
  throw new PromptError('no-system-slot', {
    where: `${turn.path}.role`,
    problem: `${formatName} takes a system text ${traits.system === 'slot' ? 'only before everything else' : 'nowhere'}`,
    fix: `give the turn a fallback_role${traits.system === 'slot' ? ', or move it to the start' : ''}`,
  })
}

/** OpenAI's newer name for who instructs the model, which only models trained with it tell apart from the system. */
function developerAsSystem(turn: Turn, { roles }: Traits, formatName: string, notes: Note[]): Turn {
  if (!turn.message || turn.fallbackRole !== undefined || !roles || roles.includes(turn.role)) return turn
  notes.push({
    code: 'developer-as-system',
    where: `${turn.path}.role`,
    text: `${formatName} has no role "developer", so "system" says it`,
  })
  return { ...turn, role: 'system' }
}

function adaptRole(turn: Turn, { roles }: Traits, formatName: string, notes: Note[]): Turn {
  const { role, fallbackRole } = turn
  if (!roles || roles.includes(role)) return turn
  // The fallback role is what the author asked for; other names for the same speaker are tried after it.
  const exact = fallbackRole !== undefined && roles.includes(fallbackRole) ? fallbackRole : undefined
  const alias = exact === undefined ? sameSpeaker(role, roles) : undefined
  if (alias !== undefined) return { ...turn, role: alias }
  const fallback = exact ?? (fallbackRole === undefined ? undefined : sameSpeaker(fallbackRole, roles))
  if (fallback === undefined) throw unknownRole(turn, roles, formatName)
  notes.push({ code: 'fallback-role', where: turn.path, text: `${formatName} has no role "${role}", so "${fallback}" says it` })
  return { ...turn, role: fallback, fellBack: true }
}

/** The format's name for a speaker whom templates or messages call by another. */
function sameSpeaker(role: string, roles: readonly string[]): string | undefined {
  const alias = sameRole.get(role)
  return alias !== undefined && roles.includes(alias) ? alias : undefined
}

function unknownRole({ role, fallbackRole, path }: Turn, roles: readonly string[], formatName: string): PromptError {
  const has = `(it has: ${roles.join(', ')})`
  if (role === '')
    return new PromptError('unknown-role', { where: `${path}.role`, problem: `the turn has no role ${has}`, fix: suggestName(role, roles) })
  if (fallbackRole !== undefined) {
    const problem = `neither role "${role}" nor its fallback_role "${fallbackRole}" is in ${formatName} ${has}`
    return new PromptError('unknown-role', { where: `${path}.fallback_role`, problem, fix: suggestName(fallbackRole, roles) })
  }
  const alias = ['user', 'assistant', 'system'].includes(role) ? sameRole.get(role) : undefined
  const fix = alias
    ? `add a role "${alias}" to the format, e.g. to its reserved_roles`
    : `${suggestName(role, roles)} (or give the turn a fallback_role)`
  return new PromptError('unknown-role', { where: `${path}.role`, problem: `role "${role}" is not in ${formatName} ${has}`, fix })
}

function adaptLooseText(item: LooseText, { looseText, userRole }: Traits, formatName: string, notes: Note[]): Item[] {
  if (looseText === 'verbatim') return [item]
  const text = textOf(item.loose)
  if (text.trim() === '') {
    // A separator has nothing to separate where turns are messages.
    if (text !== '') notes.push({ code: 'blank-text-dropped', where: item.path, text: 'blank text that no role says was left out' })
    return []
  }
  if (looseText === 'drop') {
    notes.push({ code: 'loose-text-dropped', where: item.path, text: 'text that no role says was left out' })
    return []
  }
  if (looseText === 'as-user' && userRole !== undefined) {
    notes.push({
      code: 'loose-text-as-user',
      where: item.path,
      text: `text that has no role is said by "${userRole}"`,
    })
    return [{ role: userRole, content: item.loose, path: item.path, standalone: true }]
  }
  throw new PromptError('loose-text', {
    where: item.path,
    problem: `${JSON.stringify(excerpt(text))} has no role, and ${formatName} takes only turns`,
    fix: 'write { role: …, prompt: … }',
  })
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
