import type { Quirks } from '../../config/fidelity.ts'
import { type Affix, type Conversation, type Item, isLoose, type Section, type Turn } from '../../conversation/conversation.ts'
import { fillText } from '../../conversation/fill.ts'
import type { Fields } from '../../dataset/row.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { type Piece, plain, type TextPiece } from '../../text/index.ts'
import type { Ask } from '../format.ts'
import type { MetaTemplate, Role } from './read-meta-template.ts'
import { type Round, roleOf, splitRounds } from './rounds.ts'

/** What is said, in the order it is written: by a role, or by nobody. Language and API models write it in their own way. */
export type Speech =
  | { kind: 'role'; role: Role; begin: Affix; content: readonly Piece[]; end: Affix; answer: boolean; turn?: Turn }
  /** The model speaks here: nothing follows. */
  | { kind: 'cut'; role: Role; begin: Affix; end: Affix }
  | { kind: 'text'; pieces: readonly TextPiece[]; turn?: undefined }

/** For a generative prompt in which no role says that the model speaks. */
export const noGeneratingRole: Note = {
  code: 'no-generating-role',
  text: 'no role of the last round has generate: true, so the prompt is complete and the model continues after it',
}

type Context = { meta: MetaTemplate; quirks: Quirks; notes: Note[]; generate: boolean }

/** Merges a dialogue with the meta template: the dataset's fields win where both define one (document 000). */
export function speakDialogue(
  conversation: Conversation & { kind: 'dialogue' },
  meta: MetaTemplate,
  ask: Ask,
  quirks: Quirks,
): { speeches: Speech[]; notes: Note[] } {
  const notes: Note[] = [...meta.notes]
  const context = { meta, quirks, notes, generate: ask.want === 'generate' }
  const hasRound = conversation.sections.some(({ kind }) => kind === 'round')
  const lastRound = conversation.sections.findLastIndex(({ kind, inside }) =>
    hasRound ? kind === 'round' : kind === 'chat' || inside === 'chat',
  )
  const speeches: Speech[] = []
  for (const [index, section] of conversation.sections.entries()) {
    speeches.push(...speakSection(section, context, index === lastRound))
    if (speeches.at(-1)?.kind === 'cut') return { speeches, notes }
  }
  if (context.generate) notes.push(noGeneratingRole)
  return { speeches, notes }
}

function speakSection(section: Section, context: Context, isLast: boolean): Speech[] {
  if (section.kind === 'chat' || section.inside === 'chat') return speakMessages(section, context, isLast)
  if (section.kind === 'begin' || section.kind === 'end') return section.items.map((item) => speakAlone(item, section.fields, context))
  if (section.inside === 'round') {
    throw new PromptError('examples-in-round', {
      where: section.placedAt ?? 'round',
      problem: 'the examples stand inside the round, where a meta template has no place for them',
      fix: 'move the ice token to begin',
    })
  }
  return speakRounds(section, context, isLast)
}

function speakRounds(section: Section, context: Context, isLast: boolean): Speech[] {
  const { meta, quirks } = context
  // The reference writes a round when it is complete, so that strings among its turns come before it.
  const early = quirks.has('string-in-round') ? section.items.filter(isLoose) : []
  const items = early.length > 0 ? section.items.filter((item) => !isLoose(item)) : section.items
  const rounds = splitRounds(items, meta, quirks)
  const speeches = early.map((item) => speakAlone(item, section.fields, context))
  for (const [index, round] of rounds.entries()) {
    speeches.push(...speakRound(round, section, context, isLast && index === rounds.length - 1))
  }
  return speeches
}

/** The whole round of the meta template, in its order: roles the dataset does not mention speak their default or nothing. */
function speakRound(round: Round, section: Section, context: Context, isLast: boolean): Speech[] {
  const { meta, generate } = context
  const alone = (items: readonly Item[]) => items.map((item) => speakAlone(item, section.fields, context))
  const speeches: Speech[] = alone(round.before)
  const answering = isLast && !generate ? answeringRole(round, meta) : undefined
  for (const entry of meta.round ?? []) {
    if ('text' in entry) {
      speeches.push({ kind: 'text', pieces: ofExample(entry.text, section.fields?.example) })
      continue
    }
    const turn = round.turns.get(entry.name)
    if (isLast && generate && generates(entry, turn))
      return [...speeches, { kind: 'cut', role: entry, begin: turn?.override?.begin ?? entry.begin, end: turn?.override?.end ?? entry.end }]
    const speech = speak(entry, turn, section.fields, context)
    speeches.push(entry === answering ? asAnswer(speech) : speech)
    speeches.push(...alone(round.after.get(entry.name) ?? []))
  }
  return speeches
}

/** Its words are what the model is to produce; a separator in them may have marked a part already. */
function asAnswer(speech: Speech & { kind: 'role' }): Speech {
  const content = speech.content.some((piece) => piece.answer)
    ? speech.content
    : speech.content.map((piece) => ({ ...piece, answer: true as const }))
  return { ...speech, content, answer: true }
}

/** The role whose words are the answer: the generating one, else the last that the dataset lets speak. */
function answeringRole(round: Round, meta: MetaTemplate): Role | undefined {
  const roles = (meta.round ?? []).filter((entry) => 'name' in entry)
  return roles.find((role) => generates(role, round.turns.get(role.name))) ?? roles.findLast((role) => round.turns.has(role.name))
}

function generates(role: Role, turn: Turn | undefined): boolean {
  return turn?.override?.generate ?? role.generate
}

/** Messages are handed on one by one; in generation the model's role begins after the last. */
function speakMessages(section: Section, context: Context, isLast: boolean): Speech[] {
  const speeches = section.items.map((item): Speech => speakAlone(item, section.fields, context))
  const last = speeches.at(-1)
  if (isLast && !context.generate && last?.kind === 'role') speeches[speeches.length - 1] = asAnswer(last)
  if (!isLast || !context.generate) return speeches
  const { meta, quirks } = context
  const answering =
    (quirks.has('chat-generating-role') ? (meta.roles.get('BOT') ?? meta.roles.get('assistant')) : undefined) ??
    [...meta.roles.values()].find((role) => role.generate)
  return answering ? [...speeches, { kind: 'cut', role: answering, begin: answering.begin, end: answering.end }] : speeches
}

function speakAlone(item: Item, fields: Fields | undefined, context: Context): Speech {
  if (isLoose(item)) return { kind: 'text', pieces: item.loose }
  return speak(roleOf(item, context.meta), item, fields, context)
}

function speak(role: Role, turn: Turn | undefined, fields: Fields | undefined, context: Context): Speech & { kind: 'role' } {
  const content = turn?.content ?? defaultWords(role, fields, context)
  if (content === undefined) {
    const where = turn?.path ?? role.path
    context.notes.push({
      code: 'empty-turn',
      where,
      text: `role "${role.name}" speaks here, and neither the dataset nor the meta template gives it a prompt`,
    })
  }
  if (!context.meta.api && (turn?.extra || turn?.name !== undefined)) {
    const unused = [...Object.keys(turn.extra ?? {}), ...(turn.name === undefined ? [] : ['name'])].join(', ')
    context.notes.push({ code: 'message-fields-unused', where: turn.path, text: `this format has no place for ${unused} of the message` })
  }
  const example = fields?.example
  return {
    kind: 'role',
    role,
    begin: ofExample(turn?.override?.begin ?? role.begin, example),
    content: content ?? [],
    end: ofExample(turn?.override?.end ?? role.end, example),
    answer: false,
    ...(turn ? { turn } : {}),
  }
}

/** What the format writes around an example belongs to that example. */
function ofExample<Written extends Piece>(pieces: readonly Written[], example: number | undefined): readonly Written[] {
  return example === undefined ? pieces : pieces.map((piece) => ({ ...piece, source: { ...piece.source, example } }))
}

function defaultWords({ prompt }: Role, fields: Fields | undefined, { quirks }: Context): TextPiece[] | undefined {
  if (!prompt) return undefined
  if (fields && !quirks.has('default-prompt-unfilled')) return fillText(prompt, { fields, quirks })
  const text = prompt.segments.map((segment) => segment.text).join('')
  return [plain(text, { by: 'format', path: prompt.path, ...(fields?.example === undefined ? {} : { example: fields.example }) })]
}
