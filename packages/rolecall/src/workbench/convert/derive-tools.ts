import { functionList } from '@rolecall/core/internal/format'
import type { Layout } from './format-layout.ts'
import type { Write } from './write-conversation.ts'

const question = 'qzAqz'
const before = 'qzBqz'

/** A tool whose parts can be found in a prompt. */
export const probeTool = {
  type: 'function',
  function: { name: 'qzTool', description: 'qzDescription', parameters: { type: 'object', properties: {} } },
}

/** How tools are written: rejected, dropped, as MLC's list in one place, or in another way. */
export function deriveTools(write: Write): Layout['tools'] {
  const messages = [
    { role: 'user', content: before },
    { role: 'assistant', content: 'qzCqz' },
    { role: 'user', content: question },
  ]
  const shown = write({ messages, tools: [probeTool] }, 'generate')
  const without = write({ messages }, 'generate')
  if (shown === undefined) return 'refused'
  if (shown === without) return 'left-out'
  const list = functionList([{ name: 'qzTool', schema: probeTool.function, path: 'tools[0]' }])
  const at = shown.indexOf(list)
  if (at < 0 || without !== shown.slice(0, at) + shown.slice(at + list.length)) return 'written'
  const asked = shown.indexOf(question)
  const earlier = shown.indexOf(before)
  if (at > asked) return { place: 'user-end', before: shown.slice(asked + question.length, at), after: '' }
  if (at > earlier) return { place: 'user-begin', before: '', after: shown.slice(at + list.length, asked) }
  return { place: 'opening', before: '', after: shown.slice(at + list.length, earlier) }
}
