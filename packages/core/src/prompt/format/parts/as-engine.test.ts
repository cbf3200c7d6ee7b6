import { describe, expect, test } from 'vitest'
import type { PyDict, PyValue } from '../../../base/python/index.ts'
import { asEngine, type EngineModel } from './as-engine.ts'
import type { PartsEngine } from './parts-engine.ts'

const forStrings = '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}'
const forParts =
  "{% for m in messages %}{% for p in m.content %}{% if p.type == 'image' %}<img>{% else %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}"

const seen = (engine: PartsEngine, template: string, messages: PyDict[], model?: EngineModel) =>
  asEngine(engine, template, model)
    .convert(messages.map((message, index) => ({ message, pieces: [], path: `messages[${index}]` })))
    .map(({ message }) => (message as Record<string, PyValue>).content)

const text = (value: string) => ({ type: 'text', text: value })
const image = { type: 'image_url', image_url: { url: 'https://example.org/cat.png' } }
const user = (...content: PyValue[]): PyDict => ({ role: 'user', content })
const placeholders = { image: '<image>', audio: '<audio>' }

describe('several texts, for a template of strings', () => {
  test.each<[PartsEngine, PyValue]>([
    ['vllm', 'a\nb'],
    ['sglang', 'a b'],
    ['llama.cpp', 'a\nb'],
    ['transformers', [text('a'), text('b')]],
    ['transformers-serve', 'a b'],
  ])('%s', (engine, expected) => expect(seen(engine, forStrings, [user(text('a'), text('b'))])).toEqual([expected]))
})

describe('an image between texts', () => {
  const messages = [user(text('a'), image, text('b'))]
  test.each<[PartsEngine, string, EngineModel, PyValue]>([
    ['vllm', forStrings, { placeholders }, '<image>\na\nb'],
    ['vllm', forStrings, { placeholders, interleave: true }, 'a\n<image>\nb'],
    ['vllm', forParts, {}, [text('a'), { type: 'image' }, text('b')]],
    ['sglang', forStrings, {}, 'a b'],
    ['sglang', forParts, {}, [text('a'), { type: 'image' }, text('b')]],
    ['llama.cpp', forStrings, {}, 'a<__media__>b'],
    ['llama.cpp', forParts, {}, [text('a<__media__>b')]],
    ['transformers', forParts, {}, [text('a'), { type: 'image', url: 'https://example.org/cat.png' }, text('b')]],
    ['transformers-serve', forParts, { accepts: ['image'] }, [text('a'), { type: 'image', url: 'https://example.org/cat.png' }, text('b')]],
  ])('%s', (engine, template, model, expected) => expect(seen(engine, template, messages, model)).toEqual([expected]))
})

test('vLLM makes a list of every string for a template that loops, SGLang does not', () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  expect(seen('vllm', forParts, messages)).toEqual([[text('Hi')]])
  expect(seen('sglang', forParts, messages)).toEqual(['Hi'])
})

test('vLLM counts a placeholder that the user wrote', () => {
  expect(seen('vllm', forStrings, [user(text('See <image>.'), image)], { placeholders })).toEqual(['See <image>.'])
  expect(() => seen('vllm', forStrings, [user(text('<image> <image>'), image)], { placeholders })).toThrow(
    'messages[0].content: the text contains "<image>" 2 times, but there is 1 item of media',
  )
})

test('placeholders are numbered through the conversation', () => {
  const messages = [user(image, text('a')), { role: 'assistant', content: 'b' }, user(image)]
  expect(seen('vllm', forStrings, messages, { placeholders: { image: '<|image_{i}|>' } })).toEqual(['<|image_1|>\na', 'b', '<|image_2|>'])
})

describe('a part that the stack refuses is named', () => {
  const shape = { type: 'image', url: 'x' }
  test.each<[PartsEngine, PyValue, string]>([
    ['vllm', shape, 'messages[0].content[1]: vLLM does not take parts of the type "image"'],
    ['sglang', shape, 'messages[0].content[1]: SGLang does not take parts of the type "image"'],
    ['llama.cpp', shape, 'messages[0].content[1]: llama.cpp does not take parts of the type "image"'],
    ['vllm', { text: 'no type' }, 'messages[0].content[1]: this part has no type'],
    ['sglang', 'bare', 'messages[0].content[1]: SGLang takes only parts with a type'],
    ['llama.cpp', { type: 'text' }, 'messages[0].content[1]: the text of this part is not text'],
    ['transformers-serve', { text: 'no type' }, 'messages[0].content[1]: transformers serve takes only parts with a type'],
    ['vllm', { type: 'video_url', video_url: { url: 'v' } }, 'messages[0].content[1]: the model does not take video input'],
  ])('%s %j', (engine, part, message) => expect(() => seen(engine, forStrings, [user(text('a'), part)], { placeholders })).toThrow(message))
})

test('a model of vLLM without media refuses an image', () => {
  expect(() => seen('vllm', forStrings, [user(image)], { placeholders: {} })).toThrow(
    'messages[0].content[0]: the model does not take image input',
  )
})

test('the origins of joined texts are those of the parts', () => {
  const pieces = [
    { text: 'a', control: false, part: 0, source: { by: 'field', path: 'question' } },
    { text: 'b', control: false, part: 2, source: { by: 'template', path: 'content[2].text' } },
  ] as const
  const [message] = asEngine('vllm', forStrings, { placeholders }).convert([
    { message: user(text('a'), image, text('b')), pieces, path: 'messages[0]' },
  ])
  expect(message!.content!.map(({ text: shown, control, source }) => [shown, control, source.path])).toEqual([
    ['<image>', true, 'parts'],
    ['\n', false, 'parts'],
    ['a', false, 'question'],
    ['\n', false, 'parts'],
    ['b', false, 'content[2].text'],
  ])
})

test('llama.cpp puts a system message that the template does not read before the next one', () => {
  const template = "{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}{{ messages[0].content }}"
  expect(
    seen('llama.cpp', template, [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ]),
  ).toEqual(['s\nu'])
})
