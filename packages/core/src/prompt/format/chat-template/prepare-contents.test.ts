import { describe, expect, test } from 'vitest'
import type { ChatMessage, ChatPart } from '../../conversation/chat-message.ts'
import { readChat } from '../../conversation/read-chat.ts'
import { promptText } from '../prompt-text.ts'
import { chatTemplateFormat } from './chat-template-format.ts'
import type { PartsOptions } from './prepare-contents.ts'

const forStrings = '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}'
/** Loops over parts and writes only what it tests for, as Gemma and Llama 4 do. */
const loop = (test: string) =>
  `{% for m in messages %}<|{{ m.role }}|>{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{% if p.type == 'text' %}{{ p.text }}{% elif ${test} %}<|image|>{% endif %}{% endfor %}{% endif %}{% endfor %}`
const forImage = loop("p.type == 'image'")
const forImageUrl = loop("p.type == 'image_url'")
const onlyParts = '{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}'

const text = (value: string): ChatPart => ({ type: 'text', text: value })
const image: ChatPart = { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }
const user = (...content: ChatPart[]): ChatMessage => ({ role: 'user', content })

function render(template: string, messages: readonly ChatMessage[], parts?: PartsOptions) {
  const prompt = chatTemplateFormat(template, { parts }).render(readChat({ messages }), { want: 'complete' })
  if (prompt.kind !== 'completion') throw new Error('not a completion')
  return { text: promptText(prompt), notes: prompt.notes.map(({ code, where }) => `${code} ${where}`), pieces: prompt.pieces }
}

describe('without a serving stack, contents take the form that the template takes', () => {
  test('parts of text are joined for a template of strings, with a note', () => {
    expect(render(forStrings, [user(text('a'), text('b'))])).toMatchObject({
      text: '<|user|>a\nb',
      notes: ['parts-joined messages[0].content'],
    })
    expect(render(forStrings, [user(text('a'))])).toMatchObject({ text: '<|user|>a', notes: [] })
  })

  test('a string becomes a part for a template that only loops, with a note', () => {
    expect(render(onlyParts, [{ role: 'user', content: 'a' }])).toMatchObject({ text: 'a', notes: ['text-as-part messages[0].content'] })
  })

  test('a string stays one for a template that takes both', () => {
    expect(render(forImage, [{ role: 'user', content: 'a' }])).toMatchObject({ text: '<|user|>a', notes: [] })
  })

  test.each([
    ['type image', forImage],
    ['type image_url', forImageUrl],
  ])('an image is given as what the template tests for: %s', (_, template) => {
    const hugging: ChatPart = { type: 'image', url: 'https://example.org/cat.png' }
    for (const part of [image, hugging]) expect(render(template, [user(part, text('a'))]).text).toBe('<|user|><|image|>a')
  })

  test('a renamed part is noted, one that fits is not', () => {
    expect(render(forImage, [user(image)]).notes).toEqual(['part-renamed messages[0].content[0]'])
    expect(render(forImageUrl, [user(image)]).notes).toEqual([])
  })

  test('an image that the template does not write is an error that names the part', () => {
    expect(() => render(forStrings, [user(text('a'), image)])).toThrow(
      'messages[0].content[1]: the chat template takes only text in a user message, and this is an image.',
    )
    expect(() => render(loop('false'), [user(text('a'), image)])).toThrow(
      'messages[0].content[1]: the chat template writes nothing for images in a user message',
    )
  })

  test('the prompt contains the image after its placeholder', () => {
    const { pieces } = render(forImage, [user(text('a'), image, text('b'))])
    expect(pieces.map((piece) => ('media' in piece ? piece.media.url : 'text' in piece ? piece.text : ''))).toEqual([
      '<|',
      'user',
      '|>',
      'a',
      '<|image|>',
      'https://example.org/cat.png',
      'b',
    ])
  })

  test('a placeholder that a user writes is text', () => {
    const { pieces } = render(forImage, [user(text('a <|image|>'), image)])
    expect(
      pieces.filter((piece) => 'text' in piece && piece.text.includes('<|image|>')).map((piece) => 'control' in piece && piece.control),
    ).toEqual([false, true])
  })
})

describe('as a serving stack', () => {
  const messages = [user(text('a'), image, text('b'))]
  test.each<[PartsOptions, string, string, string[]]>([
    [{ engine: 'vllm' }, forImage, '<|user|>a<|image|>b', []],
    [{ engine: 'vllm', placeholders: { image: '<image>' } }, forStrings, '<|user|><image>\na\nb', []],
    [{ engine: 'sglang' }, forImage, '<|user|>a<|image|>b', []],
    [{ engine: 'sglang', form: 'string' }, forStrings, '<|user|>a b', ['part-left-out messages[0].content[1]']],
    [{ engine: 'llama.cpp' }, forImage, '<|user|>a<__media__>b', []],
    [{ engine: 'transformers' }, forImageUrl, '<|user|>ab', ['part-left-out messages[0].content[1]']],
  ])('%j', (parts, template, expected, notes) => {
    expect(render(template, messages, parts)).toMatchObject({ text: expected, notes })
  })

  test('a part that it refuses is named', () => {
    expect(() => render(forImage, [user({ type: 'image', url: 'x' })], { engine: 'vllm' })).toThrow(
      'messages[0].content[0]: vLLM does not take',
    )
    expect(() => render(forStrings, messages, { engine: 'vllm' })).toThrow('Set parts.architecture or parts.placeholders')
  })

  test('what it writes for media is control text, what users write is not', () => {
    const { pieces } = render(forStrings, [user(text('<image>!'), image, image)], { engine: 'vllm', placeholders: { image: '<image>' } })
    const marks = pieces.filter((piece) => 'text' in piece && piece.text.startsWith('<image>'))
    expect(marks.map((piece) => 'control' in piece && [piece.text, piece.control])).toEqual([
      ['<image>', true],
      ['<image>!', false],
    ])
  })
})
