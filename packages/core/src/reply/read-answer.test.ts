import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileChat } from '../prompt/compile/compile-chat.ts'
import { replySyntaxes } from './families/reply-syntaxes.ts'
import { answerSyntax, readAnswer } from './read-answer.ts'
import { responseSyntax } from './response-template/index.ts'

const unknown = answerSyntax(compileChat({ is_api: true }).format)

describe('reasoning is separated from the answer', () => {
  test('of any model that writes <think>, also where nothing is known about it', () => {
    for (const syntax of [unknown, answerSyntax(compileChat('internlm2').format), answerSyntax(compileChat('chatml').format, 'hermes')]) {
      const reply = '<think>I believe the answer is (C). Wait, no.</think>\n\nThe answer is (B).'
      expect(readAnswer({ text: reply }, syntax)).toEqual({
        text: 'The answer is (B).',
        reasoning: 'I believe the answer is (C). Wait, no.',
        isCut: false,
      })
    }
  })

  test('where the prompt opened it, and where a server did so unseen', () => {
    const expected = { text: 'B', reasoning: 'C? No.', isCut: false }
    expect(readAnswer({ text: 'C? No.\n</think>\n\nB' }, replySyntaxes.think, '<|im_start|>assistant\n<think>\n')).toEqual(expected)
    expect(readAnswer({ text: 'C? No.</think>B' }, unknown)).toEqual(expected)
    expect(readAnswer({ text: '\n<think>C? No.</think> B' }, unknown)).toEqual({ ...expected, text: '\nB' })
  })

  test('that the server separated comes first', () => {
    expect(readAnswer({ text: 'B', reasoning: 'C? No.' }, unknown)).toEqual({ text: 'B', reasoning: 'C? No.', isCut: false })
    expect(readAnswer({ text: '<think>Yes.</think>B', reasoning: 'C? No.' }, unknown).reasoning).toBe('C? No.\nYes.')
  })

  test('and a reply that was cut inside it has no answer', () => {
    expect(readAnswer({ text: '<think>The answer is (C)' }, unknown)).toEqual({ text: '', reasoning: 'The answer is (C)', isCut: true })
    expect(readAnswer({ text: 'The answer is (C)' }, unknown, '<think>\n')).toEqual({
      text: '',
      reasoning: 'The answer is (C)',
      isCut: true,
    })
  })
})

test("a thought that a server opened unseen is separated also with a model's own reader", () => {
  const fields = { reasoning_content: { open: '<think>', close: '</think>' }, content: { close: '<|im_end|>' } }
  const told = answerSyntax(compileChat('chatml').format, responseSyntax({ start_anchor: '<|im_start|>assistant\n', fields }))
  expect(readAnswer({ text: 'C? No.</think>\n\nB' }, told)).toEqual({ text: 'B', reasoning: 'C? No.', isCut: false })
  expect(readAnswer({ text: '<think>C? No.</think>B' }, told)).toEqual({ text: 'B', reasoning: 'C? No.', isCut: false })
})

test('a reply of which a reader reads nothing is the answer', () => {
  const fields = { content: { open: '<answer>', close: '</answer>' } }
  const told = answerSyntax(compileChat('chatml').format, responseSyntax({ start_anchor: '<|im_start|>assistant\n', fields }))
  expect(readAnswer({ text: '<answer>B</answer>' }, told).text).toBe('B')
  expect(readAnswer({ text: 'The answer is (B)' }, told).text).toBe('The answer is (B)')
})

test('a reply without reasoning is the answer to the letter, calls, code and marks of turns included', () => {
  const written = [
    ' 42\n',
    '<tool_call>{"name": "x"}</tool_call>',
    '```python\n1\n```',
    '<|im_end|>',
    '<|action_start|><|plugin|>{}',
    '[1, 2]',
  ]
  const syntaxes = Object.values(replySyntaxes).map((syntax) => answerSyntax(compileChat('chatml').format, syntax))
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...written))), (parts) => {
      const text = parts.join('')
      for (const syntax of [unknown, ...syntaxes]) expect(readAnswer({ text }, syntax)).toEqual({ text, reasoning: '', isCut: false })
    }),
  )
})
