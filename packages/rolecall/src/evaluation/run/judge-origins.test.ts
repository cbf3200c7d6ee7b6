import { dictFromEntries } from '@rolecall/core/internal/python'
import { originOf, textOf } from '@rolecall/core/internal/text'
import { expect, test } from 'vitest'
import { judgeMaker, judgePrompts } from './judge-prompts.ts'

const template = { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question} A: {prediction} Gold: {obj_gold}' }] } }
const maker = judgeMaker({ abbr: 'judge', format: 'plain', path: 'judge', type: 'embedded' }, template, 'judge')

const originsOf = (row: Readonly<Record<string, string>>) => {
  const given = { row: dictFromEntries(Object.entries(row)), prediction: 'mine', reference: 'theirs' }
  const [prompt] = judgePrompts({ maker, columns: [] }, given)
  if (prompt?.kind !== 'completion') throw new Error('the judge of this test takes text')
  return prompt.pieces.map((piece) => [textOf([piece]), originOf(piece, false)])
}

test("in a judge's prompt, the reply is the model's and the right answer is the answer, not the row's", () => {
  expect(originsOf({ question: 'why?' })).toEqual([
    ['Q: ', 'template'],
    ['why?', 'field'],
    [' A: ', 'template'],
    ['mine', 'reply'],
    [' Gold: ', 'template'],
    ['theirs', 'answer'],
  ])
})

test('a column of the row that has the name of the right answer is of the row', () => {
  expect(originsOf({ question: 'why?', obj_gold: 'own' })).toContainEqual(['own', 'field'])
})
