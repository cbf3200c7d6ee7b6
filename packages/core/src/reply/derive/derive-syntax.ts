import type { Format } from '../../prompt/format/format.ts'
import type { Block, ReplySyntax } from '../syntax.ts'
import { readCallShape } from './call-shape.ts'
import { prove, type SyntaxProof } from './prove-syntax.ts'
import { firstMark, groups, lastMark, marksIn } from './template-marks.ts'
import { readTurn } from './thought-span.ts'
import { ProbeWriter } from './write-probe.ts'

/** The syntax derived from how a format writes messages. */
export type Derived = SyntaxProof & { syntax: ReplySyntax; writesCalls: boolean; writer: ProbeWriter }

/**
 * Derives how a model writes its replies from how its format writes an assistant's messages: probe conversations are rendered,
 * and the text around their words are the marks. Then each probe is read back, which proves it, or shows what cannot be read.
 */
export function deriveSyntax(format: Format): Derived | undefined {
  const writer = new ProbeWriter(format)
  const turn = readTurn(writer)
  if (turn === undefined) return undefined
  const { header, span, tail, textClose } = turn
  const shape = readCallShape(writer, turn)
  const turns = turnsOf(header)
  const callEnds = shape ? [endOf(shape.rest + tail), endBeforeResult(writer.afterCall(tail), turns)] : []
  const ends = [...new Set([endOf(tail), ...callEnds].flatMap((one) => (one === undefined || one === textClose ? [] : [one])))]
  const closings = shape?.blocks.flatMap(({ close }) => (close === undefined ? [] : [close])) ?? []
  const used = new Set([...(span ? [span.open, span.close] : []), ...ends, ...closings])
  const syntax: ReplySyntax = {
    name: 'derived',
    ends,
    turns,
    ...(span ? { reasoning: [{ ...span, endsAtCalls: true }] } : {}),
    ...(shape && shape.sections.length > 0 ? { sections: shape.sections } : {}),
    ignored: [...new Set([...turn.ignored.filter((mark) => !used.has(mark)), ...groups(textClose), ...(shape?.ignored ?? [])])],
    blocks: (shape?.blocks ?? []).flatMap((block) => [block, ...behindEnd(block, ends)]),
  }
  return { syntax, writesCalls: shape !== undefined, writer, ...prove(writer, syntax) }
}

/** A call that opens another role's turn, `<|end|>function call<|sep|>`, may also come without the end of the model's own turn. */
function behindEnd({ open: [open = ''], ...block }: Block, ends: readonly string[]): Block[] {
  const end = ends.find((one) => open.startsWith(one))
  const role = end === undefined ? '' : open.slice(end.length).trim()
  return role === '' ? [] : [{ ...block, open: [role] }]
}

/** The mark that ends a turn, of what follows it. */
function endOf(after: string): string | undefined {
  const first = firstMark(after)
  if (first && after.slice(0, first.at).trim() === '') return first.text
  // An unusual mark is a separate word: `[e~[`.
  const word = after.trim().split(/\s/u)[0]!
  return /^[\w{}[\](),;]*$/u.test(word) ? undefined : word
}

/** The mark before the result of a call, which may end the model's turn, unless it opens every turn. */
function endBeforeResult(after: string, turns: readonly string[]): string | undefined {
  const first = firstMark(after.trimStart())
  return first?.at === 0 && !turns.some((turn) => turn.startsWith(first.text)) ? first.text : undefined
}

/** The end of the header, from its last mark on. */
function turnsOf(header: string): string[] {
  const tail = marksIn(header).length > 0 ? lastMark(header) : header.slice(header.trimEnd().lastIndexOf('\n') + 1).trimEnd()
  return tail.trim() === '' ? [] : [tail]
}
