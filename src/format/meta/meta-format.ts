import { adaptConversation } from '../../adapt/adapt-conversation.ts'
import type { Traits } from '../../adapt/traits.ts'
import { type Conversation, isMessages } from '../../conversation/conversation.ts'
import { distinctNotes } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { type Piece, type PieceRange, textOf } from '../../text/index.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Format, Prompt } from '../format.ts'
import { writePlain } from '../plain.ts'
import { withBareMessages } from './bare-messages.ts'
import { checkOutline, type MetaTemplate, type ReadOptions, readMetaTemplate, stopsOfEnd } from './read-meta-template.ts'
import { noGeneratingRole, type Speech, speakDialogue } from './speak.ts'

/** A meta template of a language model (documents 000, 001): conversations become one text. */
export function metaFormat(config: unknown, options: ReadOptions): Format {
  checkOutline(config, options)
  const read = readWhenNeeded(() => readMetaTemplate(config, options), options)
  return {
    name: 'the meta template',
    kind: 'completion',
    get traits() {
      return traitsOf(read.template)
    },
    get markers() {
      return markersOf(read.template)
    },
    render(conversation, ask) {
      if (conversation.kind === 'text') return renderText(conversation, read, ask)
      const isBare = isMessages(conversation) && options.quirks.has('chat-role-bare')
      const given = isBare ? withBareMessages(conversation, read.template.roles) : conversation
      return renderDialogue(adaptConversation(given, traitsOf(read.template), 'the meta template'), read.template, ask, options)
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

function renderDialogue(conversation: Conversation, meta: MetaTemplate, ask: Ask, { quirks }: ReadOptions): Prompt {
  if (conversation.kind === 'text') throw new Error('a text has no dialogue')
  const { end } = meta
  const begin = quirks.has('chat-begin-dropped') && isMessages(conversation) ? [] : meta.begin
  if (!meta.round) {
    const { pieces, answer, isCut } = writePlain(conversation, quirks, ask.want === 'generate')
    const notes = ask.want === 'generate' && !isCut ? [noGeneratingRole] : []
    return completion(
      [...begin, ...pieces, ...(isCut ? [] : end)],
      [...conversation.notes, ...notes],
      ask,
      meta.stop,
      shift(answer, begin.length),
    )
  }
  const { speeches, notes } = speakDialogue(conversation, meta, ask, quirks)
  const { pieces, answer } = writeSpeeches(speeches)
  const last = speeches.at(-1)
  const isCut = last?.kind === 'cut'
  // The dataset may let another role speak, or end its words in another way.
  const stop = isCut ? [...meta.eos, ...stopsOfEnd(last.end)] : meta.stop
  const written = [...begin, ...pieces, ...(isCut ? [] : end)]
  return completion(written, [...conversation.notes, ...notes], ask, stop, shift(answer, begin.length))
}

function shift(range: PieceRange | undefined, by: number): PieceRange | undefined {
  return range && { start: range.start + by, end: range.end + by }
}

function writeSpeeches(speeches: readonly Speech[]): { pieces: Piece[]; answer?: PieceRange } {
  const pieces: Piece[] = []
  let answer: PieceRange | undefined
  let turn = 0
  for (const speech of speeches) {
    if (speech.kind === 'text') {
      pieces.push(...speech.pieces)
      continue
    }
    const number = turn++
    const write = (written: readonly Piece[]) => pieces.push(...written.map((piece) => ({ ...piece, turn: number })))
    write(speech.begin)
    if (speech.kind === 'cut') continue
    const start = pieces.length
    write(speech.content)
    if (speech.answer) answer = { start, end: pieces.length }
    write(speech.end)
  }
  return { pieces, ...(answer ? { answer } : {}) }
}

/** In generation the answer stands at the end; else what the template marked as the answer, or what the format found. */
function completion(pieces: readonly Piece[], notes: Prompt['notes'], { want }: Ask, stop: Prompt['stop'], found?: PieceRange): Prompt {
  const answer = want === 'generate' ? { start: pieces.length, end: pieces.length } : (markedAnswer(pieces) ?? found)
  return { kind: 'completion', pieces, bos: 'tokenizer', stop, notes: distinctNotes(notes), ...(answer ? { answer } : {}) }
}

function traitsOf(meta: MetaTemplate): Traits {
  const roles = meta.round ? { roles: [...meta.roles.keys()] } : {}
  return { ...roles, looseText: 'verbatim', readsContent: meta.round === undefined }
}

function markersOf(meta: MetaTemplate): string[] {
  const affixes = [meta.begin, meta.end, ...[...meta.roles.values()].flatMap((role) => [role.begin, role.end])]
  return [...new Set(affixes.map((affix) => textOf(affix).trim()).filter((text) => text !== ''))]
}

type ReadWhenNeeded<Read> = { readonly template: Read; mistake: Prompt['notes'] }

/**
 * By default a mistake is found at once. The reference finds it only when a dialogue is rendered: under the quirk
 * `unread-mistake` it waits till then, and string templates are rendered with a note.
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
