import { expect, test } from 'vitest'
import { renderChat } from '../../../../core/src/prompt/compile/compile-chat.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'

test('a text model refuses an image instead of dropping it', async () => {
  const model = await loadEmbedded()
  const image = { type: 'image_url' as const, image_url: { url: 'data:,' } }
  const prompt = renderChat({ messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] }, 'chatml')
  await expect(model.generate(prompt, { maxTokens: 1 })).rejects.toThrow(
    'messages[0].content[1]: the embedded model reads text, but this is an image.',
  )
})
