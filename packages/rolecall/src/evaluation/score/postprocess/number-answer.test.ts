import { describe, expect, test } from 'vitest'
import { readerOf } from './postprocessors.ts'

const read = readerOf('marked_number', 'mine')

const numbers: [said: string, number: string][] = [
  // Marked as in the training rows, or in a box.
  ['She sells 9 eggs.\n#### 18', '#### 18'],
  ['#### $18', '#### 18'],
  ['#### $18.00', '#### 18.00'],
  ['#### 18%', '#### 18'],
  ['#### 18 dollars', '#### 18'],
  ['#### **18**', '#### 18'],
  ['#### 1,005', '#### 1005'],
  ['#### 1{,}005', '#### 1005'],
  ['#### -3', '#### -3'],
  ['#### -$3', '#### -3'],
  ['#### The answer is 18', '#### 18'],
  ['#### 9 * 2 = 18', '#### 18'],
  ['#### \\boxed{18}', '#### 18'],
  ['####18', '#### 18'],
  ['#### 18\n\nNote: there were 16 eggs.', '#### 18'],
  ['#### 17\nWait.\n#### 18', '#### 18'],
  ['#### 18\n\nQuestion: And 7 eggs?\nAnswer: #### 7', '#### 18'],
  ['\\boxed{18}', '#### 18'],
  ['So it is $\\boxed{1{,}005}$ for 3 people.', '#### 1005'],
  ['$$\\boxed{\\$18.00}$$', '#### 18.00'],
  ['\\boxed{18 \\text{ dollars}}', '#### 18'],
  ['\\boxed{x = 18}', '#### 18'],
  ['**Final Answer**\n\nThe final answer is $\\boxed{18}$. I hope it is correct.', '#### 18'],
  ['#### Step 1: 16 - 7\n#### Step 2: times 2\nThe answer is \\boxed{18}', '#### 18'],
  // Announced.
  ['#### 1. Count the eggs: 16\n#### 2. Sell 9\nThe answer is 18.', '18'],
  ['The answer is 18.', '18'],
  ['The answer is $18.', '18'],
  ['The answer is \\$18.', '18'],
  ['The answer is 18, since 9 * 2 = 18 and there are 4 of them', '18'],
  ['The answer is 18 because there are 3 people.', '18'],
  ['**Answer:** 18 dollars, from 9 eggs', '18'],
  ['Answer: Janet makes 9 * 2 = $18 every day, for 7 days.', '18'],
  ['Answer: Janet makes 18 dollars.\n\nCheck: 18 / 2 = 9', '18'],
  ['The answer is 9 + 9 = 18', '18'],
  ['The answer is 17. No, wait: the answer is 18.', '18'],
  ['答案是18。一共有3个人。', '18'],
  ['The answer is 1,005.', '1005'],
  // The last number.
  ['She makes 18 dollars.', '18'],
  ['So 9 * 2 = 18.', '18'],
  ['She has 3 and then 1,005.00', '1005.00'],
  ['1{,}005', '1005'],
  ['It falls to -3 degrees', '-3'],
  ['7-2', '2'],
  ['1,2345 is badly written', '2345'],
  ['Every day she makes **$18** with her 9 eggs.', '18'],
  ['So it is $1,005.00. Question: 7?', '1005.00'],
  ['<think>17? 18?</think>18', '18'],
]

describe('the answer of a maths problem', () => {
  test.each(numbers)('%j is %s', (said, number) => expect(read(said)).toEqual({ value: number, isFound: true }))
  test.each(['', 'As an AI language model, I cannot.', '<think>9 * 2 = 18, so', 'eighteen', 'x18 is a name'])('%j has none', (said) =>
    expect(read(said)).toEqual({ value: '', isFound: false }),
  )
  test('of a reply that was cut is one that it announced', () => {
    for (const said of ['She has 16 eggs and eats 7, so 16 - 7 = 9. At $2 each', 'First, **9**', '9'])
      expect([read(said, undefined, true).isFound, read(said).isFound]).toEqual([false, true])
    expect(read('#### 18\n\nQuestion: 7', undefined, true).value).toBe('#### 18')
    expect(read('The answer is 18. To check, 9 * 2', undefined, true).value).toBe('18')
    expect(readerOf('final_number', 'mine')('So 9 * 2', undefined, true).isFound).toBe(false)
  })
  test('without its marker', () => {
    expect(readerOf('final_number', 'mine')('#### 18').value).toBe('18')
    expect(readerOf('final_number', 'mine')('The answer is $18.00.').value).toBe('18')
    expect(readerOf('final_number', 'mine')('none').isFound).toBe(false)
  })
})
