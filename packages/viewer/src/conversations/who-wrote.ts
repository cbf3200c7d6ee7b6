import type { ChatMessage, ChatPart } from '@rolecall/core/internal/conversation'
import { contentPart } from '@rolecall/core/internal/conversation'
import type { PyValue } from '@rolecall/core/internal/python'
import type { Media } from '@rolecall/core/internal/text'
import type { SavedPart } from 'rolecall/internal/model/agent/transcript'
import { type Speaker, speakerOf } from './speakers.ts'

/** A range of a sent prompt and its origin. `isMarker`: special tokens are recognised in it. `ids` if the text is unknown. */
export type Written = { by: Speaker; text: string; isMarker?: true } | { by: Speaker; ids: readonly number[] } | { media: Media }

/** The ids and text of the model's earlier turns. */
export type EarlierReply = { ids?: readonly number[] | undefined; text: string }

/**
 * Splits a saved prompt by origin. Only the sent text is stored: message texts are located in order, ids are those generated
 * earlier by the model, and the rest belongs to the format.
 */
export function whoWrote(parts: readonly SavedPart[], messages: readonly ChatMessage[], earlier: readonly EarlierReply[]): Written[] {
  const said = messages.flatMap((message) => textsOf(message).map((text) => ({ by: speakerOf(message.role), text, message })))
  let next = 0
  return parts.flatMap((part): Written[] => {
    if ('media' in part) return [part]
    if ('ids' in part) {
      // They represent a model turn, which is not searched for in what follows.
      const turn = said.findIndex(({ by }, place) => place >= next && by === 'assistant')
      if (turn >= 0) next = said.findLastIndex(({ message }) => message === said[turn]!.message) + 1
      return [idsWritten(part.ids, earlier)]
    }
    if ('control' in part) return [{ by: 'format', text: part.control, isMarker: true }]
    const written: Written[] = []
    let at = 0
    for (let place = next; place < said.length; place++) {
      const { by, text } = said[place]!
      const found = part.text.indexOf(text, at)
      if (found < 0) continue
      if (found > at) written.push({ by: 'format', text: part.text.slice(at, found) })
      written.push({ by, text })
      at = found + text.length
      next = place + 1
    }
    if (at < part.text.length) written.push({ by: 'format', text: part.text.slice(at) })
    return written
  })
}

/** The text of a message as formats write it; whitespace-only texts would match anywhere and are skipped. */
function textsOf({ content, reasoning_content: reasoning }: ChatMessage): string[] {
  const parts = typeof content === 'string' ? [content] : (content ?? []).flatMap(textOfPart)
  return [reasoning ?? '', ...parts].map((text) => text.trim()).filter((text) => text !== '')
}

function textOfPart(part: ChatPart): string[] {
  const read = contentPart(part as PyValue)
  return read !== undefined && 'text' in read ? [read.text] : []
}

function idsWritten(ids: readonly number[], earlier: readonly EarlierReply[]): Written {
  const found = earlier.findLast((reply) => reply.ids?.length === ids.length && reply.ids.every((id, place) => id === ids[place]))
  return found ? { by: 'assistant', text: found.text } : { by: 'assistant', ids }
}
