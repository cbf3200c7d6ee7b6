import { expect, test } from 'vitest'
import { scriptedModel } from '../../../testing/scripted-model.ts'
import { compileChat } from '../../prompt/compile-chat.ts'
import { ChatSession } from './chat-session.ts'

test("a chat reads replies as the model's config says", async () => {
  const config = { format: 'chatml', reply_syntax: 'think' } as const
  const model = scriptedModel({ says: () => ['<think>Hm.</think>', '\n\nHi.'] })
  const chat = new ChatSession({
    opened: { config, model, maker: compileChat(config) },
    tools: [],
    generation: {},
    history: {},
    maxTurns: 1,
  })
  for await (const _ of chat.ask('Hello', new AbortController().signal));
  expect(chat.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Hi.', reasoning_content: 'Hm.' })
})
