import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { dictGet, pyStr } from '../../../../core/src/base/python/index.ts'
import { allRows, openRows, type RowSource, type RowsConfig, skippedNotes, takeRows } from './open-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-open-'))
afterAll(() => rmSync(folder, { recursive: true }))

writeFileSync(join(folder, 'test.csv'), `q\n${Array.from({ length: 10 }, (_, number) => `t${number}\n`).join('')}`)
writeFileSync(join(folder, 'train.jsonl'), '{"q":"e0"}\n{"q":"e1"}\n{"q":"e2"}\n')
writeFileSync(join(folder, 'bad.jsonl'), `{"q":"b0"}\n${'?\n'.repeat(50)}{"q":"b1"}\n`)

async function read(source: RowSource): Promise<[number, unknown][]> {
  const found: [number, unknown][] = []
  for await (const { row, number } of source) found.push([number, dictGet(row, 'q')])
  return found
}

describe('ranges', () => {
  test('test rows and examples have separate ranges, and rows keep their numbers', async () => {
    const { test: asked, train } = openRows(
      { path: 'test.csv', train_path: 'train.jsonl', reader_cfg: { test_range: '[::4]', train_range: '[-1:]' } },
      folder,
    )
    expect(await read(asked)).toEqual([
      [0, 't0'],
      [4, 't4'],
      [8, 't8'],
    ])
    expect(await read(train)).toEqual([[2, 'e2']])
  })

  test('rows are taken by number, negative ones from the end', async () => {
    const { test: asked } = openRows({ path: 'test.csv' }, folder)
    const { rows, seen } = await takeRows(asked, [1, -1, -3, -11, 10])
    expect([...rows].map(([place, { row, number }]) => [place, number, dictGet(row, 'q')])).toEqual([
      [1, 1, 't1'],
      [-1, 9, 't9'],
      [-3, 7, 't7'],
    ])
    expect(seen).toBe(10)
    expect((await takeRows(asked, [1])).seen).toBe(2)
  })

  test('without training rows, examples come from the test rows before their range applies', async () => {
    const { test: asked, train } = openRows({ path: 'test.csv', reader_cfg: { test_range: '[:1]', train_range: 2 } }, folder)
    expect(await read(asked)).toEqual([[0, 't0']])
    // random.Random(2).shuffle of range(10).
    expect((await read(train)).map(([number]) => number)).toEqual([5, 9])
    expect(train.origin).toBe(asked.origin)
  })

  test('an invalid range names the dataset', () => {
    expect(() => openRows({ abbr: 'sums', rows: [], reader_cfg: { test_range: '5' } }, folder)).toThrow(
      'sums › reader_cfg.test_range: "5" is not',
    )
  })
})

describe('the number of rows', () => {
  test('is known for rows in the config', () => {
    const rows = Array.from({ length: 10 }, (_, q) => ({ q }))
    expect(openRows({ rows }, folder).test.total).toBe(10)
    expect(openRows({ rows, reader_cfg: { test_range: '[::3]' } }, folder).test.total).toBe(4)
    expect(openRows({ rows, reader_cfg: { test_range: 0.5 } }, folder).test.total).toBe(5)
  })

  test('is limited by the range for a file', () => {
    const { test: asked } = openRows({ path: 'test.csv', reader_cfg: { test_range: '[5:100]' } }, folder)
    expect([asked.total, asked.most]).toEqual([undefined, 95])
  })
})

describe('bad rows', () => {
  test('are an error unless skipped', async () => {
    await expect(read(openRows({ path: 'bad.jsonl' }, folder).test)).rejects.toThrow('bad.jsonl:2: this is not JSON')
  })

  test('are counted with the first reasons, on every read', async () => {
    const { test: asked } = openRows({ path: 'bad.jsonl', on_bad_row: 'skip' }, folder)
    for (let time = 0; time < 2; time++) {
      expect(await read(asked)).toEqual([
        [0, 'b0'],
        [1, 'b1'],
      ])
      expect([asked.skipped.count, asked.skipped.reasons.length]).toEqual([50, 10])
    }
  })
})

test('a dataset without rows is an error', async () => {
  await expect(async () => read(openRows({ abbr: 'sums' }, folder).test)).rejects.toThrow('sums › path: the dataset has no rows')
})

describe('several files', () => {
  const values = async (dataset: RowsConfig) => (await read(openRows(dataset, folder).test)).map(([number, value]) => [number, value])

  test('are read in sequence with consecutive row numbers', async () => {
    writeFileSync(join(folder, 'part-1.jsonl'), '{"q":"p0"}\n')
    writeFileSync(join(folder, 'part-2.csv'), 'q\np1\np2\n')
    const expected = [
      [0, 'p0'],
      [1, 'p1'],
      [2, 'p2'],
    ]
    expect(await values({ path: ['part-1.jsonl', 'part-2.csv'] })).toEqual(expected)
    expect(await values({ path: 'part-*' })).toEqual(expected)
    expect(await values({ path: 'part-*', reader_cfg: { test_range: '[-1:]' } })).toEqual([[2, 'p2']])
  })

  test('without a header line use the given columns', async () => {
    writeFileSync(join(folder, 'bare.csv'), '"1,5",x\n2,y\n')
    expect(await values({ path: 'bare.csv', columns: ['q', 'answer'] })).toEqual([
      [0, '1,5'],
      [1, '2'],
    ])
    await expect(values({ path: 'bare.csv', columns: ['q'] })).rejects.toThrow('the row has 2 values for 1 column')
  })
})

describe('row formats', () => {
  const arc = fileURLToPath(new URL('fixtures/arc.parquet', import.meta.url))

  test('convert the columns of a file to those of templates', async () => {
    const rows = await allRows(openRows({ path: arc, row_format: 'choices' }, folder).test)
    expect(rows).toMatchObject([
      { question: 'Which is a planet?', A: 'Mars', D: 'Sirius', answer: 'A' },
      { B: 'light', answer: 'B' },
      { options: 'A. 水\nB. 火\nC. 土', answer: 'A' },
    ])
  })

  test('mismatching rows are errors, or are skipped and counted', async () => {
    const dataset = { abbr: 'arc', path: arc, row_format: 'four_choices' }
    await expect(allRows(openRows(dataset, folder).test)).rejects.toThrow('arc › row 2: the row has 3 choices, not 4')
    const { test: asked } = openRows({ ...dataset, on_bad_row: 'skip' }, folder)
    expect(await allRows(asked)).toHaveLength(2)
    expect(skippedNotes(asked)).toMatchObject([{ code: 'skipped-row', where: 'arc › row 2' }])
  })

  test('that are unknown are reported by name', () => {
    expect(() => openRows({ abbr: 'x', rows: [], row_format: 'choces' }, folder)).toThrow('Did you mean "choices"')
  })
})

describe('Parquet', () => {
  test('keeps every kind of value', async () => {
    const path = fileURLToPath(new URL('fixtures/values.parquet', import.meta.url))
    const rows = await allRows(openRows({ path }, folder).test)
    expect(rows.map((row) => pyStr(row))).toEqual([
      "{'text': 'a', 'whole': 1, 'small': 0, 'real': 1.0, 'yes': True, 'list': ['x', 'y'], 'nested': {'a': 1, 'b': [{'c': 'd'}]}}",
      "{'text': None, 'whole': -2, 'small': 1, 'real': 0.5, 'yes': False, 'list': [], 'nested': {'a': None, 'b': []}}",
      "{'text': 'ü😀', 'whole': 1152921504606846976, 'small': 255, 'real': None, 'yes': None, 'list': None, 'nested': None}",
    ])
  })
})

test('separate answers are joined row by row and must have the same id', async () => {
  const [a, b] = ['{"id": "a", "answer": 2}\n', '{"id": "b", "answer": 4}\n']
  writeFileSync(join(folder, 'questions.json'), '{"id": "a", "question": "1+1"}\n{"id": "b", "question": "2+2"}\n')
  writeFileSync(join(folder, 'answers.json'), a + b)
  writeFileSync(join(folder, 'shuffled.json'), b + a)
  writeFileSync(join(folder, 'short.json'), a)
  const rowsWith = (answers: string) =>
    allRows(openRows({ path: 'questions.json', file_type: 'jsonl', answers_path: answers }, folder).test)
  expect(await rowsWith('answers.json')).toEqual([
    { id: 'a', question: '1+1', answer: 2 },
    { id: 'b', question: '2+2', answer: 4 },
  ])
  await expect(rowsWith('shuffled.json')).rejects.toThrow('the answer belongs to "b", but the question is "a"')
  await expect(rowsWith('short.json')).rejects.toThrow('row 1: the file has fewer rows than the questions')
})
