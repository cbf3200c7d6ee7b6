import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Pair, RunEvent } from '../../run.ts'
import { clock, Progress } from './progress.ts'

const pair = { name: { model: 'tiny', dataset: '数学' } } as Pair
const row = (done: number, total?: number): RunEvent =>
  ({
    kind: 'row',
    pair,
    done,
    ...(total === undefined ? {} : { total }),
    record: { tokens: { prompt: 30, reused: 10, reply: 5 } },
  }) as RunEvent

function shown(events: readonly (RunEvent | number)[], isTTY: boolean, columns = 100): string[] {
  const written: string[] = []
  let now = 0
  const progress = new Progress({ write: (text) => written.push(text), isTTY, columns }, 3, () => now)
  for (const event of events) {
    if (typeof event === 'number') now += event
    else progress.show(event)
  }
  return written.map((text) => stripVTControlCharacters(text).trim())
}

test('a terminal sees rows done, rates and the time left in one line that changes', () => {
  const lines = shown([{ kind: 'start', pair, total: 4 }, 1000, row(1, 4), 1000, row(2, 4)], true)
  expect(lines).toEqual([
    '[1/3] tiny · 数学  0/4',
    '[1/3] tiny · 数学  ███········· 1/4  1.0 rows/s  25 tokens/s  0:03 left',
    '[1/3] tiny · 数学  ██████······ 2/4  1.0 rows/s  25 tokens/s  0:02 left',
  ])
})

test('it is not redrawn for every row', () => {
  expect(shown([{ kind: 'start', pair }, 100, row(1), 10, row(2), 10, row(3), 100, row(4)], true)).toHaveLength(3)
})

test('a narrow terminal gets a shorter line, so that nothing is left behind', () => {
  expect(shown([{ kind: 'start', pair, total: 4 }, 1000, row(1, 4)], true, 20).at(-1)).toBe('[1/3] tiny · 数学')
})

test('what is no terminal gets a line for each pair that is done', () => {
  const result = { rows: 4, seconds: 2, metric: 'accuracy', unit: 'percent', value: 75 }
  expect(shown([{ kind: 'start', pair, total: 4 }, row(1, 4), { kind: 'end', pair, result } as RunEvent], false)).toEqual([
    '[1/3] tiny · 数学  4 rows  2.0 s  accuracy 75.0',
  ])
})

test('times are written as people read them', () => {
  expect([0, 59.6, 61, 3725, Number.NaN].map(clock)).toEqual(['0:00', '1:00', '1:01', '1:02:05', '?'])
})
