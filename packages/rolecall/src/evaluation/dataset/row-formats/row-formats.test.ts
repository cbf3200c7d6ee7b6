import { describe, expect, test } from 'vitest'
import type { Row } from '../../../../../core/src/prompt/conversation/row.ts'
import { rowFormats } from './index.ts'

const read = (name: string, row: Row) => rowFormats[name]!.read(row)

describe('choices', () => {
  const asked = { question: '1+1=?', A: '1', B: '2', options: 'A. 1\nB. 2', answer: 'B' }

  test.for<[string, Row]>([
    ['columns with letters', { question: '1+1=?', A: '1', B: '2', answer: 'B' }],
    ['CMMLU’s capitals', { Question: '1+1=?', A: '1', B: '2', Answer: 'B' }],
    ['a list and a number from 0', { question: '1+1=?', choices: ['1', '2'], answer: 1 }],
    ['ARC on Hugging Face', { question: '1+1=?', choices: { text: ['1', '2'], label: ['1', '2'] }, answerKey: '2' }],
    [
      'ARC as it is downloaded',
      {
        question: {
          stem: '1+1=?',
          choices: [
            { text: '1', label: 'A' },
            { text: '2', label: 'B' },
          ],
        },
        answerKey: 'B',
      },
    ],
    ['HellaSwag', { ctx: '1+1=?', endings: ['1', '2'], label: '1' }],
    ['HellaSwag in OpenCompass’s archive', { ind: 1, query: '1+1=?', choices: ['1', '2'], gold: 1 }],
  ])('%s', ([, row]) => {
    expect(read('choices', row)).toMatchObject(asked)
  })

  const four = { question: 'q', choices: ['p', 'q', 'r', 'r'] }

  test('an answer may be the text of one choice, or several letters', () => {
    expect(read('choices', { ...four, answer: 'q' })).toMatchObject({ answer: 'B' })
    expect(read('choices', { ...four, answer: 'b' })).toMatchObject({ answer: 'B' })
    expect(read('choices', { ...four, answer: 'ABD' })).toMatchObject({ answer: 'ABD' })
    expect(read('choices', { ...four, gold: [2] })).toMatchObject({ answer: 'C' })
  })

  test.for([7, '0.0', 'r', 'E', 'BAD', 'none'])('the answer %s, which no choice has, is an error of the row', (answer) => {
    const unfit = {
      problem: `the answer "${answer}" is none of the 4 choices`,
      fix: 'write its letter (A to D), its number from 0, or its text',
    }
    expect(read('choices', { ...four, answer })).toEqual(unfit)
    expect(read('four_choices', { ...four, answer })).toEqual(unfit)
  })

  test('numbered choices do not count from 0', () => {
    expect(read('choices', { question: 'q', choices: { text: ['p', 'q'], label: ['1', '2'] }, answerKey: '0' })).toMatchObject({
      problem: 'the answer "0" is none of the 2 choices',
    })
  })

  test('other columns stay, and a row without an answer gets none', () => {
    expect(read('choices', { question: 'q', choices: ['x', 'y'], subject: 'art' })).toEqual({
      subject: 'art',
      question: 'q',
      A: 'x',
      B: 'y',
      options: 'A. x\nB. y',
    })
  })

  test('a row that is not a question is reported with its columns', () => {
    expect(read('choices', { q: 1 })).toMatchObject({ problem: 'the row has no question (it has: q)' })
    expect(read('choices', { question: 'x' })).toMatchObject({ problem: 'the row has no choices (it has: question)' })
    expect(read('choices', { question: 'x', choices: ['1'] })).toMatchObject({ problem: 'the row has 1 choices' })
  })

  test('four_choices skips rows with more or fewer', () => {
    const row = (count: number) => ({ question: 'q', choices: ['1', '2', '3', '4', '5'].slice(0, count), answer: 0 })
    expect(read('four_choices', row(4))).toMatchObject({ D: '4', answer: 'A' })
    expect(read('four_choices', row(3))).toMatchObject({ problem: 'the row has 3 choices, not 4' })
    expect(read('four_choices', row(5))).toMatchObject({ problem: 'the row has 5 choices, not 4' })
  })
})

describe('chats', () => {
  test('ShareGPT’s turns become messages, the last answer a column', () => {
    const conversations = [
      { from: 'system', value: 'Be brief.' },
      { from: 'human', value: 'Hi' },
      { from: 'gpt', value: 'Hello' },
      { from: 'human', value: '1+1=?' },
      { from: 'gpt', value: '2' },
    ]
    expect(read('sharegpt', { id: 'x', conversations })).toEqual({
      id: 'x',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: '1+1=?' },
      ],
      answer: '2',
    })
  })

  test('an answer in parts becomes one text', () => {
    const content = [
      { type: 'text', text: 'h' },
      { type: 'text', text: 'm' },
    ]
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
    ]
    expect(read('messages', { messages })).toMatchObject({ answer: 'hm' })
  })

  test('a chat that ends with a question has no answer', () => {
    expect(read('messages', { messages: [{ role: 'user', content: 'Hi' }] })).toEqual({ messages: [{ role: 'user', content: 'Hi' }] })
  })

  test('a chat without a question, or with an unknown speaker, cannot be read', () => {
    expect(read('messages', { messages: [{ role: 'assistant', content: 'Hi' }] })).toMatchObject({ problem: 'the chat asks nothing' })
    expect(read('sharegpt', { conversations: [{ from: 'cat', value: 'miau' }] })).toMatchObject({
      problem: 'conversations[0] is not a turn of a known speaker (from: "cat")',
    })
    expect(read('sharegpt', {})).toMatchObject({ problem: '"conversations" does not contain a list of turns' })
  })
})
