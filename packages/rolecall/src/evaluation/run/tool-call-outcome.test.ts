import { expect, test } from 'vitest'
import { readAnswers } from './read-answers.ts'
import { countOutcomes, noOutcomes, outcomesText } from './record/outcome.ts'
import type { RowAnswer } from './record/run-record.ts'

const answer = (notes: RowAnswer['notes']): RowAnswer => ({
  prompt_hash: '',
  prediction: '',
  tokens: { prompt: 0, reused: 0, reply: 0 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 0,
  notes,
})
const read = (text: string) => ({ value: text, isFound: true })

test('a reply that is only a tool call is a tool call, not empty', () => {
  expect(readAnswers(answer([{ code: 'tool-call', text: '' }]), read, {}).outcome).toBe('tool-call')
  expect(readAnswers(answer([]), read, {}).outcome).toBe('empty')
  const counts = noOutcomes()
  countOutcomes(counts, ['tool-call'])
  expect(outcomesText(counts)).toBe('1 tool call')
})
