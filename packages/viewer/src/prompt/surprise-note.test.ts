import { expect, test } from 'vitest'
import { surpriseNote } from './surprise-note.ts'

test('a prompt without log-probabilities explains why', () => {
  expect(surpriseNote(undefined, 0, false)).toBe('The run recorded no log-probabilities of this row.')
  expect(surpriseNote([{ label: 'A', value: 1 }], 0, false)).toContain('not the log-probability of each token')
  expect(surpriseNote([{ label: 'A', value: 1, log_probabilities: [null, -1] }], 0, false)).toContain('splits the prompt differently')
  expect(surpriseNote([{ label: 'A', value: 1, log_probabilities: [null, -1] }], 0, true)).toContain('the less the model expected it')
})
