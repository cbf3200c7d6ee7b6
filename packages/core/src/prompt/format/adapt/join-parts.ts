import type { Note } from '../../../base/errors/note.ts'
import type { Piece } from '../../../base/text/index.ts'
import type { Turn } from '../../conversation/conversation.ts'
import type { Traits } from './traits.ts'

/** A turn whose parts are one text, joined by newlines as in vLLM and llama.cpp, for formats that write one text. Media stay in their place. */
export function withJoinedParts(turn: Turn, { formatName }: Traits, notes: Note[]): Turn {
  const { parts = [], content = [], ...said } = turn
  const joint: Piece = { text: '\n', control: false, source: { by: 'format', path: 'parts' } }
  const isNext = (index: number) => {
    const [before, piece] = [content[index - 1], content[index]!]
    return before !== undefined && 'text' in before && 'text' in piece && before.part !== piece.part
  }
  const joined = content.flatMap((piece, index) => (isNext(index) ? [joint, piece] : [piece]))
  if (joined.length > content.length)
    notes.push({
      code: 'parts-joined',
      where: `${turn.path}.content`,
      text: `${formatName} writes one text per turn, so ${parts.length} parts were joined by newlines`,
    })
  return { ...said, content: joined }
}
