import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import '../all-formats.ts'
import { PromptError } from '../base/errors/prompt-error.ts'
import { chatTemplateFormat } from '../prompt/format/chat-template/chat-template-format.ts'
import { defineModel } from './define-model.ts'
import { parseReply, parseStream } from './parse-reply.ts'
import { readTokenizer } from './read-tokenizer.ts'
import { renderPrompt } from './render-prompt.ts'
import { renderTemplate } from './render-template.ts'
import { countTokens } from './token-count.ts'

const hi = [{ role: 'user', content: 'Hi' }]
const thinks =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}'
const thinking = '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if enable_thinking is false %}<nothink>{% endif %}'

function codeOf(act: () => unknown): { code: string; where: string; fix: string } {
  try {
    act()
  } catch (error) {
    if (error instanceof PromptError) return { code: error.code, where: error.where, fix: error.fix }
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('options that do not exist', () => {
  const model = defineModel('chatml')
  const calls: Record<string, () => unknown> = {
    defineModel: () => defineModel({ chatTemplate: thinking, specialToken: {} } as never),
    renderPrompt: () => renderPrompt(model, hi, { tool: [] } as never),
    parseReply: () => parseReply('hermes', '', { tool: [] } as never),
    readTokenizer: () => readTokenizer({}, { confg: {} } as never),
    renderTemplate: () => renderTemplate('', {}, { limit: {} } as never),
  }
  test.each(Object.keys(calls))('%s refuses them, with the nearest name', (name) => {
    const { code, where, fix } = codeOf(calls[name]!)
    expect({ code, isPlaced: where.startsWith(name) }).toEqual({ code: 'unknown-key', isPlaced: true })
    expect(fix).toMatch(/^did you mean "(specialTokens|tools|config|limits)"\?$/)
  })

  test('parseStream refuses them, too', async () => {
    await expect(parseStream('hermes', ['Hi'], { tool: [] } as never).next()).rejects.toThrow('Did you mean "tools"?')
  })
})

describe('a definition', () => {
  test('without a format is refused: nothing says how the model expects a chat', () => {
    expect(codeOf(() => defineModel({})).code).toBe('no-format')
    expect(codeOf(() => defineModel({ specialTokens: { bos_token: '<s>' } })).code).toBe('no-format')
    expect(codeOf(() => renderPrompt({} as never, hi)).code).toBe('wrong-type')
  })

  test('takes special tokens as tokenizer_config.json writes them', () => {
    const specialTokens = { bos_token: { content: '<s>' }, eos_token: '</s>', unk_token: null }
    const model = defineModel({ chatTemplate: '{{ bos_token }}{{ messages[0].content }}{{ eos_token }}', specialTokens })
    expect(renderPrompt(model, hi, { want: 'complete' }).text).toBe('<s>Hi</s>')
  })

  test('takes a compiled format, whose settings it does not have', () => {
    const format = chatTemplateFormat(thinking)
    expect(renderPrompt(defineModel({ format }), hi).text).toBe('<user>Hi')
    expect(codeOf(() => defineModel({ format, specialTokens: {} })).code).toBe('unused-options')
  })

  test('has values of the right types', () => {
    expect(codeOf(() => defineModel({ chatTemplate: 5 } as never))).toMatchObject({
      code: 'wrong-type',
      where: 'defineModel › chatTemplate',
    })
  })
})

describe('variables of a template', () => {
  const model = defineModel({ chatTemplate: thinking })

  test('belong to one prompt, and go before those of the model', () => {
    expect(renderPrompt(model, hi, { variables: { enable_thinking: false } }).text).toBe('<user>Hi<nothink>')
    expect(renderPrompt(model, hi).text).toBe('<user>Hi')
    const quiet = defineModel({ chatTemplate: thinking, variables: { enable_thinking: false } })
    expect(renderPrompt(quiet, hi).text).toBe('<user>Hi<nothink>')
    expect(renderPrompt(quiet, hi, { variables: { enable_thinking: true } }).text).toBe('<user>Hi')
  })

  test('that the template does not read are noted', () => {
    const { notes } = renderPrompt(model, hi, { variables: { enable_thinkng: false } })
    expect(notes).toMatchObject([{ code: 'variable-unread', text: expect.stringContaining('did you mean "enable_thinking"?') }])
    expect(renderPrompt(defineModel('chatml'), hi, { variables: { enable_thinking: false } }).notes).toMatchObject([
      { code: 'variable-unread' },
    ])
  })

  test('of an MLC template of the new generation are enable_thinking', () => {
    const mlc = defineModel({ convTemplate: 'new/qwen3' })
    expect(renderPrompt(mlc, hi).text).not.toContain('<think>')
    expect(renderPrompt(mlc, hi, { variables: { enable_thinking: false } })).toMatchObject({
      text: expect.stringMatching(/<think>\n\n<\/think>\n\n$/),
      notes: [],
    })
  })
})

describe('a prompt', () => {
  const tokenizerFile = new URL('../../../rolecall/embedded-model/tokenizer.json', import.meta.url)
  const tokenizer = readTokenizer(readFileSync(tokenizerFile, 'utf8'))
  const model = defineModel({ format: 'chatml', tokenizer })

  test('has ids in which text from messages is no control token', () => {
    const ids = renderPrompt(model, [{ role: 'user', content: 'a<|im_end|>' }]).ids()
    expect(ids.filter((id) => id === tokenizer.idOf('<|im_end|>'))).toHaveLength(1)
    expect(countTokens(model, renderPrompt(model, hi))).toBe(renderPrompt(model, hi).ids().length)
    expect(countTokens(model, '<|im_end|>')).toBeGreaterThan(0)
  })

  test('has its stops as texts and ids', () => {
    expect(renderPrompt(model, hi).stop).toEqual({ texts: ['<|im_end|>'], ids: [tokenizer.idOf('<|im_end|>')] })
    expect(renderPrompt(defineModel('chatml'), hi).stop).toEqual({ texts: ['<|im_end|>'], ids: [] })
  })

  test('without a tokenizer says what is missing', () => {
    expect(codeOf(() => renderPrompt(defineModel('chatml'), hi).ids()).code).toBe('no-tokenizer')
    expect(codeOf(() => countTokens(defineModel('chatml'), 'Hi')).code).toBe('no-tokenizer')
  })

  test('may start the answer', () => {
    expect(renderPrompt(model, hi, { prefill: 'Well,' }).text).toMatch(/<\|im_start\|>assistant\nWell,$/)
    expect(codeOf(() => renderPrompt(model, hi, { prefill: 'Well,', want: 'complete' })).code).toBe('wrong-value')
  })
})

describe('a reply', () => {
  const call = '<tool_call>{"name": "f", "arguments": {"ratio": 1.0, "id": 12345678901234567890, "list": [2.5, null]}}</tool_call>'

  test('has plain arguments, and exact ones as text', () => {
    const [first] = parseReply('hermes', call).calls
    expect(JSON.parse(JSON.stringify(first))).toMatchObject({
      arguments: { ratio: 1, list: [2.5, null] },
      argumentsText: '{"ratio": 1.0, "id": 12345678901234567890, "list": [2.5, null]}',
      rounded: ['id'],
    })
  })

  test('streams the same calls as when it is read whole', async () => {
    const stream = parseStream('hermes', [...call])
    const ends: unknown[] = []
    let next = await stream.next()
    for (; !next.done; next = await stream.next()) if (next.value.type === 'call-end') ends.push(next.value.call)
    expect(ends).toEqual(parseReply('hermes', call).calls)
    expect(next.value).toEqual(parseReply('hermes', call))
  })

  test('is read in the syntax of its model, and continues the thought that its prompt opened', () => {
    const model = defineModel({ chatTemplate: thinks })
    const prompt = renderPrompt(model, [{ role: 'user', content: '</think>' }])
    expect(parseReply(model, 'Hm.</think>\n\nYes.', { prompt })).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' })
  })

  test('of token ids needs the tokenizer of the model', () => {
    expect(codeOf(() => parseReply('hermes', [1, 2])).code).toBe('no-tokenizer')
  })
})

test('a template is compiled once and rendered with other variables', () => {
  const source = '{{ name | upper }}'
  expect([renderTemplate(source, { name: 'a' }), renderTemplate(source, { name: 'b' })]).toEqual(['A', 'B'])
})
