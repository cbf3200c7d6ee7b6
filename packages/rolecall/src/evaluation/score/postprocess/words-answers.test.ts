import { describe, expect, test } from 'vitest'
import { readerOf } from './postprocessors.ts'

describe('one of a few words', () => {
  const read = readerOf({ type: 'closed_answer', answers: ['Yes', 'No'] }, 'mine')
  const answers: [said: string, answer: string][] = [
    ['yes', 'Yes'],
    ['No.', 'No'],
    ['**Yes**', 'Yes'],
    ['Yes, because he did it on purpose. No doubt.', 'Yes'],
    ['So the answer is no.', 'No'],
    ['So the answer is **No**.', 'No'],
    ['**Final answer:** Yes', 'Yes'],
    ['**Final Answer**: **No**', 'No'],
    ['### Final answer\nNo', 'No'],
    ['$\\boxed{\\text{Yes}}$', 'Yes'],
    ['<answer>No</answer>', 'No'],
    ['We turn left, then right. \\boxed{No}', 'No'],
    ['The answer is yes. Wait, no: the answer is no.', 'No'],
    ['He walks 3 steps.\n\nNo', 'No'],
    ['Is he back where he began: yes', 'Yes'],
    ['<think>yes or no? No.</think>Yes', 'Yes'],
  ]
  test.each(answers)('%j is %s', (said, answer) => expect(read(said)).toEqual({ value: answer, isFound: true }))
  test.each([
    '',
    'As an AI language model, I cannot.',
    'Yes or no, who can say?',
    'The answer is yes or no.',
    'Nobody knows.',
    'He walks three steps and turns.',
    '<think>The answer is yes',
    'Yes at first sight.\n\nNo',
  ])('%j has none', (said) => expect(read(said)).toEqual({ value: '', isFound: false }))

  test('a reply that was cut has one only at its beginning, or announced', () => {
    expect(read('He turns left. Is he back: yes', undefined, true).isFound).toBe(false)
    expect(read('Yes, because he', undefined, true).value).toBe('Yes')
    expect(read('So the answer is no. To che', undefined, true).value).toBe('No')
  })

  test('a word that begins like another is different', () => {
    const valid = readerOf({ type: 'closed_answer', answers: ['valid', 'invalid'] }, 'mine')
    expect(valid('The argument is explicit. So the answer is invalid.').value).toBe('invalid')
    expect(valid('**Final answer:** deductively valid').value).toBe('valid')
    expect(valid('So the answer is validity.').isFound).toBe(false)
  })
})

describe('an answer in words', () => {
  const read = readerOf('free_answer', 'mine')
  const answers: [said: string, answer: string][] = [
    ['apple bird cat', 'apple bird cat'],
    ['So the answer is apple bird cat.', 'apple bird cat'],
    ['We sort.\n\n**Final answer:** apple bird cat', 'apple bird cat'],
    ['**Final answer:** X', 'X'],
    ['\\boxed{X}', 'X'],
    ['$\\boxed{\\text{) > \\}}}$', ') > }'],
    ['\\boxed{\\{ x \\}}', '{ x }'],
    ['\\boxed{\\text{apple bird cat}}', 'apple bird cat'],
    ['### Final answer\n\napple bird cat\n\nI hope this helps!', 'apple bird cat'],
    ['Here is the list.\nFinal answer:\n1. apple\n2. bird\n3. cat\n\nDone', 'apple bird cat'],
    ['Here are the sorted words:\n- apple\n- bird', 'apple bird'],
    ['First the stack is empty.\nSo the answer is ] ) }.', '] ) }'],
    ['The answer is a b. No, wait: the answer is b a.', 'b a'],
    ['Let me sort them.\n\n**apple bird cat**', 'apple bird cat'],
  ]
  test.each(answers)('%j is %j', (said, answer) => expect(read(said)).toEqual({ value: answer, isFound: true }))
  test('a reply that was cut has only an announced one', () => {
    expect(read('apple bird', undefined, true).isFound).toBe(false)
    expect(read('So the answer is apple bird.\nTo', undefined, true).value).toBe('apple bird')
  })
  test.each(['', 'As an AI language model, I cannot.', "I'm sorry, I cannot.", 'We look at a.\nThen at b.', '<think>So the answer is a'])(
    '%j has none',
    (said) => expect(read(said)).toEqual({ value: '', isFound: false }),
  )
})
