import { expect, test } from 'vitest'
import { filesOf, load } from '../index.ts'

const chat = (value: object) => load('ChatMLDataset', { path: 'c.jsonl' }, filesOf({ 'c.jsonl': `\ufeff${JSON.stringify(value)}\n` }))
const said = 'How?\nRemember to put your final answer within \\boxed{}.'

test('a chat has its messages, the first user message, and the first answer', async () => {
  const question = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'How?' },
  ]
  expect(await chat({ id: 7, question, answer: ['So.'] })).toMatchObject({
    columns: ['chatml_question', 'chatml_answer', 'question', 'answer'],
    rows: [{ chatml_question: [question[0], { role: 'user', content: said }], chatml_answer: ['So.'], question: said, answer: 'So.' }],
  })
})

test('an invalid chat is an error that says why', async () => {
  const user = { role: 'user', content: 'How?' }
  const wrong: [object, string][] = [
    [{ question: [user], answer: ['a', 'b'] }, 'there are 2 answers to 1 messages of the user'],
    [{ question: [user], answer: [1] }, 'an answer is not a text'],
    [{ question: [{ role: 'system', content: 'x' }], answer: ['a'] }, 'the user says nothing'],
    [{ question: [{ role: 'tool', content: 'x' }], answer: ['a'] }, 'the role "tool" is none of system, user, assistant'],
    [{ question: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }], answer: ['a'] }, 'only texts can be asked'],
    [{ answer: ['a'] }, 'question'],
  ]
  for (const [value, problem] of wrong) await expect(chat(value)).rejects.toThrow(problem)
})
