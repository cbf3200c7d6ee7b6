import { adaptConversation } from '../../adapt/adapt-conversation.ts'
import { asMessages } from '../../adapt/as-messages.ts'
import { mergeNeighbours } from '../../adapt/merge-neighbours.ts'
import type { Quirks } from '../../config/fidelity.ts'
import { type Conversation, isMessages, isTurn, type Turn } from '../../conversation/conversation.ts'
import { type ChatInput, compileTemplate, renderChatPieces } from '../../jinja/index.ts'
import { distinctNotes, type Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import type { PyValue } from '../../python/index.ts'
import type { PieceRange, TextPiece } from '../../text/index.ts'
import { slicePieces, textOf } from '../../text/index.ts'
import { markedAnswer } from '../answer.ts'
import type { Ask, Format, Prompt, Stop } from '../format.ts'
import { renderGenerated } from './generated-turns.ts'
import { type Capabilities, probeTemplate } from './probe.ts'
import { type Speech, speechesOf } from './speeches.ts'
import { traceContent } from './trace-content.ts'

export type ChatTemplateOptions = {
  /** Where the template stands, for errors. */
  where?: string
  /** Special tokens, by the names that templates know: `bos_token`, `eos_token`, … */
  specialTokens?: Readonly<Record<string, string>>
  /** Other variables of the template: `enable_thinking`, … */
  kwargs?: Readonly<Record<string, PyValue>>
  documents?: readonly PyValue[]
  /** What `strftime_now` takes for now; by default the time of the render. */
  clock?: Date
  /** A system turn that the template rejects: an error, or put before the first words of the user. */
  system?: 'error' | 'fold'
  /** Neighbours of one role where the template wants turns to alternate: joined by an empty line, or an error. */
  neighbours?: 'merge' | 'error'
  /** Whether messages are brought into the shape that serving stacks hand to templates; true by default. */
  normalizeMessages?: boolean
  /** Which habits of OpenCompass's models with a chat template are reproduced; none by default. */
  quirks?: Quirks
}

/**
 * A Hugging Face chat template as a model's format. Every character of a prompt says whether the template wrote it or
 * which message it comes from, so that special tokens typed by a user stay text.
 *
 * @example
 * const format = chatTemplateFormat("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}")
 * const prompt = format.render(readChat({ messages: [{ role: 'user', content: 'Hi' }] }), { want: 'complete' })
 * promptText(prompt) // => '<|user|>Hi'
 */
export function chatTemplateFormat(source: string, options: ChatTemplateOptions = {}): Format & { capabilities: Capabilities } {
  const template = compileTemplate(source, { name: options.where ?? 'chat_template' })
  const tokens = options.specialTokens ?? {}
  const usesClock = template.names.includes('strftime_now')
  let known: Capabilities | undefined
  const capabilities = () => {
    known ??= probeTemplate(template, tokens, options.kwargs)
    return known
  }
  const { quirks = noQuirks } = options
  const traits = {
    looseText: quirks.has('api-string-dropped') ? 'drop' : 'as-user',
    userRole: 'user',
    readsContent: true,
    // A template may trim, replace or test what is said, so that a prompt cannot be made of the fields of its row.
    rewritesContent: true,
    get tools() {
      return capabilities().tools
    },
  } as const

  const renderOnce = (given: Conversation, ask: Ask): Prompt => {
    const conversation = given.kind === 'text' && quirks.has('chat-template-string') ? asMessages(given, quirks) : given
    if (conversation.kind === 'text')
      return completion(conversation.content, [...conversation.notes], ask, stopsOf(capabilities(), tokens), 'tokenizer')
    if (ask.want === 'last-round')
      throw new PromptError('unsupported-ask', {
        where: options.where ?? 'chat_template',
        problem: 'a chat template writes whole conversations, not only their last round',
        fix: 'ask for the whole prompt',
      })
    const adapted = adaptConversation(conversation, traits, 'the chat template') as Conversation & { kind: 'dialogue' }
    const turns = openTurns(
      adapted.sections.flatMap(({ items }) => items.filter(isTurn)),
      ask,
    )
    const { speeches, notes } = speechesOf(isMessages(adapted) ? turns : asTheReferenceSends(turns, quirks), capabilities, options)
    const clock = options.clock ?? new Date()
    const input: ChatInput = {
      messages: speeches.map(({ message }) => message),
      tools: adapted.tools?.map(({ schema }) => ({ type: 'function', function: schema })) ?? null,
      documents: options.documents ?? null,
      addGenerationPrompt: ask.want === 'generate',
      continueFinalMessage: ask.want === 'continue',
      tokens,
      ...(options.kwargs === undefined ? {} : { kwargs: options.kwargs }),
    }
    const rendered = renderChatPieces(template, input, { clock })
    const cut = cutAt(rendered.pieces, rendered.generation)
    const pieces = cut.flatMap((piece) => traceContent(piece, speeches, adapted.tools ?? []))
    const told: Note[] = usesClock ? [{ code: 'clock', text: `the template was shown the time ${localTime(clock)}` }] : []
    return completion(
      pieces,
      [...adapted.notes, ...notes, ...told],
      ask,
      stopsOf(capabilities(), tokens),
      capabilities().writesBos ? 'in-prompt' : 'none',
      generated(pieces, rendered.generation) ?? lastSpeech(pieces, speeches),
    )
  }

  return {
    name: 'the chat template',
    kind: 'completion',
    traits,
    get markers() {
      return capabilities().markers
    },
    get capabilities() {
      return capabilities()
    },
    render: (conversation, ask) => renderGenerated(conversation, (given) => renderOnce(given, ask)),
  }
}

const noQuirks: Quirks = new Set()

/** OpenCompass's models with a chat template leave out turns that say nothing, and join those of one role with a newline. */
function asTheReferenceSends(turns: readonly Turn[], quirks: Quirks): readonly Turn[] {
  const said = turns.map((turn) => ({ ...turn, content: turn.content ?? [] }))
  const speaking = quirks.has('chat-template-empty-turn') ? said.filter(({ content }) => textOf(content) !== '') : said
  return quirks.has('chat-template-neighbours') ? mergeNeighbours(speaking) : speaking
}

/** In generation the model's own last turn is what it is to say: it is left out, as other formats do. */
function openTurns(turns: readonly Turn[], { want }: Ask): readonly Turn[] {
  const last = turns.at(-1)
  const isModels = last !== undefined && ['assistant', 'BOT'].includes(last.role)
  // A message of a chat was said; a template's turn without a message is what is asked for.
  return want === 'generate' && isModels && last.message === undefined ? turns.slice(0, -1) : turns
}

function stopsOf({ endOfTurn }: Capabilities, tokens: Readonly<Record<string, string>>): Stop[] {
  const eos = tokens.eos_token
  const stops: Stop[] = eos === undefined ? [] : [{ token: eos, source: { by: 'tokenizer', path: 'eos_token' } }]
  if (endOfTurn !== '' && endOfTurn !== eos) stops.push({ text: endOfTurn, source: { by: 'format', path: 'chat_template' } })
  return stops
}

/** Splits pieces where a generation mark begins or ends, so that an answer is a range of whole pieces. */
function cutAt(pieces: readonly TextPiece[], marks: readonly { start: number; end: number }[]): TextPiece[] {
  if (marks.length === 0) return [...pieces]
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0)
  const bounds = [...new Set([0, ...marks.flatMap(({ start, end }) => [start, end]), length])].sort((a, b) => a - b)
  return bounds.slice(1).flatMap((end, index) => slicePieces(pieces, bounds[index]!, end))
}

function generated(pieces: readonly TextPiece[], marks: readonly { start: number; end: number }[]): PieceRange | undefined {
  const last = marks.at(-1)
  if (last === undefined) return undefined
  let at = 0
  const starts = pieces.map(({ text }) => {
    at += text.length
    return at - text.length
  })
  const start = starts.findIndex((offset) => offset >= last.start)
  const end = starts.findIndex((offset) => offset >= last.end)
  return start < 0 ? undefined : { start, end: end < 0 ? pieces.length : end }
}

/** From the first to the last piece that comes from the last words of the assistant. */
function lastSpeech(pieces: readonly TextPiece[], speeches: readonly Speech[]): PieceRange | undefined {
  const number = speeches.findLastIndex(({ role }) => role === 'assistant')
  if (number < 0) return undefined
  const isIts = ({ turn, control }: TextPiece) => turn === number && !control
  const start = pieces.findIndex(isIts)
  return start < 0 ? undefined : { start, end: pieces.findLastIndex(isIts) + 1 }
}

function completion(
  pieces: readonly TextPiece[],
  notes: readonly Note[],
  { want }: Ask,
  stop: readonly Stop[],
  bos: 'in-prompt' | 'tokenizer' | 'none',
  found?: PieceRange,
): Prompt {
  const atEnd = { start: pieces.length, end: pieces.length }
  const answer = want === 'complete' ? (markedAnswer(pieces) ?? found) : atEnd
  return { kind: 'completion', pieces, bos, stop, notes: distinctNotes(notes), ...(answer ? { answer } : {}) }
}

function localTime(clock: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${clock.getFullYear()}-${two(clock.getMonth() + 1)}-${two(clock.getDate())} ${two(clock.getHours())}:${two(clock.getMinutes())}`
}
