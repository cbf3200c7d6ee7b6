import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { programTimeout } from '../../../../../proof/testing/run-program.ts'
import { type Chunks, oneByOne } from './chunks.ts'
import { inRange, mostRows, rangeIndexes, readRange } from './row-range.ts'

const indexes = (range: string | number | null | undefined, total = 10) => rangeIndexes(readRange(range, 'test_range'), total)

describe('slices', () => {
  test.for<[string, number[]]>([
    ['[2:5]', [2, 3, 4]],
    ['[:3]', [0, 1, 2]],
    ['[8:]', [8, 9]],
    ['[::4]', [0, 4, 8]],
    ['[-2:]', [8, 9]],
    ['[:-8]', [0, 1]],
    ['[::-3]', [9, 6, 3, 0]],
    ['[5:2]', []],
    ['[7:100]', [7, 8, 9]],
    [' [ 1 : +3 ] ', [1, 2]],
    ['[None:2:None]', [0, 1]],
    ['[0:1_000]', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['[2:8][::2]', [2, 4, 6]],
    ['', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])('%s of ten rows', ([range, expected]) => expect(indexes(range)).toEqual(expected))

  test("match Python's for any numbers", ({ skip }) => {
    const part = fc.option(fc.integer({ min: -15, max: 15 }), { nil: '' as const })
    const step = part.filter((value) => value !== 0)
    const slice = fc.tuple(part, part, step).map((parts) => `[${parts.join(':')}]`)
    const cases = fc.sample(
      fc.tuple(
        fc.nat(12),
        fc.array(slice, { minLength: 1, maxLength: 3 }).map((slices) => slices.join('')),
      ),
      2000,
    )
    const script = 'import json, sys\nprint(json.dumps([eval(f"list(range({n})){s}") for n, s in json.load(sys.stdin)]))'
    let answer: string
    try {
      answer = execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8', timeout: programTimeout })
    } catch {
      return skip('there is no python3 here')
    }
    expect(cases.map(([total, range]) => indexes(range, total))).toEqual(JSON.parse(answer))
  })
})

describe('numbers', () => {
  test('a number of rows is a sample, the same as in the reference', () => expect(indexes(3)).toEqual([1, 5, 6]))

  test('a number below 1 is a fraction of the rows', () => {
    expect(indexes(0.3)).toEqual([1, 5, 6])
    expect(indexes(0.01)).toEqual([])
  })

  test.for([0, -1, 10, 11, null, undefined])('%s means all of ten rows', (range) => expect(indexes(range).length).toBe(10))
})

describe('mistakes name the place and a fix', () => {
  test.for<[string | number, string]>([
    ['0:100', 'test_range: "0:100" is not a slice. Write a slice such as "[0:100]", "[::2]" or "[-50:]", or a number.'],
    ['[0:len(index_list)]', 'test_range: "[0:len(index_list)]" is not a slice. Write a slice such as'],
    ['[__import__("os"):]', 'is not a slice'],
    ['[1:2:3:4]', 'is not a slice'],
    ['[]', 'is not a slice'],
    ['[1:2] + [3]', 'is not a slice'],
    ['[1.5:2]', 'is not a slice'],
    ['[5]', 'test_range: "[5]" is one row, not a range. Write "[5:6]".'],
    ['[-1]', 'Write "[-1:]".'],
    ['[::0]', 'has a step of 0'],
    [2.5, 'test_range: 2.5 is neither a part (below 1) nor a number of rows'],
    [Number.NaN, 'NaN is not a number of rows'],
  ])('%s', ([range, told]) => expect(() => indexes(range)).toThrow(told))

  test('a long text is refused quickly', () => {
    const elapsed = processorTimer()
    expect(() => indexes('[0:1] '.repeat(20_000) + '['.repeat(100_000))).toThrow('is not a slice')
    expect(elapsed()).toBeLessThan(1000)
  })
})

/** Rows that count how many of them were read. */
function countedRows(total: number) {
  const counter = { read: 0 }
  function* chunk(from: number): Generator<number> {
    for (let number = from; number < Math.min(from + chunkLength, total); number++) {
      counter.read++
      yield number
    }
  }
  async function* rows() {
    for (let from = 0; from < total; from += chunkLength) yield chunk(from)
  }
  return { rows: rows(), counter }
}

const chunkLength = 4

async function listOf<Item>(items: Chunks<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of oneByOne(items)) list.push(item)
  return list
}

describe('a stream of rows', () => {
  test('has the same rows as a list', async () => {
    const bound = fc.option(fc.integer({ min: -6, max: 14 }), { nil: '' as const })
    const slice = fc.tuple(bound, bound, fc.constantFrom('', 1, 2, 3, -1)).map((parts) => `[${parts.join(':')}]`)
    const range = fc.oneof(
      fc.array(slice, { maxLength: 3 }).map((slices) => slices.join('')),
      fc.integer({ min: -2, max: 12 }),
    )
    await fc.assert(
      fc.asyncProperty(range, fc.nat(12), async (text, total) => {
        const { rows } = countedRows(total)
        const read = readRange(text, 'test_range')
        const found = await listOf(inRange(rows, read))
        expect(found).toEqual(rangeIndexes(read, total))
        expect(found.length).toBeLessThanOrEqual(mostRows(read) ?? Number.POSITIVE_INFINITY)
      }),
    )
  })

  test.for<[string, number]>([
    ['[0:3]', 3],
    ['[0:10:4]', 10],
    ['[10:][:5]', 15],
    ['[5:5]', 5],
    ['[:0]', 0],
  ])('%s reads %i rows and no more', async ([range, expected]) => {
    const { rows, counter } = countedRows(1000)
    await listOf(inRange(rows, readRange(range, 'test_range')))
    expect(counter.read).toBe(expected)
  })
})
