import type { ChatMessage, ChatToolCall } from '@rolecall/core/internal/conversation'
import type { Format } from '@rolecall/core/internal/format'
import type { Reply, ReplyCall, ReplySyntax } from '@rolecall/core/internal/reply'
import type { ModelReply } from '../language-model/language-model.ts'

type Written = { reply: Reply; model: Pick<ModelReply, 'text' | 'ids'>; callIds: readonly string[]; syntax: ReplySyntax; format: Format }

/**
 * The model's turn as a message: its text and calls in OpenAI's shape, and the ids it generated, which are sent back unchanged. Without
 * ids, calls keep their exact text.
 */
export function replyMessage({ reply, model, callIds, syntax, format }: Written): ChatMessage {
  const { ids, text } = model
  const { before, after } = textAround(reply)
  const calls = reply.calls.map((call, index) => callOf(call, { id: callIds[index]!, after: after[index]!, text, syntax, format }))
  // A format that only knows named tools cannot write a broken call, and one without marks cannot write any: the whole reply becomes text.
  const isWhole = (!format.traits.interpreter && reply.calls.some(({ kind }) => kind !== 'call')) || syntax.callsWithoutMarks === true
  return {
    role: 'assistant',
    content: isWhole ? text : before,
    ...(reply.reasoning === '' || isWhole ? {} : { reasoning_content: reply.reasoning }),
    ...(calls.length === 0 || isWhole ? {} : { tool_calls: calls }),
    ...(ids === undefined || format.kind === 'chat' ? {} : { token_ids: [...ids], token_text: text }),
  }
}

/** The text before the first call, and after each. */
function textAround({ parts, calls }: Reply): { before: string; after: string[] } {
  let before = ''
  const after = calls.map(() => '')
  let call = -1
  for (const part of parts) {
    if (part.kind === 'text' && call < 0) before += part.text
    else if (part.kind === 'text') after[call] += part.text
    else if (part.kind !== 'reasoning') call++
  }
  return { before, after }
}

type CallContext = { id: string; after: string; text: string; syntax: ReplySyntax; format: Format }

function callOf(call: ReplyCall, { id, after, text, syntax, format }: CallContext): ChatToolCall {
  const words = after === '' ? {} : { after }
  if (call.kind === 'code')
    return { id, type: 'code_interpreter', code_interpreter: { input: call.code }, raw: call.raw.trimStart(), ...words }
  if (call.kind === 'malformed') return { id, name: call.name ?? '', arguments: {}, raw: call.raw, ...words }
  // Chat servers do not parse marks.
  const raw = format.kind === 'chat' ? {} : { raw: betweenMarks(text.slice(...call.at), syntax) }
  return { id, type: 'function', function: { name: call.name, arguments: call.argumentsText }, ...raw, ...words }
}

/** A call without its marks. */
function betweenMarks(written: string, { blocks }: ReplySyntax): string {
  for (const { open, close } of blocks) {
    if (open.length === 0 || !written.startsWith(open[0]!)) continue
    let rest = written
    let isIts = true
    for (const mark of open) {
      const trimmed = rest.trimStart()
      if (!trimmed.startsWith(mark)) isIts = false
      else rest = trimmed.slice(mark.length)
    }
    if (!isIts) continue
    if (close !== undefined && rest.endsWith(close)) rest = rest.slice(0, -close.length)
    return rest.replace(/^\n/, '')
  }
  return written
}
