import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openRecords } from '../../node/runs/records/records.ts'
import { type ComparedSide, compareSides } from './compare-sides.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-compare-sides-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A side with one pair, given the scores, answers and prompts of its rows. */
function side(model: string, rows: readonly (readonly [content: string, score: number, answer: string, prompt: string])[]): ComparedSide {
  const file = join(folder, `${model}.jsonl`)
  const lines = rows.map(([row_hash, score, prediction, prompt_hash], id) =>
    JSON.stringify({ id, key: id.toString(16).padStart(64, '0'), row_hash, score, prediction, prompt_hash }),
  )
  writeFileSync(file, `${lines.join('\n')}\n`)
  return { pairs: [{ model, dataset: 'd', number: 0 }], records: () => openRecords(file), result: () => undefined }
}

test('rows are matched by content and compared: better, worse, otherwise different or equal', () => {
  const first = side('old', [
    ['a', 0, 'x', 'p'],
    ['b', 1, 'x', 'p'],
    ['c', 1, 'x', 'p'],
    ['d', 1, 'x', 'p'],
    ['only', 1, 'x', 'p'],
  ])
  const second = side('new', [
    ['b', 0, 'y', 'q'],
    ['a', 1, 'y', 'p'],
    ['c', 1, 'x', 'q'],
    ['d', 1, 'x', 'p'],
  ])
  const { pairs, onlyInFirst, onlyInSecond } = compareSides(first, second)
  expect(pairs[0]!.rows).toEqual({
    ids: [0, 1, 2, 3],
    places: [
      [0, 1, 2, 3],
      [1, 0, 2, 3],
    ],
    changes: 'bwo=',
    differs: [0b10010, 0b10011, 0b00001, 0],
  })
  expect(pairs[0]!.comparison).toMatchObject({ rows: 4, onlyInFirst: 1, onlyInSecond: 0, differs: { prompts: 2, answers: 2 } })
  expect([onlyInFirst, onlyInSecond]).toEqual([[], []])
})

test('rows that a reviewer of either run excluded are shown, but count in no difference or test', () => {
  const rows = [
    ['a', 0, 'x', 'p'],
    ['b', 0, 'x', 'p'],
    ['c', 1, 'x', 'p'],
  ] as const
  const first = { ...side('before', rows), excluded: () => new Map([['a', new Set([0])]]) }
  const second = side(
    'after',
    rows.map(([content, , answer, prompt]) => [content, 1, answer, prompt] as const),
  )
  for (const [one, other] of [
    [first, second],
    [
      { ...first, excluded: () => new Map<string, Set<number>>() },
      { ...second, excluded: first.excluded },
    ],
  ] as const) {
    const [pair] = compareSides(one, other).pairs
    expect(pair!.rows.changes).toBe('xb=')
    expect(pair!.comparison).toMatchObject({ rows: 2, excluded: 1, comparison: { rows: 2, difference: 50 } })
  }
  const all = compareSides(side('before', rows), second).pairs[0]!.comparison
  expect([all.excluded, all.comparison!.rows]).toEqual([undefined, 3])
})

test('p values are adjusted for the number of pairs', () => {
  const [first, second] = [0, 1].map((score) =>
    side(
      `model-${score}`,
      Array.from({ length: 10 }, (_, row) => [String(row), row < 6 ? score : 0, 'x', 'p'] as const),
    ),
  )
  const twice = (one: ComparedSide): ComparedSide => ({
    ...one,
    pairs: ['d', 'e'].map((dataset, number) => ({ ...one.pairs[0]!, dataset, number })),
  })
  const compared = compareSides(twice(first!), twice(second!)).pairs.map(({ comparison }) => comparison.comparison!)
  expect(compared).toMatchObject([{ adjusted: { tests: 2 } }, { adjusted: { tests: 2 } }])
  expect(compared[0]!.adjusted!.p).toBeCloseTo(2 * compared[0]!.p!)
})

test('pairs that only one side has are listed', () => {
  const [one, other] = [side('one', []), side('two', [])]
  const two = { ...other, pairs: [...other.pairs, { model: 'three', dataset: 'd', number: 1 }] }
  expect(compareSides(one, two)).toEqual({ pairs: [], onlyInFirst: ['one on d'], onlyInSecond: ['two on d', 'three on d'] })
})
