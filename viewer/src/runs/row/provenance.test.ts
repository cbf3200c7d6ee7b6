import { expect, test } from 'vitest'
import { messagesIn } from './messages-in.ts'
import { provenanceOf } from './provenance.ts'

const hash = (text: string) => `#${text}`
const record = { prompt_hash: '#a\u0000b', prediction: 'x' }

test('what the run kept comes before what is rendered now', () => {
  expect(provenanceOf(['a', 'b'], { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept')
  expect(provenanceOf(['a', 'c'], { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept-differs')
  expect(provenanceOf(['a'], { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept-differs')
  expect(provenanceOf(undefined, { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept-alone')
})

test('a rendered prompt is proven by its hash, and only by it', () => {
  expect(provenanceOf(['a', 'b'], record, hash)).toBe('proven')
  expect(provenanceOf(['a', 'c'], record, hash)).toBe('differs')
  expect(provenanceOf(['a', 'b'], { ...record, prompt_hash: '' }, hash)).toBe('again')
  expect(provenanceOf(['a', 'b'], { prompt_hash: '', prediction: null }, hash)).toBe('never-sent')
})

test('messages that were sent are shown as messages, whatever else they carry', () => {
  expect(messagesIn('plain text')).toBeUndefined()
  expect(messagesIn('[1, 2]')).toBeUndefined()
  expect(messagesIn('[{"role":"user","content":"hi"}]')).toEqual([{ role: 'user', content: 'hi' }])
  expect(messagesIn('{"messages":[{"role":"tool","content":"4","tool_call_id":"c1"}],"tools":[]}')).toEqual([
    { role: 'tool', content: '4\n{\n  "tool_call_id": "c1"\n}' },
  ])
})
