import { suggestName } from '../../../base/errors/nearest.ts'
import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { isText } from '../../../base/text/index.ts'
import type { LooseText, Turn } from '../../conversation/conversation.ts'
import { chatRole, isSystemRole, otherName, templateRole } from './role-names.ts'
import type { AdaptedTurn } from './rounds.ts'
import type { LostSystem, Traits } from './traits.ts'

/** The role of turns that fill a format's system slot. */
export const systemSlot = 'system'

/** A turn with a role of the format, a text without a role if the format writes unknown roles so, or an error. */
export function adaptTurn(given: Turn, traits: Traits, notes: Note[], isStart: boolean): AdaptedTurn | LooseText {
  const turn = given.role === 'developer' ? developerAsSystem(given, traits, notes) : given
  if (traits.otherRoles === 'bare' && !hasRole(turn.role, traits)) return bare(turn, notes)
  if (isSystemRole(turn.role)) return adaptSystem(turn, traits, notes, isStart)
  return adaptRole(turn, traits, notes)
}

/** A system turn at the start fills the slot; elsewhere, or without a slot, it uses its fallback role or is refused. */
function adaptSystem(turn: Turn, traits: Traits, notes: Note[], isStart: boolean): AdaptedTurn {
  const { system = 'turn', formatName } = traits
  if (system === 'turn') return adaptRole(turn, traits, notes)
  if (typeof system === 'object') return adaptLostSystem(turn, system, traits, notes)
  if (system === 'slot' && isStart) return { ...turn, role: systemSlot }
  if (turn.fallbackRole !== undefined) return adaptRole(turn, traits, notes)
  throw new PromptError('no-system-slot', {
    where: `${turn.path}.role`,
    problem: `${formatName} takes a system text ${system === 'slot' ? 'only before everything else' : 'nowhere'}`,
    fix: `give the turn a fallback_role${system === 'slot' ? ', or move it to the start' : ''}`,
  })
}

/** A system turn that the format would reject or lose: it uses its fallback role, is put before the user's text, or is an error. */
function adaptLostSystem(turn: Turn, { verb, folds, where }: LostSystem, { formatName }: Traits, notes: Note[]): AdaptedTurn {
  if (turn.fallbackRole !== undefined) {
    const role = chatRole(turn.fallbackRole)
    notes.push({ code: 'fallback-role', where: turn.path, text: `${formatName} ${verb} a system turn, so "${role}" is used` })
    return { ...turn, role, fellBack: true }
  }
  if (!folds)
    throw new PromptError('system-rejected', {
      where: turn.path,
      problem: `${where} ${verb} a system turn`,
      fix: `give the turn a fallback_role, or set roles: "auto" or system_policy: "fold" on the model${verb === 'rejects' ? '' : ' ("drop" sends the prompt without it)'}`,
    })
  const text = `${formatName} ${verb} a system turn, so it stands before the user's words`
  notes.push({ code: 'system-folded', where: turn.path, text })
  return { ...turn, role: systemSlot }
}

/** OpenAI's newer name for the system role, which only models trained with it distinguish. */
function developerAsSystem(turn: Turn, { roles, otherRoles, formatName }: Traits, notes: Note[]): Turn {
  const isTaken = !roles || roles.includes(turn.role) || otherRoles === 'as-given'
  if (!turn.message || turn.fallbackRole !== undefined || isTaken) return turn
  notes.push({
    code: 'developer-as-system',
    where: `${turn.path}.role`,
    text: `${formatName} has no role "developer", so "system" is used`,
  })
  return { ...turn, role: 'system' }
}

function adaptRole(turn: Turn, { roles, otherRoles, formatName }: Traits, notes: Note[]): AdaptedTurn {
  const { role, fallbackRole } = turn
  if (!roles || roles.includes(role)) return turn
  // The author chose the fallback role; other names for the same speaker come after it.
  const exact = fallbackRole !== undefined && roles.includes(fallbackRole) ? fallbackRole : undefined
  const alias = exact === undefined ? sameSpeaker(role, roles) : undefined
  if (alias !== undefined) return { ...turn, role: alias }
  if (otherRoles === 'as-given' && turn.message) return turn
  const fallback = exact ?? (fallbackRole === undefined ? undefined : sameSpeaker(fallbackRole, roles))
  if (fallback === undefined) throw unknownRole(turn, roles, formatName)
  notes.push({ code: 'fallback-role', where: turn.path, text: `${formatName} has no role "${role}", so "${fallback}" is used` })
  return { ...turn, role: fallback, fellBack: true }
}

/** The format's name for a role that templates or messages call differently. */
function sameSpeaker(role: string, roles: readonly string[]): string | undefined {
  const alias = otherName(role)
  return alias !== undefined && roles.includes(alias) ? alias : undefined
}

function hasRole(role: string, { roles }: Traits): boolean {
  return !roles || roles.includes(role) || sameSpeaker(role, roles) !== undefined
}

/** As OpenCompass writes a chat: a message whose role the meta template lacks has no marker. */
function bare({ role, content = [], path }: Turn, notes: Note[]): LooseText {
  const kinds = [
    ...new Set(
      content.flatMap((piece) =>
        'media' in piece ? [piece.media.kind === 'image' ? 'images' : piece.media.kind] : 'ids' in piece ? ['token ids'] : [],
      ),
    ),
  ]
  const lost = kinds.length === 0 ? '' : `; its ${kinds.join(' and ')} are left out`
  notes.push({ code: 'role-not-marked', where: path, text: `nothing marks who says this: there is no role "${role}"${lost}` })
  return { loose: content.filter(isText), path }
}

function unknownRole({ role, fallbackRole, path }: Turn, roles: readonly string[], formatName: string): PromptError {
  const has = `(it has: ${roles.join(', ')})`
  if (role === '')
    return new PromptError('unknown-role', { where: `${path}.role`, problem: `the turn has no role ${has}`, fix: suggestName(role, roles) })
  if (fallbackRole !== undefined) {
    const problem = `neither role "${role}" nor its fallback_role "${fallbackRole}" is in ${formatName} ${has}`
    return new PromptError('unknown-role', { where: `${path}.fallback_role`, problem, fix: suggestName(fallbackRole, roles) })
  }
  const alias = templateRole(role)
  const fix = alias
    ? `add a role "${alias}" to the format, e.g. to its reserved_roles`
    : `${suggestName(role, roles)} (or give the turn a fallback_role)`
  return new PromptError('unknown-role', { where: `${path}.role`, problem: `role "${role}" is not in ${formatName} ${has}`, fix })
}
