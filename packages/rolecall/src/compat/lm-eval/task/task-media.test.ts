import { expect, test } from 'vitest'
import { compilePrompt } from '../../../../../core/src/prompt/compile/compile-prompt.ts'
import { bodyOf } from '../../../../../core/src/prompt/format/flatten.ts'
import { registerLmEval } from '../register.ts'
import { readTask } from './task-config.ts'

registerLmEval()
const [cat, dog, wav] = ['data:image/png;base64,AAAA', 'data:image/png;base64,BBBB', 'data:audio/wav;base64,CCCC']
const python = `
def images(doc):
    return [doc[name] for name in ("image_1", "image_2")]

def audio(doc):
    return [{"array": doc["sound"]["array"], "sampling_rate": doc["sound"]["sampling_rate"]}]

def nothing(doc):
    return None
`

function sent(task: object, row: object, more: object = {}): unknown {
  const spec = {
    file: 't.yaml',
    task: { doc_to_target: '{{a}}', ...task },
    files: { 'utils.py': python },
    rows: [JSON.stringify(row)],
    pool: [],
    apply_chat_template: true,
    fewshot_as_multiturn: false,
    ...more,
  }
  const maker = compilePrompt({ format: 'messages' }, { abbr: 'pictures', infer_cfg: {}, lm_eval: spec })
  return JSON.parse(bodyOf(maker.render({ row: row as never, mode: 'gen' }).prompt))[0].content
}

const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const text = (said: string) => ({ type: 'text', text: said })
const run = (name: string) => ({ $python: `utils.${name}`, file: 'utils.py' })

test.each<[string, object, object, unknown]>([
  ['a column', { doc_to_image: 'image', doc_to_text: '<image>{{q}}' }, { image: cat, q: 'What?' }, [image(cat), text('What?')]],
  [
    'a list of columns',
    { doc_to_image: ['image'], doc_to_text: '{{q}} <image>' },
    { image: cat, q: 'What?' },
    [text('What? '), image(cat)],
  ],
  [
    'a function',
    { doc_to_image: run('images'), doc_to_text: 'Is <image> like <image>?' },
    { image_1: cat, image_2: dog },
    [text('Is '), image(cat), text(' like '), image(dog), text('?')],
  ],
  ['a template', { doc_to_image: "['{{image}}']", doc_to_text: 'What?' }, { image: cat }, [image(cat), text('What?')]],
  [
    'audio as the datasets library decodes it',
    { doc_to_audio: run('audio'), doc_to_text: 'Listen: <audio>' },
    { sound: wav },
    [text('Listen: '), { type: 'audio_url', audio_url: { url: wav } }],
  ],
])('%s', (_, task, row, expected) => expect(sent(task, { ...row, a: 'x' })).toEqual(expected))

test('without media, a place is text', () => {
  expect(sent({ doc_to_image: run('nothing'), doc_to_text: 'See <image>.' }, { a: 'x' })).toBe('See <image>.')
})

test.each<[string, object, object, string]>([
  [
    'fewer places than images',
    { doc_to_image: run('images'), doc_to_text: '<image>?' },
    { image_1: cat, image_2: dog },
    'has places for 1',
  ],
  ['a value that is no media', { doc_to_image: 'image', doc_to_text: 'x' }, { image: 'cat.png' }, 'it gives no media: cat.png'],
])('%s is an error', (_, task, row, message) => expect(() => sent(task, { ...row, a: 'x' })).toThrow(message))

test('a text completion carries no media', () => {
  const task = { doc_to_image: 'image', doc_to_text: 'x' }
  expect(() => sent(task, { image: cat, a: 'x' }, { apply_chat_template: false })).toThrow(/Add --apply-chat-template/)
})

test('media are not scored by log-likelihood', () => {
  const keys = new Map(Object.entries({ doc_to_text: 'x', doc_to_target: 'y', doc_to_image: 'image', output_type: 'multiple_choice' }))
  expect(() => readTask(keys, 't.yaml')).toThrow('media cannot be scored by log-likelihood')
})
