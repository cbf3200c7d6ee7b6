import type { ChatMessage } from '@rolecall/core'
import { type ChatHistoryItem, LlamaText } from 'node-llama-cpp'

/** A chat history of node-llama-cpp as messages. What the model is writing is the last message; it is absent where the model begins. */
export function readHistory(history: readonly ChatHistoryItem[]): ChatMessage[] {
  const calls = { count: 0 }
  const messages = history.flatMap((item): ChatMessage[] => {
    if (item.type === 'user') return [{ role: 'user', content: item.text }]
    if (item.type === 'system') {
      const content = typeof item.text === 'string' ? item.text : LlamaText.fromJSON(item.text).toString()
      return content === '' ? [] : [{ role: 'system', content }]
    }
    return modelMessages(item.response, calls)
  })
  return messages
}

/** A turn of the model may have several calls, each followed by its result. */
function modelMessages(response: Extract<ChatHistoryItem, { type: 'model' }>['response'], calls: { count: number }): ChatMessage[] {
  const messages: ChatMessage[] = []
  let text = ''
  let reasoning = ''
  const flush = (more: Partial<ChatMessage> = {}) => {
    if (text === '' && reasoning === '' && more.tool_calls === undefined) return
    messages.push({ role: 'assistant', content: text, ...(reasoning === '' ? {} : { reasoning_content: reasoning }), ...more })
    text = ''
    reasoning = ''
  }
  for (const part of response) {
    if (typeof part === 'string') text += part
    else if (part.type === 'segment') {
      if (part.segmentType === 'thought') reasoning += part.text
      else text += part.text
    } else {
      const id = `call_${calls.count++}`
      flush({ tool_calls: [{ id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.params ?? {}) } }] })
      messages.push({ role: 'tool', tool_call_id: id, name: part.name, content: resultText(part.result) })
    }
  }
  flush()
  return messages
}

function resultText(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
}
