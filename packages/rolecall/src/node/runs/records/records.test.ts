import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { propertyRuns, someOf } from '../../../../../../proof/testing/sampling.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { RecordIndex } from './record-index.ts'
import { RecordWriter } from './record-writer.ts'
import { indexFile, openRecords, Records } from './records.ts'
import { RecordsPool } from './records-pool.ts'
import { scanRecords } from './scan-records.ts'
import { unreadableLines } from './unreadable-lines.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-records-'))
  file = join(folder, 'model', 'data.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keyOf = (number: number) => number.toString(16).padStart(8, '0').repeat(8)
const record = (id: number, more: Partial<RowRecord> = {}): RowRecord => ({
  id,
  key: keyOf(id + 1),
  row_hash: '',
  score: id % 2,
  prompt_hash: '',
  prediction: `answer ${id} 答案\n"quoted"`,
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
  ...more,
})

function write(records: readonly RowRecord[], sort = false): void {
  const writer = new RecordWriter(file)
  for (const one of records) writer.add(one)
  writer.close({ sort })
}

function readAll(): RowRecord[] {
  const records = openRecords(file)
  const all = records.read(0, records.count)
  records.close()
  return all
}

describe('records', () => {
  test('are read by range and by number, sorted by row number in any write order', () => {
    write([5, 0, 3, 1].map((id) => record(id)))
    const records = openRecords(file)
    expect(records.count).toBe(4)
    expect(records.read(1, 3)).toEqual([record(1), record(3)])
    expect(records.find(5)).toEqual(record(5))
    expect(records.find(2)).toBeUndefined()
    expect(records.outline(3)).toEqual({ id: 5, score: 1, failed: false, outcomes: 256 })
    records.close()
  })

  test('at rest keep their number, and are opened again when they are read or the file changed', () => {
    write([record(0), record(1)])
    let opened = 0
    const records = new Records(file, () => opened++)
    records.rest()
    expect([records.count, records.refresh(), opened]).toEqual([2, false, 1])
    expect([records.read(1, 2), opened]).toEqual([[record(1)], 2])
    records.rest()
    appendFileSync(file, `${JSON.stringify(record(2))}\nbroken\n`)
    expect([records.refresh(), records.count, opened]).toEqual([true, 3, 3])
    expect(records.unreadable({ isComplete: true })).toBe(1)
    records.rest()
    expect([records.unreadable({ isComplete: true }), opened]).toEqual([1, 3])
    records.find(0)
    // Rows that were appended since the last refresh are not lost by a rest.
    appendFileSync(file, `${JSON.stringify(record(3))}\n`)
    records.rest()
    expect([records.count, records.refresh(), records.count]).toEqual([3, true, 4])
    records.close()
    expect(() => records.read(0, 1)).toThrow('is closed')
  })

  test('of many pairs have few open files, the most recently used', () => {
    write([record(0)])
    const pool = new RecordsPool(2)
    const all = [pool.open(file), pool.open(file), pool.open(file)]
    const open = () => all.filter(({ isOpen }) => isOpen)
    expect(open()).toEqual(all.slice(1))
    for (const [place, records] of [...all, ...all.toReversed()].entries()) {
      expect([records.count, pool.use(records).read(0, 1)]).toEqual([1, [record(0)]])
      expect([place, open().length, records.isOpen]).toEqual([place, 2, true])
    }
    for (const records of all) records.close()
    expect(open()).toEqual([])
  })

  test('of any length are written whole, in the order of their rows', () => {
    const long = (id: number, length: number) => record(id, { prediction: '答 "a" \u{1f600}'.repeat(length) })
    const all = [record(0), long(1, 5000), record(2), long(3, 200_000), record(4)]
    write(all)
    expect(readAll()).toEqual(all)
    expect(readFileSync(file, 'utf8')).toBe(all.map((one) => `${JSON.stringify(one)}\n`).join(''))
  })

  test('are visible while being written', () => {
    const writer = new RecordWriter(file)
    const records = openRecords(file)
    expect(records.count).toBe(0)
    writer.add(record(1))
    writer.flush()
    expect(records.refresh()).toBe(true)
    expect(records.refresh()).toBe(false)
    writer.add(record(0, { error: 'no', prediction: null }))
    writer.flush()
    records.refresh()
    expect(records.read(0, 9).map(({ id }) => id)).toEqual([0, 1])
    expect(records.outline(0).failed).toBe(true)
    // The file is replaced by a sorted one: the reader follows.
    writer.close({ sort: true })
    records.refresh()
    expect(records.read(0, 9)).toEqual([record(0, { error: 'no', prediction: null }), record(1)])
    records.close()
    expect(readFileSync(file, 'utf8').split('\n')[0]).toMatch(/^\{"id":0,/)
  })

  test('are sorted by row number, whatever their lengths', () => {
    const lengths = [3 << 20, 10, 0, 600_000, 600_000, 1, 2 << 18, 5, 300_000, 300_000, 300_000]
    fc.assert(
      fc.property(fc.shuffledSubarray([...lengths.keys()], { minLength: 1 }), (ids) => {
        rmSync(file, { force: true })
        rmSync(indexFile(file), { force: true })
        const all = ids.map((id) => record(id, { prediction: 'x'.repeat(lengths[id]!) }))
        write(all, true)
        const sorted = all.toSorted((one, other) => one.id - other.id)
        expect(readFileSync(file, 'utf8') === sorted.map((one) => `${JSON.stringify(one)}\n`).join('')).toBe(true)
        expect(readAll().map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
      }),
      { numRuns: propertyRuns(20) },
    )
  })

  test('the last of several lines for a row wins, and only it remains after sorting', () => {
    write([record(0), record(1), record(0, { prediction: 'better' })], true)
    expect(readAll().map(({ prediction }) => prediction)).toEqual(['better', record(1).prediction])
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
  })

  test('work without an index or with a wrong one', () => {
    write([2, 0, 1].map((id) => record(id)))
    const expected = [0, 1, 2].map((id) => record(id))
    rmSync(indexFile(file))
    expect(readAll()).toEqual(expected)
    writeFileSync(indexFile(file), 'nonsense')
    expect(readAll()).toEqual(expected)
    write([7, 8, 9].map((id) => record(id)))
    copyFileSync(indexFile(file), join(folder, 'old.index'))
    rmSync(file)
    rmSync(indexFile(file))
    write([record(4, { prediction: 'x'.repeat(2000) }), record(3)])
    copyFileSync(join(folder, 'old.index'), indexFile(file))
    expect(readAll().map(({ id }) => id)).toEqual([3, 4])
  })

  test('an index that lags behind is completed from the file', () => {
    write([record(0)])
    copyFileSync(indexFile(file), join(folder, 'early.index'))
    write([record(1), record(2)])
    copyFileSync(join(folder, 'early.index'), indexFile(file))
    expect(readAll()).toEqual([0, 1, 2].map((id) => record(id)))
  })
})

test('index entries lost in a machine crash are recovered from the file', () => {
  const all = Array.from({ length: 20 }, (_, id) => record(id))
  write(all)
  const index = readFileSync(indexFile(file))
  // The header reached the disk, the last pages did not.
  for (const lost of [index.fill(0, index.length - 8 * 40), index.subarray(0, index.length - 5 * 40)]) {
    writeFileSync(indexFile(file), lost)
    expect(readAll()).toEqual(all)
    new RecordWriter(file).close({ sort: true })
    expect(readAll()).toEqual(all)
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(20)
  }
})

describe('a killed run', () => {
  test('at any byte of its last line loses only that line', () => {
    write([record(0), record(1), record(2)])
    const whole = readFileSync(file)
    const start = whole.lastIndexOf('\n', whole.length - 2) + 1
    const lengths = Array.from({ length: whole.length - start }, (_, index) => start + index)
    for (const length of someOf(lengths, 40)) {
      writeFileSync(file, whole.subarray(0, length))
      const writer = new RecordWriter(file)
      expect(writer.repaired).toEqual({ bytes: length - start, lines: 0 })
      expect([0, 1, 2].map((id) => writer.find(id, keyOf(id + 1), false)?.id)).toEqual([0, 1, undefined])
      writer.add(record(2))
      writer.close({ sort: true })
      expect(readFileSync(file)).toEqual(whole)
    }
  })

  test('keeps complete records and accepts new ones after any garbage bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (garbage, endsLine) => {
        rmSync(file, { force: true })
        rmSync(indexFile(file), { force: true })
        write([record(0), record(1)])
        appendFileSync(file, garbage)
        if (endsLine) appendFileSync(file, '\n')
        write([record(2)], true)
        expect(readAll()).toEqual([record(0), record(1), record(2)])
        expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3)
      }),
      { numRuns: propertyRuns(60) },
    )
  })

  test('whose file lost indexed bytes is indexed again from the file', () => {
    write([record(0), record(1), record(2)])
    const { length } = readFileSync(file)
    truncateSync(file, length - 10)
    const writer = new RecordWriter(file)
    expect(writer.find(2, keyOf(3), true)).toBeUndefined()
    expect(writer.find(1, keyOf(2), true)).toEqual(record(1))
    writer.close({ sort: false })
  })
})

describe('records on disk', () => {
  test('are found only by key: another key means another question', () => {
    write([record(0), record(1)])
    const writer = new RecordWriter(file)
    expect(writer.find(0, keyOf(1), false)).toEqual(record(0))
    expect(writer.find(0, keyOf(2), false)).toBeUndefined()
    // Only the first 64 bits are equal.
    expect(writer.find(0, `${keyOf(1).slice(0, 63)}f`, true)).toBeUndefined()
    expect([0, 7].map((id) => writer.findRow(id)?.key)).toEqual([keyOf(1), undefined])
    writer.close({ sort: false })
  })

  test('also serve another row with the same request, unless failed', () => {
    write([record(0), record(1, { error: 'no', prediction: null })])
    const writer = new RecordWriter(file)
    expect(writer.find(7, keyOf(1), true)).toEqual(record(0))
    expect(writer.find(7, keyOf(1), false)).toBeUndefined()
    expect(writer.find(7, keyOf(2), true)).toBeUndefined()
    writer.close({ sort: false })
  })

  test('many rows with the same question are found quickly', () => {
    const writer = new RecordWriter(file)
    for (let id = 0; id < 3000; id++) writer.add(record(id, { key: keyOf(1) }))
    expect(writer.find(2999, keyOf(1), true)?.id).toBe(2999)
    expect(writer.find(5000, keyOf(1), true)?.id).toBe(2999)
    writer.close({ sort: false })
  })
})

test('lines of several blocks are read; longer ones than a record may be are skipped without reading them into memory', () => {
  const long = record(1, { prediction: 'x'.repeat(3 << 20) })
  write([record(0), long, record(2)])
  const descriptor = openSync(file, 'r')
  const scan = (longest?: number) => {
    const index = new RecordIndex()
    return { ...scanRecords(descriptor, index, longest), ids: Array.from({ length: index.length }, (_, place) => index.idAt(place)) }
  }
  const { size } = statSync(file)
  expect(scan()).toEqual({ end: size, bad: 0, ids: [0, 1, 2] })
  // Blocks have 1 MiB.
  for (const longest of [1000, 1 << 20, 2 << 20, 3 << 20]) expect(scan(longest)).toEqual({ end: size, bad: 1, ids: [0, 2] })
  closeSync(descriptor)
  expect(readAll()[1]).toEqual(long)
})

test('lines that are not records are counted, also those longer than a block', () => {
  write([record(0)])
  expect(unreadableLines([file])).toEqual([])
  appendFileSync(file, `${'x'.repeat(3 << 20)}\n\n  \ntorn\n${JSON.stringify(record(1))}\n`)
  rmSync(indexFile(file))
  expect(unreadableLines([file])).toEqual([`${file}: 2 lines are not records and are left out`])
  expect(unreadableLines([join(folder, 'none.jsonl')])).toEqual([])
  expect(readAll().map(({ id }) => id)).toEqual([0, 1])
})

test('lines are written even if the process is too busy for timers', () => {
  const writer = new RecordWriter(file)
  const busy = (milliseconds: number) => {
    for (const started = performance.now(); performance.now() - started < milliseconds; );
  }
  const written = () => readFileSync(file, 'utf8').split('\n').length - 1
  writer.add(record(0))
  expect(written()).toBe(1)
  writer.add(record(1))
  busy(10)
  writer.add(record(2))
  expect(written()).toBe(3)
  writer.close({ sort: false })
})
