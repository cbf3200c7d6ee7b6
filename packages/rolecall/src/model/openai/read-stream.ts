import { createParser } from 'eventsource-parser'
import { BadReply } from './http/http-client.ts'
import { strictDecoder } from './http/strict-decoder.ts'
import { isAnswer, noAnswer, type ServerReplyPart } from './server-reply-part.ts'
import type { WireReader } from './wire-api.ts'

/**
 * The parts of a streamed reply. A stream that ends before the server reports the end of the reply is a bad reply: it cannot be
 * distinguished from a truncated answer.
 */
export async function* readStream(chunks: AsyncIterable<Uint8Array>, reader: Pick<WireReader, 'event'>): AsyncGenerator<ServerReplyPart> {
  const decoder = strictDecoder()
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(data) })
  let finish: string | undefined
  let hasAnswer = false
  let hasText = false
  let isDone = false
  let hasChoice = false
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk))
    for (const data of events.splice(0)) {
      if (isDone) continue
      const part = reader.event(data)
      if (part.isLast) isDone = true
      finish = part.finish ?? finish
      hasText ||= part.hasText
      hasAnswer ||= isAnswer({ ...part, hasText, finish })
      if (!part.hasNoChoice) hasChoice = true
      yield part
    }
    if (isDone) break
  }
  if (finish === undefined && !isDone) throw new BadReply('its stream was cut')
  if (!hasChoice) throw new BadReply('its stream has no choices')
  if (!hasAnswer) throw new BadReply(noAnswer(hasText, finish))
}
