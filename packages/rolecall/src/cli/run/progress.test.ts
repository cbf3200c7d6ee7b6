import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import type { EvaluationEvent } from '../../node/runs/evaluation-options.ts'
import { clock, Progress } from './progress.ts'

const pair = { name: { model: 'tiny', dataset: '数学' } } as Pair
const row = (done: number, total?: number, more: object = {}): EvaluationEvent =>
  ({
    kind: 'row',
    pair,
    done,
    from: 'model',
    ...(total === undefined ? {} : { total }),
    record: { tokens: { prompt: 30, reused: 10, reply: 5 } },
    ...more,
  }) as EvaluationEvent

function shown(events: readonly (EvaluationEvent | number | 'tick')[], isTTY: boolean, columns = 100): string[] {
  const written: string[] = []
  let now = 0
  const progress = new Progress({ write: (text) => written.push(text), isTTY, columns }, () => now)
  progress.show({ kind: 'folder', folder: 'outputs/x', pairs: [pair, pair, pair], resumed: false, lookedIn: [], changed: [] })
  for (const event of events) {
    if (typeof event === 'number') now += event
    else if (event === 'tick') progress.tick()
    else progress.show(event)
  }
  return written.map((text) => stripVTControlCharacters(text).trim())
}

test('a terminal shows rows done, rates and time left in one changing line', () => {
  const lines = shown([{ kind: 'start', pair, total: 4 }, 1000, row(1, 4), 1000, row(2, 4)], true)
  expect(lines).toEqual([
    '[1/3] tiny · 数学  0/4',
    '[1/3] tiny · 数学  ███·········  1/4  1.0 rows/s  25 tokens/s  0:03 left',
    '[1/3] tiny · 数学  ██████······  2/4  1.0 rows/s  25 tokens/s  0:02 left',
  ])
})

test('rows that a resumed run keeps are done from the start', () => {
  const kept = 97
  const stored = row(3, 100, { from: 'stored', kept: 96 })
  const lines = shown(
    [{ kind: 'start', pair, total: 100, kept }, 1000, row(1, 100, { kept }), 1000, row(2, 100, { kept }), 1000, stored],
    true,
  )
  expect(lines.map((line) => line.replace(/ rows\/s.*s {2}/, ' '))).toEqual([
    '[1/3] tiny · 数学  97/100',
    expect.stringMatching(/ 98\/100 .* 0:02 left$/),
    expect.stringMatching(/ 99\/100 .* 0:01 left$/),
    expect.stringMatching(/ 99\/100 .* 1 known$/),
  ])
})

test('preparation is reported: a terminal shows it immediately, a log only if it takes long', () => {
  const prepare = (done: number): EvaluationEvent => ({ kind: 'prepare', pair, what: 'comparing rows', done, total: 7473 })
  const events = [prepare(0), 900, prepare(400), 900, prepare(900), 1000, prepare(1400), 60_000, prepare(7000)] as const
  expect(shown(events, true).slice(0, 2)).toEqual([
    'tiny · 数学  comparing rows for its examples 0/7,473',
    'tiny · 数学  comparing rows for its examples 400/7,473',
  ])
  expect(shown(events, false)).toEqual([
    'tiny · 数学  comparing rows for its examples 900/7,473',
    'tiny · 数学  comparing rows for its examples 7,000/7,473',
  ])
})

test('the line is not redrawn for every row', () => {
  expect(shown([{ kind: 'start', pair }, 100, row(1), 10, row(2), 10, row(3), 100, row(4)], true)).toHaveLength(3)
})

test('a narrow terminal gets a shorter line, which can be cleared completely', () => {
  expect(shown([{ kind: 'start', pair, total: 4 }, 1000, row(1, 4)], true, 20).at(-1)).toBe('[1/3] tin…  1/4  0…')
})

test('at 70 columns the time left is still shown: speed and bar are dropped first, then the end of a long name', () => {
  const named = (model: string) => ({ name: { model, dataset: 'mmlu_college_physics' } }) as Pair
  const events = (pair: Pair): EvaluationEvent[] => [{ kind: 'start', pair, total: 12000 }]
  const line = (model: string) => {
    const pair = named(model)
    return shown([...events(pair), 1000, { ...row(120, 12000), pair } as EvaluationEvent], true, 70).at(-1)
  }
  expect(line('yi')).toBe('[1/3] yi · mmlu_college_physics  120/12000  1.0 rows/s  3:18:00 left')
  expect(line('Qwen/Qwen3-30B-A3B-Instruct')).toMatch(/^\[1\/3\] Qwen\/Qwen3-30B-A3B-Instruct · mml.*… {2}120\/12000 {2}3:18:00 left$/)
})

test('a pipe gets a line per finished pair', () => {
  const result = { rows: 4, seconds: 2, metric: 'accuracy', unit: 'percent', value: 75 }
  expect(shown([{ kind: 'start', pair, total: 4 }, row(1, 4), { kind: 'end', pair, result } as EvaluationEvent], false)).toEqual([
    '[1/3] tiny · 数学  4 rows  2.0 s  accuracy 75.0',
  ])
})

test('cached rows count as done but not in the rates', () => {
  const known = [1, 2, 3, 4, 5, 6].map((done) => row(done, 10, { from: 'stored' }))
  expect(shown([{ kind: 'start', pair, total: 10 }, ...known, 1000, row(7, 10), 1000, row(8, 10)], true, 120).at(-1)).toBe(
    '[1/3] tiny · 数学  █████████▋··  8/10  1.0 rows/s  25 tokens/s  0:02 left  6 known',
  )
})

test('the rate covers the last seconds, so that a slow server is noticed', () => {
  const fast = Array.from({ length: 100 }, (_, number) => [100, row(number + 1)]).flat() as (EvaluationEvent | number)[]
  const slow = Array.from({ length: 12 }, (_, number) => [1000, row(number + 101)]).flat() as (EvaluationEvent | number)[]
  expect(shown([{ kind: 'start', pair }, ...fast], true).at(-1)).toContain('10 rows/s')
  expect(shown([{ kind: 'start', pair }, ...fast, ...slow], true).at(-1)).toContain('1.0 rows/s')
})

test('failed rows and waits are shown, and the wait ends with the next answer', () => {
  const failed = row(1, 4, { record: { tokens: { prompt: 0, reused: 0, reply: 0 }, error: 'no answer' } })
  const wait: EvaluationEvent = { kind: 'wait', wait: { for: 'retry', milliseconds: 4000, reason: 'retry 2 of 6 (it answered 500)' } }
  const lines = shown([{ kind: 'start', pair, total: 4 }, 1000, failed, 1000, wait, 1000, row(2, 4), 5000, row(3, 4)], true, 200)
  expect(lines.at(-3)).toBe('waiting 4 s: retry 2 of 6 (it answered 500)')
  expect(lines.at(-2)).toMatch(/1 failed {2}waiting 4 s: retry 2 of 6 \(it answered 500\)$/)
  expect(lines.at(-1)).toMatch(/1 failed$/)
})

test('a log gets a line every half minute, and one when a wait starts', () => {
  const wait: EvaluationEvent = { kind: 'wait', wait: { for: 'rate-limit', milliseconds: 20_000, reason: 'rate limit' } }
  const lines = shown([{ kind: 'start', pair, total: 90 }, 1000, row(1, 90), 100, wait, wait, 60_000, row(2, 90), 100, row(3, 90)], false)
  expect(lines).toEqual(['waiting 20 s: rate limit', expect.stringMatching(/^\[1\/3\] tiny · 数学 .* 2\/90 /)])
})

test('a log continues without answers, and reports many short waits as one', () => {
  const wait: EvaluationEvent = { kind: 'wait', wait: { for: 'server', milliseconds: 400, reason: 'the server' } }
  const lines = shown(
    [{ kind: 'start', pair, total: 90 }, wait, 400, wait, 400, wait, 400, wait, 60_000, 'tick', 'tick', 60_000, 'tick'],
    false,
  )
  expect(lines).toEqual(['waiting 1 s: the server', '[1/3] tiny · 数学  0/90', '[1/3] tiny · 数学  0/90'])
})

test('a terminal of unknown width still gets a line', () => {
  expect(shown([{ kind: 'start', pair, total: 4 }], true, 0)).toEqual(['[1/3] tiny · 数学  0/4'])
})

test('durations are printed as 1:05 or 2:03:04', () => {
  expect([0, 59.6, 61, 3725, Number.NaN].map(clock)).toEqual(['0:00', '1:00', '1:01', '1:02:05', '?'])
})
