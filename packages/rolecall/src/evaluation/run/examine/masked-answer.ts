import type { Row } from '@rolecall/core/internal/conversation'
import { isTurn } from '@rolecall/core/internal/conversation'
import { attempt } from '@rolecall/core/internal/errors'
import { chatRole } from '@rolecall/core/internal/format'
import { isText, type Piece } from '@rolecall/core/internal/text'
import type { Pair } from '../plan-run.ts'

/**
 * Whether the template shows the gold answer in the question, where it is blanked: in a turn that is not the model's, or in a string with
 * more text after it.
 */
export function masksAnswer(pair: Pair, row: Row): boolean {
  const column = pair.dataset.reader_cfg?.output_column
  if (!column || pair.inferencer.mode !== 'gen' || pair.inferencer.readsChats) return false
  const isAnswer = ({ source: { by, path, example } }: Piece) => by === 'field' && path === column && example === undefined
  const conversation = attempt(() => pair.maker.conversation({ row, examples: [], mode: 'ppl' }))
  if (conversation?.kind === 'text') {
    const { content } = conversation
    const rest = content.slice(content.findLastIndex(isAnswer) + 1)
    return content.some(isAnswer) && rest.some((piece) => isText(piece) && piece.text.trim() !== '')
  }
  const turns = conversation?.sections.filter(({ kind }) => kind !== 'example').flatMap(({ items }) => items.filter(isTurn)) ?? []
  return turns.some(({ role, content = [] }) => chatRole(role) !== 'assistant' && content.some(isAnswer))
}
