import type { PyValue } from '@rolecall/core/internal/python'
import { dictEntries, dictFromEntries, isDict, isList } from '@rolecall/core/internal/python'
import type { RequestedChat } from '../chat/requested-chat.ts'
import { exactField } from '../exact-fields.ts'

/** Lines that a client writes into its system text for its own server, and that change from request to request. */
const nonces: readonly { client: string; line: RegExp }[] = [{ client: 'Claude Code', line: /^x-anthropic-billing-header:[^\n]*(?:\n|$)/ }]

/** A chat without the lines of its client that change at the head of the system text, and cost the whole prefix cache; each is named. */
export function withoutNonces(requested: RequestedChat): RequestedChat {
  const problems: string[] = []
  const messages = (requested.exact.messages as readonly PyValue[]).map((message, index) => {
    const role = exactField(message, 'role')
    if (!isDict(message) || (role !== 'system' && role !== 'developer')) return message
    const content = withoutNonce(exactField(message, 'content'), (client) =>
      problems.push(`messages[${index}]: a line of ${client} that changes from request to request was removed (--stable-prefix)`),
    )
    return content === undefined
      ? message
      : dictFromEntries(dictEntries(message).map(([key, value]) => [key, key === 'content' ? content : value] as const))
  })
  if (problems.length === 0) return requested
  const exact = { ...requested.exact, messages: messages as unknown as RequestedChat['exact']['messages'] }
  return { ...requested, exact, stabilized: problems }
}

/** Undefined if there is none. A part that is nothing else is dropped. */
function withoutNonce(content: PyValue | undefined, found: (client: string) => void): PyValue | undefined {
  if (typeof content === 'string') {
    const nonce = nonces.find(({ line }) => line.test(content))
    if (nonce === undefined) return undefined
    found(nonce.client)
    return content.replace(nonce.line, '')
  }
  if (!isList(content)) return undefined
  const [first, ...rest] = content
  const text = withoutNonce(exactField(first, 'text'), found)
  if (text === undefined || first === undefined || !isDict(first)) return undefined
  if (text === '') return rest
  return [dictFromEntries(dictEntries(first).map(([key, value]) => [key, key === 'text' ? text : value] as const)), ...rest]
}
