import { expect, test, vi } from 'vitest'
import { ignoredNotesOf } from './server-habits.ts'

test('settings that Ollama ignores are named; those that have no effect, and other servers, are not', () => {
  const sampling = { temperature: 0.5, topK: 40, minP: 0, repetitionPenalty: 1.1, seed: 3 }
  const named = ignoredNotesOf('http://127.0.0.1:11434/v1')(sampling).map(({ text }) => /ignores (\w+)/.exec(text)?.[1])
  expect(named).toEqual(['top_k', 'repetition_penalty'])
  expect(ignoredNotesOf('http://127.0.0.1:8000/v1')(sampling)).toEqual([])
})

test('the address is read once, not for every request', () => {
  const notes = ignoredNotesOf('http://127.0.0.1:8000/v1')
  const URL = vi.fn()
  vi.stubGlobal('URL', URL)
  notes({ topK: 40 })
  vi.unstubAllGlobals()
  expect(URL).not.toHaveBeenCalled()
})
