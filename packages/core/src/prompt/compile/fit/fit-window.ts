import { type ChecksOf, checkOptionsOf, isAnything, isFunction } from '../../../base/errors/check-options.ts'
import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { Piece } from '../../../base/text/index.ts'
import type { Prompt } from '../../format/format.ts'

/** A running chat and its next prompt, in segments. */
export type WindowChat = {
  /** The start of a fresh context: BOS and other ids. */
  prefix: readonly Piece[]
  /** The whole conversation, one segment per message; the system text first, if there is one. */
  all: readonly (readonly Piece[])[]
  hasSystem: boolean
  /** Only the part that the running chat has not been sent yet. */
  lastRound: readonly Piece[]
}

/**
 * A chat for `fitWindow`, from the prompts of the whole conversation and of its last round: turns are segments, and the text
 * before them is the prefix.
 */
export function windowChat(whole: Prompt, lastRound: Prompt, { hasSystem }: { hasSystem: boolean }): WindowChat {
  const pieces = piecesOf(whole)
  const segments: Piece[][] = []
  for (const piece of pieces) {
    if (piece.turn === undefined) continue
    segments[piece.turn] ??= []
    segments[piece.turn]!.push(piece)
  }
  return {
    prefix: pieces.filter(({ turn }) => turn === undefined),
    all: segments.filter(Boolean),
    hasSystem,
    lastRound: piecesOf(lastRound),
  }
}

function piecesOf(prompt: Prompt): readonly Piece[] {
  if (prompt.kind === 'completion') return prompt.pieces
  throw new PromptError('no-window', {
    where: 'the prompt',
    problem: 'messages go to a server, which keeps its own window',
    fix: 'use a format that writes one text',
  })
}

/** How full a model's context is, and its capacity. */
export type WindowOptions = {
  /** The number of tokens already in the model's context; 0 if it is fresh. */
  used: number
  /** The capacity of the context, in tokens. */
  maxWindowSize: number
  /** The number of tokens reserved for the reply. */
  meanGenLen: number
  /** The fraction of the window that the conversation may fill after an overflow. */
  shiftFillFactor: number
  /** The number of tokens of some pieces. */
  count: (pieces: readonly Piece[]) => number
  /** The last tokens of some pieces, as pieces; without it, a segment that is too long stays whole. */
  keepLast?: (pieces: readonly Piece[], tokens: number) => readonly Piece[]
}

/** What to send to a model whose context is filling up. */
export type WindowDecision = {
  /** What to send. */
  pieces: readonly Piece[]
  /** The context must be cleared first: `pieces` are a fresh start. */
  shifted: boolean
  tokens: number
  /** The dropped segments of the conversation: from the first number up to, not including, the last. */
  dropped: { start: number; end: number }
  /** Whether there is room for the reply. */
  fits: boolean
  notes: readonly Note[]
}

const windowChecks = {
  used: isAnything,
  maxWindowSize: isAnything,
  meanGenLen: isAnything,
  shiftFillFactor: isAnything,
  count: isFunction,
  keepLast: isFunction,
} satisfies ChecksOf<WindowOptions>

/**
 * Decides as MLC of 2024-03 does what to send when the context of a chat fills up: the next round while there is room for it and a reply;
 * otherwise the system text and as much of the end of the conversation as fits `shiftFillFactor` of the window. The question is never
 * dropped, and nothing is sent twice.
 */
export function fitWindow(chat: WindowChat, options: WindowOptions): WindowDecision {
  checkOptionsOf(options, windowChecks, 'fitWindow › options')
  const { used, maxWindowSize, meanGenLen, count } = options
  const next = used === 0 ? [...chat.prefix, ...chat.all.flat()] : chat.lastRound
  const tokens = count(next)
  if (used + tokens + meanGenLen < maxWindowSize)
    return { pieces: next, shifted: false, tokens, dropped: { start: 0, end: 0 }, fits: true, notes: [] }
  const dropped = whatIsDropped(chat, options)
  const kept = chat.all.filter((_, index) => index < dropped.start || index >= dropped.end)
  const pieces = [...chat.prefix, ...kept.flat()]
  const notes = dropped.end > dropped.start ? [droppedNote(dropped, maxWindowSize)] : []
  return cutToWindow({ pieces, shifted: true, tokens: count(pieces), dropped, fits: true, notes }, options)
}

/** Keeps segments from the end until they fill their share of the window; always keeps the last round and the reply before it. */
function whatIsDropped(
  { all, hasSystem }: WindowChat,
  { shiftFillFactor, maxWindowSize, count }: WindowOptions,
): { start: number; end: number } {
  const start = hasSystem ? 1 : 0
  if (all.length === 0) return { start, end: start }
  // The first segment always counts: it is usually the system text.
  let filled = count(all[0]!)
  for (let index = all.length - 1; index >= 1; index--) {
    filled += count(all[index]!)
    if (filled >= shiftFillFactor * maxWindowSize && index + 2 < all.length) return { start, end: index }
  }
  return { start, end: start }
}

/** If even that is too long, only its end is sent. */
function cutToWindow(decision: WindowDecision, { maxWindowSize, meanGenLen, keepLast, count }: WindowOptions): WindowDecision {
  const { pieces, tokens, notes } = decision
  if (tokens + meanGenLen < maxWindowSize) return decision
  if (tokens < maxWindowSize) {
    const text = `the prompt of ${tokens} tokens leaves less than ${meanGenLen} of ${maxWindowSize} to the reply, which may be cut off`
    return { ...decision, fits: false, notes: [...notes, { code: 'little-room', text }] }
  }
  if (meanGenLen >= maxWindowSize) {
    throw new PromptError('no-room', {
      where: 'mean_gen_len',
      problem: `a reply of ${meanGenLen} tokens is expected, and the window holds ${maxWindowSize}`,
      fix: 'make mean_gen_len smaller than the window',
    })
  }
  const text = `the prompt of ${tokens} tokens is longer than the window of ${maxWindowSize}`
  if (!keepLast) return { ...decision, fits: false, notes: [...notes, { code: 'too-long', text }] }
  const kept = keepLast(pieces, maxWindowSize - meanGenLen)
  return {
    ...decision,
    pieces: kept,
    tokens: count(kept),
    fits: false,
    notes: [...notes, { code: 'cut-to-window', text: `${text}: only its end is sent` }],
  }
}

function droppedNote({ start, end }: { start: number; end: number }, size: number): Note {
  const count = end - start
  return {
    code: 'history-dropped',
    text: `${count} ${count === 1 ? 'message was' : 'messages were'} left out to stay within the window of ${size} tokens`,
  }
}
