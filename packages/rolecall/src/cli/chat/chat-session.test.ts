import { expect, test } from 'vitest'
import { scriptedModel } from '../../../../../proof/testing/scripted-model.ts'
import { compileChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import { ChatSession } from './chat-session.ts'

test('each turn of a chat is sampled with a different seed', async () => {
  const seeds: (number | undefined)[] = []
  const model = scriptedModel({ says: () => ['Hi.'] })
  const config = { format: 'chatml' } as const
  const chat = new ChatSession({
    opened: {
      config,
      model: {
        ...model,
        generate(prompt, options) {
          seeds.push(options.sampling?.seed)
          return model.generate(prompt, options)
        },
      },
      maker: compileChat(config),
    },
    tools: [],
    generation: { sampling: { temperature: 1, seed: 0 } },
    history: {},
    maxTurns: 1,
  })
  for (const said of ['Hello', 'Hello']) for await (const _ of chat.ask(said, new AbortController().signal));
  expect(seeds).toHaveLength(2)
  expect(seeds[0]).not.toBe(seeds[1])
})

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
