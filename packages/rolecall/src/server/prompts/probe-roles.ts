import type { ChatMaker } from '@rolecall/core/internal/compile'
import type { Chat, ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'

const called = (id: string): ChatMessage => ({
  role: 'assistant',
  content: 'I look.',
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"path": "a"}' } }],
})

/** A session as coding agents send it: what the template does with its turns is found out by rendering it. */
const session: Chat = {
  messages: [
    { role: 'system', content: 'You are an agent.' },
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Look.' },
    called('call_00001'),
    { role: 'tool', tool_call_id: 'call_00001', content: 'A file.' },
    called('call_00002'),
    { role: 'tool', tool_call_id: 'call_00002', content: 'Another.' },
    { role: 'system', content: 'Go on.' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
    },
  ],
}

/** Renders a session of an agent, so that the roles that a template writes are known before the first request. */
export function probeRoles(maker: ChatMaker): void {
  if (maker.format.roles === undefined) return
  try {
    maker.render(session)
  } catch (error) {
    // A template may refuse it, as it will a request.
    if (!(error instanceof PromptError)) throw error
  }
}
