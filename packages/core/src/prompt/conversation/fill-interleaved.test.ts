import { expect, test } from 'vitest'
import type { PyDict } from '../../base/python/index.ts'
import { compilePrompt } from '../compile/compile-prompt.ts'
import { bodyOf } from '../format/flatten.ts'

const maker = compilePrompt(
  { format: 'messages' },
  { infer_cfg: { prompt_template: { messages: [{ role: 'user', content: [{ type: 'interleaved', text: 'Q: {q}\n{options}' }] }] } } },
)
const sent = (row: PyDict): unknown => JSON.parse(bodyOf(maker.render({ row, mode: 'gen' }).prompt))[0].content
const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const text = (said: string) => ({ type: 'text', text: said })

test.each<[string, PyDict, unknown]>([
  [
    'numbered places take columns, in any order and repeatedly',
    { q: 'Is <image 2> like <image 1>?', options: '(A) <image 1>', image_1: 'a.png', image_2: 'b.png', image_3: null },
    [text('Q: Is '), image('b.png'), text(' like '), image('a.png'), text('?\n(A) '), image('a.png')],
  ],
  [
    'places without a number take the entries of one column',
    { q: '<image><image>?', options: '', image: ['a.png', 'b.png'] },
    [text('Q: '), image('a.png'), image('b.png'), text('?\n')],
  ],
  [
    'numbered places take the entries of a list',
    { q: '<image 2>', options: '', image: ['a.png', 'b.png'] },
    [text('Q: '), image('b.png'), text('\n')],
  ],
  ['without a place, the column comes first', { q: 'What?', options: '-', image: 'a.png' }, [image('a.png'), text('Q: What?\n-')]],
  [
    'audio',
    { q: 'Listen: <audio>', options: '', audio: 'a.wav' },
    [text('Q: Listen: '), { type: 'audio_url', audio_url: { url: 'a.wav' } }, text('\n')],
  ],
  ['no media', { q: '1 <images> 2', options: '' }, [text('Q: 1 <images> 2\n')]],
])('%s', (_, row, expected) => expect(sent(row)).toEqual(expected))

test('the images of a row come from its columns', () => {
  const { prompt } = maker.render({ row: { q: '<image>', options: '', image: ['a.png'] }, mode: 'gen' })
  const pieces = prompt.kind === 'chat' ? prompt.messages[0]!.content : []
  expect(pieces.find((piece) => 'media' in piece)?.source).toEqual({ by: 'field', path: 'image[0]' })
})

test.each([
  ['a place without media', { q: '<image 2>', options: '', image_1: 'a.png' }, /place <image 2>.*no image.*column "image_2"/s],
  ['more places than entries', { q: '<image> <image>', options: '', image: ['a.png'] }, /place <image>.*no image.*column "image"/s],
])('%s is an error', (_, row, message) => expect(() => sent(row)).toThrow(message))

test('in other parts, places are text', () => {
  const plain = compilePrompt(
    { format: 'messages' },
    { infer_cfg: { prompt_template: { messages: [{ role: 'user', content: [{ type: 'text', text: '{q}' }] }] } } },
  )
  const { prompt } = plain.render({ row: { q: '<image>', image: 'a.png' }, mode: 'gen' })
  expect(bodyOf(prompt)).toContain('<image>')
})
