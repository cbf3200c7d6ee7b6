import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet } from '../../../base/python/index.ts'
import { type IdsPiece, type Piece, plain, type Source, textOf } from '../../../base/text/index.ts'
import { type Conversation, isTurn, type Turn } from '../../conversation/conversation.ts'
import type { Prompt } from '../format.ts'

type Dialogue = Conversation & { kind: 'dialogue' }

/**
 * Generated turns are sent back as ids. A template only sees text: it gets the text of the ids, and the ids replace that text if it comes
 * out unchanged and everything around it matches what the template writes around the parsed message (text, calls, reasoning). Otherwise,
 * e.g. if the template drops earlier reasoning, the parsed message is used.
 */
export function renderGenerated(conversation: Conversation, render: (conversation: Conversation) => Prompt): Prompt {
  if (conversation.kind === 'text') return render(conversation)
  const generated = conversation.sections.flatMap(({ items }) => items.filter(isTurn).flatMap(asGenerated))
  let current: Dialogue = conversation
  let prompt = render(current)
  const replaced: Generated[] = []
  for (const turn of generated) {
    const shown = withTurn(current, turn)
    const rendered = tryRender(shown, render)
    if (rendered === undefined || !isSameAround(piecesOf(rendered), piecesOf(prompt), turn)) continue
    current = shown
    prompt = rendered
    replaced.push(turn)
  }
  return replaced.reduce(putIds, prompt)
}

/** Whether the conversation contains ids that the model generated. */
export function hasGenerated(conversation: Conversation): boolean {
  return (
    conversation.kind !== 'text' &&
    conversation.sections.some(({ items }) => items.some((item) => isTurn(item) && asGenerated(item).length > 0))
  )
}

type Generated = { turn: Turn; text: string; ids: readonly number[]; source: Source }

function asGenerated(turn: Turn): Generated[] {
  const [piece, ...others] = turn.content ?? []
  const text = turn.message ? dictGet(turn.message, 'token_text') : undefined
  if (piece === undefined || !('ids' in piece) || others.length > 0 || typeof text !== 'string' || text === '') return []
  return [{ turn, text, ids: piece.ids, source: piece.source }]
}

function withTurn(conversation: Dialogue, { turn, text, source }: Generated): Dialogue {
  const shown: Turn = { ...turn, content: [plain(text, source)], message: { role: turn.role, content: text } }
  const sections = conversation.sections.map((section) => ({
    ...section,
    items: section.items.map((item) => (item === turn ? shown : item)),
  }))
  return { ...conversation, sections }
}

/** A template may refuse a result without its call. */
function tryRender(conversation: Conversation, render: (conversation: Conversation) => Prompt): Prompt | undefined {
  try {
    return render(conversation)
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function isSameAround(shown: readonly Piece[], parsed: readonly Piece[], { text, source }: Generated): boolean {
  const range = rangeOf(shown, source)
  if (range === undefined || textOf(shown.slice(range.start, range.end)) !== text) return false
  const before = textOf(shown.slice(0, range.start))
  const after = textOf(shown.slice(range.end))
  const whole = textOf(parsed)
  return whole.length >= before.length + after.length && whole.startsWith(before) && whole.endsWith(after)
}

/** The pieces of a source, if they are adjacent. */
function rangeOf(pieces: readonly Piece[], { path }: Source): { start: number; end: number } | undefined {
  const isIts = ({ source }: Piece) => source.by === 'model' && source.path === path
  const start = pieces.findIndex(isIts)
  const end = pieces.findLastIndex(isIts) + 1
  return start >= 0 && pieces.slice(start, end).every(isIts) ? { start, end } : undefined
}

function putIds(prompt: Prompt, { ids, source }: Generated): Prompt {
  if (prompt.kind === 'chat') return prompt
  const { start, end } = rangeOf(prompt.pieces, source)!
  const { turn } = prompt.pieces[start]!
  const piece: IdsPiece = { ids, source, turn }
  const pieces = [...prompt.pieces.slice(0, start), piece, ...prompt.pieces.slice(end)]
  const moved = (index: number) => (index >= end ? index - (end - start) + 1 : Math.min(index, start + 1))
  const { answer } = prompt
  return { ...prompt, pieces, ...(answer ? { answer: { start: moved(answer.start), end: moved(answer.end) } } : {}) }
}

function piecesOf(prompt: Prompt): readonly Piece[] {
  return prompt.kind === 'completion' ? prompt.pieces : []
}
