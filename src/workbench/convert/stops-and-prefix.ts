import { readChat } from '../../prompt/conversation/read-chat.ts'
import type { Format } from '../../prompt/format/format.ts'
import type { StopsAndPrefix } from './format-layout.ts'
import { writeConversation } from './write-conversation.ts'

/** What a format needs in addition to its text: prefix ids, who adds BOS, and where generation stops. */
export function stopsAndPrefixOf(format: Format): StopsAndPrefix {
  const written = writeConversation(format, readChat({ messages: [{ role: 'user', content: 'Hi' }] }), 'generate')
  if ('refused' in written) return { prefixIds: [], bos: 'none', stopTexts: [], stopTokens: [], stopIds: [] }
  const { pieces, stop, bos } = written.prompt
  const firstText = pieces.findIndex((piece) => 'text' in piece && piece.text !== '')
  const inFront = pieces.slice(0, firstText < 0 ? pieces.length : firstText)
  return {
    prefixIds: inFront.flatMap((piece) => ('ids' in piece ? piece.ids : [])),
    bos,
    stopTexts: stop.flatMap((one) => ('text' in one ? [one.text] : [])),
    stopTokens: stop.flatMap((one) => ('token' in one ? [one.token] : [])),
    stopIds: stop.flatMap((one) => ('id' in one ? [one.id] : [])),
  }
}
