import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { dictEntries, dictFromEntries, isDict, isList, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { exactField } from '../exact-fields.ts'

/**
 * Messages with the fields that chat templates read, in place of those that none reads: a refusal is what the assistant said, and
 * `function_call`, which was before `tool_calls`, is a call that the next message of the role `function` answers.
 */
export function withCurrentFields(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let open: string | undefined
  return messages.map((given, index) => {
    const message: PyValue = given as PyValue
    if (!isDict(message)) return given
    const role = exactField(message, 'role')
    if (role === 'function' && open !== undefined) {
      const answered = withFields(message, { role: 'tool', tool_call_id: open })
      open = undefined
      return answered
    }
    if (role !== 'assistant') return given
    const [refusal, call] = [exactField(message, 'refusal'), exactField(message, 'function_call')]
    const changes: Record<string, PyValue> = {}
    if (typeof refusal === 'string' && refusal !== '') changes.content = withRefusal(exactField(message, 'content'), refusal)
    if (isDict(call) && exactField(message, 'tool_calls') === undefined) {
      // Nine letters and digits, as Mistral's templates want them.
      open = `call${String(index).padStart(5, '0')}`
      changes.tool_calls = [{ id: open, type: 'function', function: call }]
    }
    return Object.keys(changes).length === 0 ? given : withFields(message, changes)
  })
}

/** The newer fields are in the message, so the older ones go. */
function withFields(message: PyDict, fields: Readonly<Record<string, PyValue>>): ChatMessage {
  const replaced = new Set(Object.keys(fields))
  if (replaced.has('content')) replaced.add('refusal')
  if (replaced.has('tool_calls')) replaced.add('function_call')
  const kept = dictEntries(message).filter(([key]) => !replaced.has(key))
  return dictFromEntries([...kept, ...Object.entries(fields)]) as unknown as ChatMessage
}

function withRefusal(content: PyValue | undefined, refusal: string): PyValue {
  if (isList(content ?? null) && (content as readonly PyValue[]).length > 0)
    return [...(content as readonly PyValue[]), { type: 'text', text: refusal }]
  return typeof content === 'string' && content !== '' ? `${content}\n${refusal}` : refusal
}
