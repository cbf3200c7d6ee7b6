import { expect, test } from 'vitest'
import { messagesIn } from './messages-in.ts'
import { provenanceOf } from './provenance.ts'

const hash = (text: string) => `#${text}`
const record = { prompt_hash: '#a\u0000b', prediction: 'x' }

test('recorded prompts take precedence over rendered ones', () => {
  expect(provenanceOf(['a', 'b'], { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept')
  expect(provenanceOf(['a', 'c'], { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept-differs')
  expect(provenanceOf(['a'], { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept-differs')
  expect(provenanceOf(undefined, { ...record, prompts: ['a', 'b'] }, hash)).toBe('kept-alone')
})

test('only its hash proves a rendered prompt', () => {
  expect(provenanceOf(['a', 'b'], record, hash)).toBe('proven')
  expect(provenanceOf(['a', 'c'], record, hash)).toBe('differs')
  expect(provenanceOf(['a', 'b'], { ...record, prompt_hash: '' }, hash)).toBe('again')
  expect(provenanceOf(['a', 'b'], { prompt_hash: '', prediction: null }, hash)).toBe('never-sent')
})

test('sent messages are shown as messages, whatever other fields they have', () => {
  expect(messagesIn('plain text')).toBeUndefined()
  expect(messagesIn('[1, 2]')).toBeUndefined()
  expect(messagesIn('[{"role":"user","content":"hi"}]')).toEqual([{ role: 'user', content: 'hi' }])
  expect(messagesIn('{"messages":[{"role":"tool","content":"4","tool_call_id":"c1"}],"tools":[]}')).toEqual([
    { role: 'tool', content: '4\n{\n  "tool_call_id": "c1"\n}' },
  ])
})
