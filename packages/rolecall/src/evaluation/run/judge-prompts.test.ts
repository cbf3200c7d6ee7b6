import { expect, test } from 'vitest'
import { judgeMaker, judgePrompts, judgePromptText, promptColumns } from './judge-prompts.ts'

const textsOf = (template: unknown, given: Parameters<typeof judgePrompts>[1], compat?: 'opencompass') => {
  const maker = judgeMaker({ type: 'openai', path: 'm' } as never, template, 'mine', compat)
  return judgePrompts({ maker, columns: promptColumns(template) }, given).map(judgePromptText)
}

test('a column that is a whole turn of a judge is its prompt: answers are filled into it, once', () => {
  const row = { judge_prompt: 'A: {prediction} B: {prediction2} {nothing}', question: '{prediction}' }
  const template = { template: { round: [{ role: 'HUMAN', prompt: '{judge_prompt}' }] } }
  expect(promptColumns(template)).toEqual(['judge_prompt'])
  const [first, second] = textsOf(template, { row, prediction: 'one', reference: undefined, opponent: '{question}' })
  expect(first).toContain('A: one B: {question} {nothing}')
  expect(second).toContain('A: {question} B: one {nothing}')
})

test('fields among other words are data, which nothing is filled into', () => {
  const template = { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question} {prediction}' }] } }
  expect(promptColumns(template)).toEqual([])
  const [text] = textsOf(template, { row: { question: '{prediction}' }, prediction: 'one', reference: undefined })
  expect(text).toContain('Q: {prediction} one')
  expect(promptColumns({ template: '{prediction}' })).toEqual([])
})

test('each round of a chat is a field, or all are one list as OpenCompass prints it', () => {
  const template = { template: { round: [{ role: 'HUMAN', prompt: '{judge_prompt}' }] } }
  const row = {
    judge_prompt: '{prediction_r1}, {prediction_r2}; {prediction1_r1} {prediction} {prediction2}',
    dialogue: ['a', 'b'].flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: 'x' },
    ]),
  }
  const given = { row, prediction: "['one', 'two']", reference: undefined, rounds: ['one', 'two'] }
  expect(textsOf(template, given)[0]).toContain("one, two; {prediction1_r1} ['one', 'two'] {prediction2}")
  const [first, second] = textsOf(template, { ...given, opponent: ['three', 'four'] })
  expect(first).toContain('one, two; three')
  expect(second).toContain('three, four; one')
  const maker = judgeMaker({ type: 'openai', path: 'm' } as never, template, 'mine')
  const [packed] = judgePrompts({ maker, columns: ['judge_prompt'], packsRounds: true }, { ...given, opponent: ['three'] }).map(
    judgePromptText,
  )
  expect(packed).toContain(
    "[{'round': 1, 'user': 'a', 'assistant': 'one'}, {'round': 2, 'user': 'b', 'assistant': 'two'}] [{'round': 1, 'user': 'a', 'assistant': 'three'}]",
  )
})

test('under compat, the fields of columns are filled in the order of the reference, and {reference} is its masked answer column', () => {
  const template = { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question} P: {prediction} G: {obj_gold} R: {reference}' }] } }
  const given = { row: { question: 'what is {answer}?', answer: '7' }, prediction: 'it is {obj_gold}, {question}', reference: '7' }
  expect(textsOf(template, given)[0]).toContain('Q: what is {answer}? P: it is {obj_gold}, {question} G: 7 R: 7')
  expect(textsOf(template, given, 'opencompass')[0]).toContain('Q: what is 7? P: it is 7, {question} G: 7 R: ')
})
