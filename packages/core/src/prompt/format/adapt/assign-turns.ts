import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import { plain, type TextPiece } from '../../../base/text/index.ts'
import { type Item, isLoose, type LooseText, type Section, type Turn } from '../../conversation/conversation.ts'
import { fillText } from '../../conversation/fill.ts'
import type { Fields } from '../../conversation/row.ts'
import { type Round, splitRounds } from './rounds.ts'
import { type Ask, type Line, type NextLine, ofExample } from './script.ts'
import type { Rounds, Speaker, Traits } from './traits.ts'

/** `until`: the section where the model speaks; later sections are cut off. */
type Said = { lines: (Line | LooseText)[]; next?: NextLine; until?: number }

type Context = { traits: Traits; quirks: Quirks; notes: Note[]; generates: boolean; answers: boolean }

/** For a generative prompt in which no role is marked to generate. */
const noGeneratingRole: Note = {
  code: 'no-generating-role',
  text: 'no role of the last round has generate: true, so the prompt is complete and the model continues after it',
}

/**
 * The turns in order, and where the model speaks: in the last round, or after the last message of a chat. In generation everything from
 * there on is omitted; for perplexity the model's text there is the answer.
 */
export function assignTurns(sections: readonly Section[], traits: Traits, { want }: Ask, notes: Note[]): Said {
  const generates = (want === 'generate' || want === 'last-round') && !traits.continues
  const context = { traits, quirks: traits.quirks ?? noQuirks, notes, generates, answers: want === 'complete' }
  const speaking = speakingSection(sections)
  const lines: (Line | LooseText)[] = []
  for (const [index, section] of sections.entries()) {
    const said = sayPart(section, context, index === speaking)
    // The usual chat is one section, whose lines need no copy.
    if (sections.length === 1 && said.next) return said
    for (const line of said.lines) lines.push(line)
    if (said.next) return { lines, next: said.next, until: index }
  }
  if (sections.some(({ isAbsent }) => isAbsent) && traits.replyRole !== undefined) return answeredLast(lines, traits.replyRole, context)
  // There are no rounds, and if rounds are written whole the model has none to speak in.
  if (generates && speaking < 0 && traits.replyRole !== undefined && !traits.rounds?.isWhole)
    return { lines, next: { role: traits.replyRole } }
  if (generates) notes.push(noGeneratingRole)
  return { lines }
}

/** Without a round, the model answers after everything else, or speaks the last turn if that is its own. */
function answeredLast(lines: (Line | LooseText)[], role: string, { generates, answers }: Context): Said {
  const last = lines.at(-1)
  const isOwn = last !== undefined && 'role' in last && last.role === role
  if (generates) return isOwn ? { lines: lines.slice(0, -1), next: nextLine(last) } : { lines, next: { role } }
  return { lines: answers && isOwn ? withAnswer(lines, lines.length - 1) : lines }
}

const noQuirks: Quirks = new Set()

function speakingSection(sections: readonly Section[]): number {
  const round = sections.findLastIndex(({ kind }) => kind === 'round')
  return round >= 0 ? round : sections.findLastIndex(isChatSection)
}

function isChatSection({ kind, inside }: Section): boolean {
  return kind === 'chat' || inside === 'chat'
}

function sayPart(section: Section, context: Context, isLast: boolean): Said {
  if (section.isAbsent) return { lines: [] }
  const { rounds } = context.traits
  if (isChatSection(section)) return sayChat(section, context, isLast)
  if (!rounds) return isLast ? sayUntilMarked(section, context) : { lines: sayAlone(section.items, section.fields, context) }
  if (section.kind === 'begin' || section.kind === 'end') return { lines: sayAlone(section.items, section.fields, context) }
  if (section.inside === 'round' && rounds.isWhole) {
    throw new PromptError('examples-in-round', {
      where: section.placedAt ?? 'round',
      problem: 'the examples stand inside the round, where a meta template has no place for them',
      fix: 'move the ice token to begin',
    })
  }
  return sayRounds(section, rounds, context, isLast)
}

/** Messages are written one by one; then it is the model's turn. */
function sayChat({ items, fields }: Section, context: Context, isLast: boolean): Said {
  const { traits, generates, answers } = context
  const lines = sayAlone(items, fields, context)
  if (!isLast) return { lines }
  if (generates) return traits.replyRole === undefined ? { lines } : { lines, next: { role: traits.replyRole } }
  return { lines: answers ? withAnswer(lines, lines.length - 1) : lines }
}

/** Without rounds, only a turn that the dataset itself marks with `generate` is the model's. */
function sayUntilMarked({ items, fields }: Section, context: Context): Said {
  const marked = items.findLastIndex((item) => !isLoose(item) && item.override?.generate === true)
  if (context.generates && marked >= 0)
    return { lines: sayAlone(items.slice(0, marked), fields, context), next: nextLine(items[marked] as Turn) }
  const lines = sayAlone(items, fields, context)
  // In a complete prompt the last text is the answer, whatever role is marked to generate before it.
  const answer = items.findLastIndex((item) => !isLoose(item))
  return { lines: context.answers ? withAnswer(lines, answer) : lines }
}

function sayRounds(section: Section, rounds: Rounds, context: Context, isLast: boolean): Said {
  const { quirks } = context
  // The reference writes a round when it is complete, so that strings among its turns come before it.
  const early = rounds.isWhole && quirks.has('string-in-round') ? section.items.filter(isLoose) : []
  const items = early.length > 0 ? section.items.filter((item) => !isLoose(item)) : section.items
  const split = splitRounds(items, rounds, quirks)
  const lines: (Line | LooseText)[] = [...early]
  for (const [index, round] of split.entries()) {
    const said = sayRound(round, rounds, section.fields, context, isLast && index === split.length - 1)
    lines.push(...said.lines)
    if (said.next) return { lines, next: said.next }
  }
  return { lines }
}

/** A round in the format's order. If it is written whole, roles that the dataset does not mention get their default text or nothing. */
function sayRound(round: Round, rounds: Rounds, fields: Fields | undefined, context: Context, isLast: boolean): Said {
  const lines = sayAlone(round.before, fields, context)
  const answering = isLast && context.answers ? answeringRole(round, rounds) : undefined
  for (const entry of rounds.order) {
    if ('text' in entry) {
      lines.push({ loose: ofExample(entry.text, fields?.example), path: entry.text[0]?.source.path ?? '' })
      continue
    }
    const turn = round.turns.get(entry.name)
    if (isLast && context.generates && generates(entry, turn)) return { lines, next: nextLine(turn ?? { role: entry.name }) }
    if (turn || rounds.isWhole) {
      const line = turn ? sayTurn(turn, entry, fields, context) : sayDefault(entry, fields, context)
      lines.push(entry === answering ? { ...line, answer: true } : line)
    }
    const after = round.after.get(entry.name)
    if (after) lines.push(...sayAlone(after, fields, context))
  }
  return { lines }
}

/** The role whose text is the answer: the generating one, else the last that the dataset mentions. */
function answeringRole({ turns }: Round, { order, isWhole }: Rounds): Speaker | undefined {
  const roles = order.filter((entry) => 'name' in entry)
  const generating = roles.find((role) => generates(role, turns.get(role.name)) && (isWhole || turns.has(role.name)))
  return generating ?? roles.findLast((role) => turns.has(role.name))
}

function generates(role: Speaker, turn: Turn | undefined): boolean {
  return turn?.override?.generate ?? role.generate
}

function nextLine({ role, name, override }: Pick<Turn, 'role' | 'name' | 'override'>): NextLine {
  return {
    role,
    name,
    ...(override?.begin ? { begin: override.begin } : {}),
    ...(override?.end ? { end: override.end } : {}),
  }
}

function sayAlone(items: readonly Item[], fields: Fields | undefined, context: Context): (Line | LooseText)[] {
  const speakers = context.traits.rounds?.speakers
  return items.map((item) => (isLoose(item) ? item : sayTurn(item, speakers?.get(item.role), fields, context)))
}

/** A turn without additions is returned unchanged: the usual case, which allocates nothing. */
function sayTurn(turn: Turn, speaker: Speaker | undefined, fields: Fields | undefined, context: Context): Line {
  const { override } = turn
  const example = fields?.example
  const content = turn.content ?? (speaker && defaultWords(speaker, fields, context))
  if (content === undefined && !turn.calls && context.traits.rounds) noteSilence(turn.role, turn.path, context)
  if (!override && example === undefined && content === turn.content) return turn
  const { override: _, ...said } = turn
  return {
    ...said,
    ...(content ? { content } : {}),
    ...(override?.begin ? { begin: override.begin } : {}),
    ...(override?.end ? { end: override.end } : {}),
    example,
  }
}

function sayDefault(speaker: Speaker, fields: Fields | undefined, context: Context): Line {
  const content = defaultWords(speaker, fields, context)
  if (content === undefined) noteSilence(speaker.name, speaker.path, context)
  return {
    role: speaker.name,
    path: speaker.path,
    ...(content ? { content } : {}),
    ...(fields?.example === undefined ? {} : { example: fields.example }),
  }
}

function defaultWords({ prompt }: Speaker, fields: Fields | undefined, { quirks }: Context): TextPiece[] | undefined {
  if (!prompt) return undefined
  if (fields && !quirks.has('default-prompt-unfilled')) return fillText(prompt, { fields, quirks })
  const text = prompt.segments.map((segment) => segment.text).join('')
  return [plain(text, { by: 'format', path: prompt.path, ...(fields?.example === undefined ? {} : { example: fields.example }) })]
}

function noteSilence(role: string, where: string, { traits, notes }: Context): void {
  const who = traits.rounds?.isWhole ? `neither the dataset nor ${traits.formatName} gives it a prompt` : 'the dataset gives it no prompt'
  notes.push({ code: 'empty-turn', where, text: `role "${role}" speaks here, and ${who}` })
}

function withAnswer(lines: (Line | LooseText)[], index: number): (Line | LooseText)[] {
  const line = lines[index]
  if (line === undefined || isLoose(line as Item)) return lines
  return lines.with(index, { ...(line as Line), answer: true })
}
