import { expect, test } from 'vitest'
import { plain } from '../../base/text/index.ts'
import { bodyOf } from './flatten.ts'

test('media of a message without given parts are sent as parts, not dropped', () => {
  const source = { by: 'field', path: 'image' } as const
  const content = [plain('What is', source), { media: { kind: 'image', url: 'data:image/png;base64,AA' }, source } as const]
  const prompt = { kind: 'chat', messages: [{ role: 'user', content }], notes: [] } as never
  expect(JSON.parse(bodyOf(prompt))).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ],
    },
  ])
})
