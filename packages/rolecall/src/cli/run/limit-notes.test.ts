import { expect, test } from 'vitest'
import { limitNotes } from './limit-notes.ts'

const pairOf = (seconds: number, server: string) => {
  const estimate = { promptTokens: 5, promptError: 0, generatedTokens: 1, mostGenerated: 1, basis: 'earlier run', seconds } as const
  return { estimates: [{ of: 'model', ...estimate } as const], server }
}

test('pairs on one server take turns, and others run beside them', () => {
  const notes = (maxTime: number, ...servers: string[]) =>
    limitNotes({ maxTime }, [pairOf(40, 'one'), ...servers.map((server) => pairOf(40, server))], { tokens: 0, seconds: 0 })
  expect(notes(60, 'one')).toEqual(['--max-time is below the expected time, 1:20: the run is expected to stop at the limit'])
  expect(notes(60, 'other')).toEqual([])
  expect(notes(30, 'other')).toEqual(['--max-time is below the expected time, 40 s: the run is expected to stop at the limit'])
})

test('what earlier parts have spent is part of the expected tokens', () => {
  expect(limitNotes({ maxTokensTotal: 10 }, [pairOf(1, 'one')], { tokens: 7, seconds: 0 })).toEqual([
    '--max-tokens-total 10 is below the expected 13 tokens (7 spent): the run is expected to stop at the limit',
  ])
})
