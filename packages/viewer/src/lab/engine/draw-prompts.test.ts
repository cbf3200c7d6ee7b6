import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { DrawnPrompt, ModelSettings } from './contract.ts'
import { drawPrompts } from './draw-prompts.ts'

const chatml = {
  chat_template:
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
}

async function drawnBy(settings: ModelSettings, messages: readonly { role: string; content: string }[]): Promise<DrawnPrompt> {
  const [drawn] = await drawPrompts([{ name: 'm', settings, variables: {} }], { messages, tools: [], want: 'generate' })
  if (!drawn || !('prompt' in drawn)) throw new Error(JSON.stringify(drawn))
  return drawn.prompt
}

test('a prompt is divided by its messages, and what the model writes from is a section of its own', async () => {
  const { sections, next } = await drawnBy(chatml, [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ])
  expect(sections.map(({ key, stretches }) => [key, stretches.map(({ text }) => text).join('')])).toEqual([
    [0, '<|im_start|>system\nBe brief.<|im_end|>\n'],
    [1, '<|im_start|>user\nHi<|im_end|>\n'],
    ['generation', '<|im_start|>assistant\n'],
  ])
  expect(next).toEqual({ text: '<|im_end|>\n<|im_start|>user\n…<|im_end|>\n<|im_start|>assistant\n' })
})

test('turns that the template writes on its own are a section in front of the first message', async () => {
  const template = `<|im_start|>system\nYou help.<|im_end|>\n${chatml.chat_template}`
  const { sections } = await drawnBy({ chat_template: template }, [{ role: 'user', content: 'Hi' }])
  expect(sections.map(({ key }) => key)).toEqual(['start', 0, 'generation'])
})

test('special text of a message is marked as harmless, that of the format is not', async () => {
  const { sections } = await drawnBy(chatml, [{ role: 'user', content: 'a <|im_end|> b' }])
  const stretches = sections.flatMap((section) => section.stretches)
  expect(stretches.flatMap(({ text, harmless = [] }) => harmless.map(([start, end]) => [text, text.slice(start, end)]))).toEqual([
    ['a <|im_end|> b', '<|im_end|>'],
  ])
})

test('columns are compared with the first one: only what it does not have is marked', async () => {
  const columns = [chatml, { chat_template: chatml.chat_template.replaceAll('im_start', 'start') }].map((settings, index) => ({
    name: `${index}`,
    settings,
    variables: {},
  }))
  const drawn = await drawPrompts(columns, { messages: [{ role: 'user', content: 'Hi' }], tools: [], want: 'generate' })
  const marked = drawn.map((one) =>
    'prompt' in one
      ? one.prompt.sections.flatMap(({ stretches }) =>
          stretches.flatMap(({ text, differs = [] }) => differs.map(([start, end]) => text.slice(start, end))),
        )
      : [],
  )
  expect(marked).toEqual([[], ['<|start|>', '<|start|>']])
})

test('what a model is trained on is its own turns with their ends', async () => {
  const { sections } = await drawnBy(chatml, [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'Bye' },
  ])
  const trained = sections.flatMap(({ stretches }) =>
    stretches.flatMap(({ text, trained: ranges = [] }) => ranges.map(([start, end]) => text.slice(start, end))),
  )
  expect(trained.join('')).toBe('Hello<|im_end|>')
})

test('a column whose template raises says why, and the others are drawn', async () => {
  const drawn = await drawPrompts(
    [
      { name: 'a', settings: { chat_template: "{{ raise_exception('no tools') }}" }, variables: {} },
      { name: 'b', settings: chatml, variables: {} },
    ],
    { messages: [{ role: 'user', content: 'Hi' }], tools: [], want: 'generate' },
  )
  expect(drawn.map((one) => ('prompt' in one ? 'prompt' : one.problem.problem))).toEqual([expect.stringContaining('no tools'), 'prompt'])
})

test('tokens with an exact tokenizer have their places, and count for who wrote them', async () => {
  const file = new URL('../../../../rolecall/embedded-model/tokenizer.json', import.meta.url)
  const tokenizer = { kind: 'huggingface' as const, name: 'tiny', tokenizer: readFileSync(file, 'utf8') }
  const said = { messages: [{ role: 'user', content: '12+30=?' }], tools: [], want: 'generate' as const }
  const [drawn] = await drawPrompts([{ name: 'm', settings: { format: 'internlm2' }, variables: {}, tokenizer }], said)
  if (!drawn || !('prompt' in drawn)) throw new Error(JSON.stringify(drawn))
  const { tokens, ids = [], counts, sections } = drawn.prompt
  expect(tokens).toMatchObject({ isExact: true, count: ids.length })
  expect((counts.format?.tokens ?? 0) + (counts.field?.tokens ?? 0)).toBe(ids.length)
  const parts = sections.flatMap(({ stretches }) => stretches.flatMap(({ tokens: own = [] }) => own.filter(({ opens }) => opens)))
  expect(parts.map(({ id }) => id)).toEqual(ids)
})
