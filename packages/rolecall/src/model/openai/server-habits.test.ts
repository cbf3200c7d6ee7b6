import { expect, test } from 'vitest'
import { ignoredNotes } from './server-habits.ts'

test('settings that Ollama ignores are named; those that have no effect, and other servers, are not', () => {
  const sampling = { temperature: 0.5, topK: 40, minP: 0, repetitionPenalty: 1.1, seed: 3 }
  const named = ignoredNotes('http://127.0.0.1:11434/v1', sampling).map(({ text }) => /ignores (\w+)/.exec(text)?.[1])
  expect(named).toEqual(['top_k', 'repetition_penalty'])
  expect(ignoredNotes('http://127.0.0.1:8000/v1', sampling)).toEqual([])
})
