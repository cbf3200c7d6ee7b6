import type { Prompt } from '@rolecall/core/internal/format'
import type { Source } from '@rolecall/core/internal/text'
import type { Token } from '@rolecall/core/internal/tokenizer'
import { blocksOf, type Drawn } from '../prompt/segments.ts'

/** The text of one speaker with the markers around it, or a part of it. */
export type Turn = {
  /** The role of a message, at its start. */
  role?: string
  pieces: readonly Drawn[]
  /** The offset in the text of the prompt. */
  at: number
  text: string
}

/** Splits a prompt into turns: messages are turns; in a text, text between two turns belongs to the first. */
export function turnsOf(prompt: Prompt, tokens?: readonly Token[]): Turn[] {
  const blocks = blocksOf(prompt, tokens)
  if (prompt.kind === 'chat') return placed(blocks.map(({ role, pieces }) => ({ pieces, ...(role === undefined ? {} : { role }) })))
  const groups: Drawn[][] = []
  let turn: number | undefined
  for (const drawn of blocks[0]?.pieces ?? []) {
    const isNew = drawn.piece.turn !== undefined && drawn.piece.turn !== turn
    if (isNew || groups.length === 0) groups.push([])
    turn = drawn.piece.turn ?? turn
    groups.at(-1)!.push(drawn)
  }
  return placed(groups.map((pieces) => ({ pieces })))
}

function placed(turns: readonly Pick<Turn, 'role' | 'pieces'>[]): Turn[] {
  let at = 0
  return turns.map((turn) => {
    const text = turn.pieces.map(textOfDrawn).join('')
    at += text.length
    return { ...turn, text, at: at - text.length }
  })
}

/** The part of a turn between two offsets of the prompt's text; undefined if nothing of it is there. */
export function cutTurn(turn: Turn, from: number, to: number): Turn | undefined {
  const end = turn.at + turn.text.length
  if (turn.at >= from && end <= to) return turn
  if (turn.at >= to || end <= from) return undefined
  const [start, stop] = [Math.max(from, turn.at), Math.min(to, end)]
  let at = turn.at
  const pieces = turn.pieces.flatMap((drawn): Drawn[] => {
    const segments = drawn.segments.flatMap((segment) => {
      const [begin, finish] = [at, at + segment.text.length]
      at = finish
      if (finish <= start || begin >= stop) return []
      return [{ ...segment, text: segment.text.slice(Math.max(0, start - begin), stop - begin) }]
    })
    return segments.length > 0 ? [{ ...drawn, segments }] : []
  })
  const { role, ...rest } = turn
  return {
    ...rest,
    ...(role === undefined || start > turn.at ? {} : { role }),
    pieces,
    at: start,
    text: turn.text.slice(start - turn.at, stop - turn.at),
  }
}

export function textOfDrawn({ segments }: Drawn): string {
  return segments.map(({ text }) => text).join('')
}

/** Identifies the same text of the row, template or message across formats. */
export function sourceKey({ by, path, example, span }: Source): string {
  return `${by} ${path} ${example ?? ''} ${span?.join() ?? ''}`
}
