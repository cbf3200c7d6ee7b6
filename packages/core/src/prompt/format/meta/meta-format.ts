import { distinctNotes } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Quirks } from '../../../base/fidelity/quirks.ts'
import { type Piece, type PieceRange, textOf } from '../../../base/text/index.ts'
import { type Conversation, isMessages } from '../../conversation/conversation.ts'
import { adaptConversation } from '../adapt/adapt-conversation.ts'
import { ofExample, type Turns, wordsOf } from '../adapt/script.ts'
import type { Traits } from '../adapt/traits.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Format, Prompt, Stop } from '../format.ts'
import { plainTraits, writePlain } from '../plain-format.ts'
import { checkOutline, type MetaTemplate, type ReadOptions, readMetaTemplate, stopsOfEnd } from './read-meta-template.ts'

/** A meta template of a language model (documents 000, 001): conversations become one text. */
export function metaFormat(config: unknown, options: ReadOptions): Format {
  checkOutline(config, options)
  const read = readWhenNeeded(() => readMetaTemplate(config, options), options)
  return {
    name: 'the meta template',
    kind: 'completion',
    get traits() {
      return traitsOf(read.template, options)
    },
    // Each turn is written by its role alone.
    isLocal: true,
    get markers() {
      return markersOf(read.template)
    },
    render(conversation, ask) {
      if (conversation.kind === 'text') return renderText(conversation, read, ask)
      const traits = traitsOf(read.template, options)
      const isBare = isMessages(conversation) && options.quirks.has('chat-role-bare')
      const script = adaptConversation(conversation, ask, isBare ? { ...traits, otherRoles: 'bare' } : traits)
      return renderTurns(script as Turns, read.template, ask, options)
    },
  }
}

/** A string template is the whole prompt: only a meta template without `round` has a place for it between begin and end. */
function renderText(conversation: Conversation & { kind: 'text' }, read: ReadWhenNeeded<MetaTemplate>, ask: Ask): Prompt {
  const { content, notes } = conversation
  if (read.mistake.length > 0) return completion(content, [...notes, ...read.mistake], ask, [])
  const { begin, end, round, eos } = read.template
  return completion(round ? content : [...begin, ...content, ...end], notes, ask, eos)
}

function renderTurns(script: Turns, meta: MetaTemplate, ask: Ask, { quirks }: ReadOptions): Prompt {
  const begin = quirks.has('chat-begin-dropped') && script.isChat ? [] : meta.begin
  const { pieces, answer } = meta.round ? writeLines(script, meta) : writePlain(script, quirks)
  const end = script.next || script.isOpen ? [] : meta.end
  return completion(
    [...begin, ...pieces, ...end],
    [...script.notes, ...meta.notes],
    ask,
    stopsOf(script, meta),
    shift(answer, begin.length),
  )
}

function shift(range: PieceRange | undefined, by: number): PieceRange | undefined {
  return range && { start: range.start + by, end: range.end + by }
}

/** The dataset may choose another role, or another end. */
export function stopsOf({ next, lines, isOpen }: Turns, meta: Pick<MetaTemplate, 'roles' | 'eos' | 'stop'>): readonly Stop[] {
  const open = isOpen ? lines.at(-1) : undefined
  const speaking = next ?? (open && 'role' in open ? open : undefined)
  const end = speaking?.end ?? (speaking && meta.roles.get(speaking.role)?.end)
  return end ? [...meta.eos, ...stopsOfEnd(end)] : meta.stop
}

function writeLines({ lines, next, isOpen }: Turns, { roles }: MetaTemplate): { pieces: Piece[]; answer?: PieceRange } {
  const pieces: Piece[] = []
  let answer: PieceRange | undefined
  let turn = 0
  const write = (written: readonly Piece[]) => {
    for (const piece of written) pieces.push({ ...piece, turn })
  }
  for (const [index, line] of lines.entries()) {
    if ('loose' in line) {
      pieces.push(...line.loose)
      continue
    }
    const role = roles.get(line.role)!
    write(ofExample(line.begin ?? role.begin, line.example))
    const start = pieces.length
    write(wordsOf(line))
    if (line.answer) answer = { start, end: pieces.length }
    if (!isOpen || index < lines.length - 1) write(ofExample(line.end ?? role.end, line.example))
    turn++
  }
  if (next) write(next.begin ?? roles.get(next.role)!.begin)
  return { pieces, ...(answer ? { answer } : {}) }
}

/** In generation the answer is at the end; otherwise it is the template's marked answer, or the one that the format found. */
function completion(pieces: readonly Piece[], notes: Prompt['notes'], { want }: Ask, stop: Prompt['stop'], found?: PieceRange): Prompt {
  const answer = want === 'complete' ? (markedAnswer(pieces) ?? found) : { start: pieces.length, end: pieces.length }
  return { kind: 'completion', pieces, bos: 'tokenizer', stop, notes: distinctNotes(notes), ...(answer ? { answer } : {}) }
}

function traitsOf(meta: MetaTemplate, { quirks }: ReadOptions): Traits {
  const formatName = 'the meta template'
  if (!meta.round) return { ...plainTraits(quirks), formatName }
  return { ...roundTraits(meta, meta.round, quirks), formatName, looseText: 'verbatim', fields: [], joinsParts: true, readsContent: false }
}

/** The roles of a meta template, and how they take turns. */
export function roundTraits(
  { roles, api }: Pick<MetaTemplate, 'roles' | 'api'>,
  round: NonNullable<MetaTemplate['round']>,
  quirks: Quirks,
): Pick<Traits, 'roles' | 'rounds' | 'replyRole' | 'quirks'> {
  const ofReference = quirks.has('chat-generating-role') ? ['BOT', 'assistant'].find((name) => roles.has(name)) : undefined
  const replyRole = ofReference ?? [...roles.values()].find(({ generate }) => generate)?.name
  return {
    roles: [...roles.keys()],
    rounds: { order: round, speakers: roles, isWhole: true, countsFallbacks: api },
    replyRole,
    quirks,
  }
}

function markersOf(meta: MetaTemplate): string[] {
  const affixes = [meta.begin, meta.end, ...[...meta.roles.values()].flatMap((role) => [role.begin, role.end])]
  return [...new Set(affixes.map((affix) => textOf(affix).trim()).filter((text) => text !== ''))]
}

type ReadWhenNeeded<Read> = { readonly template: Read; mistake: Prompt['notes'] }

/**
 * By default a mistake is found immediately. The reference finds it only when a dialogue is rendered: under the quirk `unread-mistake`,
 * which datasets of string templates have, too, it is deferred until then, and string templates are rendered with a note.
 */
export function readWhenNeeded<Read>(read: () => Read, { quirks }: ReadOptions): ReadWhenNeeded<Read> {
  try {
    return { template: read(), mistake: [] }
  } catch (error) {
    if (!(error instanceof PromptError) || !quirks.has('unread-mistake')) throw error
    return {
      get template(): Read {
        throw error
      },
      mistake: [{ code: 'unread-mistake', where: error.where, text: `${error.problem}; nothing of it is used here` }],
    }
  }
}
