import { expect, test } from 'vitest'
import { renderConfig } from './render-config.ts'

const model = JSON.stringify({
  chat_template: "{% for m in messages %}{% if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}{% endif %}{% endfor %}<|assistant|>",
})

test.each([
  [
    'a chat',
    {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
  ],
  [
    'a row',
    {
      infer_cfg: {
        prompt_template: {
          template: { begin: [{ role: 'SYSTEM', prompt: 'Be brief.' }], round: [{ role: 'HUMAN', prompt: '{question}' }] },
        },
      },
    },
  ],
])('%s on a template that drops the system turn is shown as it writes, with a warning', async (_, dataset) => {
  const { problems, error, result } = await renderConfig({
    model,
    dataset: JSON.stringify(dataset),
    row: '{"question": "Hi"}',
    mode: '',
  })
  expect([problems, error]).toEqual([{ model: [], dataset: [], row: [] }, undefined])
  const { prompt } = result!.prompts[0]!.rendered
  expect(prompt.kind === 'completion' && prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(
    '<|user|>Hi<|assistant|>',
  )
  expect(prompt.notes).toContainEqual(expect.objectContaining({ code: 'system-left-out' }))
})
