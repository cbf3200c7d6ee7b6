import { expect, test } from 'vitest'
import { extractedAt } from './extracted-at.ts'
import { readerOf } from './postprocessors.ts'

const markedBy = (type: Parameters<typeof readerOf>[0], text: string) => {
  const read = readerOf(type, 'eval_cfg')
  const found = extractedAt(text, String(read(text).value), read)
  return found && `${text.slice(0, found[0])}[${text.slice(...found)}]${text.slice(found[1])}`
}

test('the extracted occurrence is found among equal ones', () => {
  expect(markedBy('last_number', '7 and 7 make 14, so 7 is half; minus 7 is 7')).toBe('7 and 7 make 14, so 7 is half; minus 7 is [7]')
  expect(markedBy({ type: 'choice_answer', options: 'ABCD' }, 'A looks good, B better. The answer is B.')).toBe(
    'A looks good, B better. The answer is [B].',
  )
})

test('nothing is marked if the answer does not occur, or no occurrence decides', () => {
  expect(markedBy('last_number', 'none')).toBeUndefined()
  expect(extractedAt('a a', 'a', () => ({ value: 'a', isFound: true }))).toBeUndefined()
  expect(extractedAt('', '', () => ({ value: '', isFound: true }))).toBeUndefined()
})
