import type { Source } from '../../../src/base/text/piece.ts'
import type { Prompt } from '../../../src/prompt/format/format.ts'
import type { Token } from '../../../src/prompt/tokenizer/tokenize.ts'
import { longestCommonSubsequence } from '../../../src/workbench/diff/align-lists.ts'
import { blocksOf, type Drawn } from '../prompt/segments.ts'

/** The text of one speaker, with the markers around it. */
export type TurnPart = { role?: string; pieces: readonly Drawn[] /** What it says, whatever the format. */; key: string; text: string }

/** Splits a prompt into turns: messages are turns; in a text, text between two turns belongs to the first. */
export function turnsOf(prompt: Prompt, tokens?: readonly Token[]): TurnPart[] {
  const blocks = blocksOf(prompt, tokens)
  if (prompt.kind === 'chat') return blocks.map(({ role, pieces }) => turnOf(pieces, role))
  const groups: Drawn[][] = []
  let turn: number | undefined
  for (const drawn of blocks[0]?.pieces ?? []) {
    const isNew = drawn.piece.turn !== undefined && drawn.piece.turn !== turn
    if (isNew || groups.length === 0) groups.push([])
    turn = drawn.piece.turn ?? turn
    groups.at(-1)!.push(drawn)
  }
  return groups.map((pieces) => turnOf(pieces, undefined))
}

function turnOf(pieces: readonly Drawn[], role: string | undefined): TurnPart {
  const said = pieces.filter(
    ({ piece }) =>
      piece.source.by !== 'format' &&
      piece.source.by !== 'tokenizer' &&
      !('text' in piece && piece.control && piece.source.by === 'message'),
  )
  const key = said.map(({ piece: { source } }) => sourceKey(source)).join('|')
  return { pieces, key, text: pieces.map(textOfDrawn).join(''), role }
}

export function textOfDrawn({ piece }: Drawn): string {
  return 'text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : ''
}

/** Identifies the same text of the row, template or message across formats. */
export function sourceKey({ by, path, example, span }: Source): string {
  return `${by} ${path} ${example ?? ''} ${span?.join() ?? ''}`
}

/** One line: the turn of each prompt, if it has one. */
export type AlignedLine = readonly (TurnPart | undefined)[]

/** Aligns the turns of several prompts: turns with the same content share a line, whatever surrounds them. */
export function alignTurns(prompts: readonly (readonly TurnPart[])[]): AlignedLine[] {
  let lines: (TurnPart | undefined)[][] = []
  for (const [column, turns] of prompts.entries()) lines = withTurns(lines, turns, column)
  return lines.map((line) => Array.from({ length: prompts.length }, (_, column) => line[column]))
}

function withTurns(lines: readonly (TurnPart | undefined)[][], turns: readonly TurnPart[], column: number): (TurnPart | undefined)[][] {
  const keys = lines.map((line) => line.find((turn) => turn !== undefined)!.key)
  const matches = longestCommonSubsequence(
    keys,
    turns.map(({ key }) => key),
  )
  const made: (TurnPart | undefined)[][] = []
  let [line, turn] = [0, 0]
  const put = (known: readonly (TurnPart | undefined)[] | undefined, added: TurnPart | undefined) => {
    const next = [...(known ?? [])]
    next[column] = added
    made.push(next)
  }
  for (const [toLine, toTurn] of [...matches, [lines.length, turns.length] as const]) {
    // Unmatched turns are paired in order.
    while (line < toLine || turn < toTurn) put(line < toLine ? lines[line++] : undefined, turn < toTurn ? turns[turn++] : undefined)
    if (line < lines.length && turn < turns.length) put(lines[line++], turns[turn++])
  }
  return made
}
