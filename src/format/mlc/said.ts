import { systemSlot } from '../../adapt/adapt-conversation.ts'
import { type Affix, type Conversation, isTurn, type Turn } from '../../conversation/conversation.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { dictGet } from '../../python/index.ts'
import { control, type Piece } from '../../text/index.ts'
import type { Ask } from '../format.ts'
import { noGeneratingRole } from '../meta/speak.ts'

/** What one role says. */
export type Said = {
  role: string
  /** Undefined where a chat message has null for it: only the role is written. */
  content: readonly Piece[] | undefined
  inParts?: true
  begin?: Affix
  end?: Affix
  /** The example that it begins in, and the one that it ends in if that is another. */
  example?: number
  endExample?: number | undefined
  path: string
}

/** A conversation as a list of messages: what goes into the system slot, what is said, and whether the model speaks next. */
export type Speech = {
  system?: readonly Piece[]
  messages: readonly Said[]
  /** Where the model speaks: how the dataset wants that to begin. */
  next?: { role: string; begin?: Affix }
  notes: readonly Note[]
}

/** Takes an adapted conversation apart. In generation the model's last words are left to it. */
export function sayConversation(conversation: Conversation & { kind: 'dialogue' }, { want }: Ask, alternates: boolean): Speech {
  const entries = conversation.sections.flatMap(({ items, kind, inside, fields }) =>
    items
      .filter(isTurn)
      .map((turn) => ({ turn, example: fields?.example, isRound: kind === 'round', isChat: kind === 'chat' || inside === 'chat' })),
  )
  const system = entries.filter(({ turn }) => turn.role === systemSlot)
  const spoken = entries.filter(({ turn }) => turn.role !== systemSlot)
  const notes = entries.flatMap(({ turn }) => unusedFields(turn))
  const generates = want === 'generate' || want === 'last-round'
  const answer = spoken.findLastIndex(({ isRound }) => isRound)
  const last = spoken[answer]
  const isCut = generates && last !== undefined && generatesTurn(last.turn)
  const said = (isCut ? spoken.slice(0, answer) : generates && last ? spoken.slice(0, answer + 1) : spoken).map(
    ({ turn, example }, index) => asSaid(turn, example, !generates && index === answerIndex(spoken, answer)),
  )
  const silent = generates && !isCut && last?.turn.role === 'assistant'
  return {
    ...(system.length === 0 ? {} : { system: joined(system.map(({ turn }) => turn)) }),
    messages: alternates ? mergeSaid(said) : said,
    ...(generates && !silent
      ? {
          next: isCut
            ? { role: last.turn.role, ...(last.turn.override?.begin ? { begin: last.turn.override.begin } : {}) }
            : { role: 'assistant' },
        }
      : {}),
    notes: silent ? [...notes, noGeneratingRole] : notes,
  }
}

/** The words that perplexity looks at: the model's last in the round, else the last that are said there. */
function answerIndex(spoken: readonly { turn: Turn; isRound: boolean; isChat: boolean }[], lastOfRound: number): number {
  if (lastOfRound < 0) return spoken.length - 1
  const generating = spoken.findLastIndex(({ turn, isRound }) => isRound && generatesTurn(turn))
  return generating < 0 ? lastOfRound : generating
}

function generatesTurn(turn: Turn): boolean {
  return turn.override?.generate ?? turn.role === 'assistant'
}

function asSaid(turn: Turn, example: number | undefined, isAnswer: boolean): Said {
  refuseCalls(turn)
  const content = turn.message && turn.role === 'assistant' && dictGet(turn.message, 'content') === null ? undefined : (turn.content ?? [])
  const isMarked = !isAnswer || content?.some((piece) => piece.answer)
  const marked = isMarked ? content : content?.map((piece) => ({ ...piece, answer: true as const }))
  return {
    role: turn.role,
    content: marked,
    path: turn.path,
    ...(turn.asParts ? { inParts: true as const } : {}),
    ...(turn.override?.begin ? { begin: turn.override.begin } : {}),
    ...(turn.override?.end ? { end: turn.override.end } : {}),
    ...(example === undefined ? {} : { example }),
  }
}

/** What one role says several times in a row becomes one message, with a newline between unless the dataset wrote something there. */
function mergeSaid(messages: readonly Said[]): Said[] {
  const merged: Said[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role !== message.role || !last.content || !message.content) {
      merged.push(message)
      continue
    }
    const { end: _, ...open } = last
    const ends = 'endExample' in last ? last.endExample : last.example
    const newline = control('\n', {
      by: 'format',
      path: 'merge',
      ...(ends !== undefined && ends === message.example ? { example: ends } : {}),
    })
    const between = last.end || message.begin ? [...(last.end ?? []), ...(message.begin ?? [])] : [newline]
    merged[merged.length - 1] = {
      ...open,
      content: [...last.content, ...between, ...message.content],
      endExample: message.example,
      ...(message.end ? { end: message.end } : {}),
    }
  }
  return merged
}

/** Conversation templates have no words for calls, so that they would be lost; ids of calls belong to results. */
function refuseCalls({ calls, callId, role, path }: Turn): void {
  if (callId !== undefined && role !== 'tool') {
    throw new PromptError('bad-message', {
      where: `${path}.tool_call_id`,
      problem: `a message of the role "${role}" answers no call`,
      fix: 'leave it out, or make it the result of a tool (role "tool")',
    })
  }
  if (!calls) return
  throw new PromptError('calls-not-supported', {
    where: `${path}.tool_calls`,
    problem: 'conversation templates have no place for tool calls',
    fix: 'write the call into content as the model would, or use a format that knows calls',
  })
}

function joined(turns: readonly Turn[]): Piece[] {
  const empty = turns.find(({ message }) => message && (dictGet(message, 'content') ?? null) === null)
  if (empty)
    throw new PromptError('bad-message', {
      where: `${empty.path}.content`,
      problem: 'the system message has no content',
      fix: 'write some, or leave the message out',
    })
  const newline = control('\n', { by: 'format', path: 'merge' })
  return turns.flatMap(({ content }, index) => [...(index === 0 ? [] : [newline]), ...(content ?? [])])
}

function unusedFields({ extra, name, path }: Turn): Note[] {
  const unused = [...Object.keys(extra ?? {}), ...(name === undefined ? [] : ['name'])]
  if (unused.length === 0) return []
  return [{ code: 'message-fields-unused', where: path, text: `this format has no place for ${unused.join(', ')} of the message` }]
}
