import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { openRecords, type Records } from '../../node/runs/records/records.ts'
import { findRows } from './find-rows.ts'
import { readRowColumns } from './rows/row-columns.ts'
import { ViewedRows } from './viewed-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-find-rows-'))
let records: Records
let rows: ViewedRows

const record = (id: number, more: object) => ({
  id,
  key: id.toString(16).padStart(64, '0'),
  prediction: 'nothing',
  tokens: { prompt: 10 * id, reused: 0, reply: id },
  milliseconds: id,
  ...more,
})

beforeAll(() => {
  const inputs = [
    { question: 'Why?', subject: 'law', number: 1 },
    { question: 'Où?', subject: 'law', number: 2 },
    { question: 'key', subject: 'art', number: 3 },
  ]
  // Python's JSON escapes non-ASCII characters.
  writeFileSync(join(folder, 'rows.jsonl'), inputs.map((row) => `${JSON.stringify(row).replace('ù', '\\u00f9')}\n`).join(''))
  const written = [
    record(0, {
      reasoning: 'I think of rain',
      prompts: ['<user>Say why<end>'],
      prediction: 'Because "so"',
      finish: 'length',
      notes: [
        { code: 'a', text: 'one' },
        { code: 'a', text: 'two' },
      ],
    }),
    record(1, { prediction: 'there', gold: 'THERE', cached: true, columns: { level: 'easy' } }),
    record(2, { prediction: null, error: 'it failed', notes: [{ code: 'a', text: 'one' }], columns: { level: 'easy' } }),
  ]
  const file = join(folder, 'records.jsonl')
  writeFileSync(
    file,
    written
      .map((one) => `${JSON.stringify(one)}\n`)
      .join('')
      .replace('"id":2', '"id":2,"score":NaN'),
  )
  records = openRecords(file)
  rows = new ViewedRows({ path: 'rows.jsonl', infer_cfg: {} }, folder)
})

afterAll(async () => {
  records.close()
  await rows.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('rows of a run', () => {
  const find = async (text: string, isPattern = false) => (await findRows(records, rows, { text, isPattern })).places

  test('are found by input, answer, reasoning, recorded prompts, gold answer or error, ignoring case', async () => {
    expect(await find('why')).toEqual([0])
    expect(await find('OÙ')).toEqual([1])
    expect(await find('there')).toEqual([1])
    expect(await find('because "so"')).toEqual([0])
    expect(await find('failed')).toEqual([2])
    expect(await find('of rain')).toEqual([0])
    expect(await find('<user>say')).toEqual([0])
  })

  test('are not found by field names, keys and hashes', async () => {
    expect(await find('prediction')).toEqual([])
    expect(await find('question')).toEqual([])
    expect(await find('key')).toEqual([2])
    expect(await find('0000000')).toEqual([])
  })

  test('are found by regular expressions; an invalid one is an error, and one that backtracks times out', async () => {
    expect(await find('^(because|there)', true)).toEqual([0, 1])
    await expect(find('(', true)).rejects.toThrow(/the regular expression: .*group/)
    const file = join(folder, 'long.jsonl')
    writeFileSync(file, `${JSON.stringify(record(0, { prediction: 'a'.repeat(200) }))}\n`)
    const long = openRecords(file)
    const elapsed = processorTimer()
    await expect(findRows(long, undefined, { text: '(a+)+$|(a+)+b', isPattern: true }, { timeout: 20_000 })).resolves.toEqual({
      places: [0],
      hasInputs: false,
    })
    const endless = findRows(long, undefined, { text: '^(a+)+b', isPattern: true }, { timeout: 200 })
    await expect(endless).rejects.toThrow(/timed out after 0\.2 s/)
    expect(elapsed()).toBeLessThan(5000)
    long.close()
  })

  test('only the pattern has a time limit: a large run takes longer to read', async () => {
    const file = join(folder, 'large.jsonl')
    writeFileSync(file, `${JSON.stringify(record(0, { prediction: `${'a'.repeat(4_000_000)}b` }))}\n`)
    const large = openRecords(file)
    const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1e9)
    expect((await findRows(large, undefined, { text: 'b$', isPattern: true })).places).toEqual([0])
    clock.mockRestore()
    large.close()
  })

  test('are no longer searched when the page was left', async () => {
    const left = AbortSignal.abort(new Error('left'))
    await expect(findRows(records, rows, { text: 'why', isPattern: false }, { signal: left })).rejects.toThrow('left')
  })

  test('can be filtered by tokens, latency, notes and columns with few values', async () => {
    expect(await readRowColumns(records, rows)).toEqual({
      promptTokens: [0, 10, 20],
      replyTokens: [0, 1, 2],
      milliseconds: [0, null, 2],
      cut: [0],
      cached: [1],
      notes: [
        {
          code: 'a',
          places: [0, 2],
          texts: [
            { text: 'one', places: [0, 2] },
            { text: 'two', places: [0] },
          ],
        },
        { code: 'failed', places: [2], texts: [{ text: 'it failed', places: [2] }] },
      ],
      reasons: [],
      columns: [
        { name: 'level', values: ['easy'], of: [-1, 0, 0] },
        { name: 'subject', values: ['law', 'art'], of: [0, 0, 1] },
      ],
    })
  })
})

test('long scans yield to the event loop', async () => {
  const file = join(folder, 'many.jsonl')
  writeFileSync(file, Array.from({ length: 5000 }, (_, id) => `${JSON.stringify(record(id, {}))}\n`).join(''))
  const many = openRecords(file)
  for (const look of [() => readRowColumns(many, undefined), () => findRows(many, undefined, { text: '7', isPattern: true })]) {
    const done: string[] = []
    setImmediate(() => done.push('others'))
    await look()
    done.push('look')
    expect(done).toEqual(['others', 'look'])
  }
  many.close()
})

test('a long text is searched for, and a long pattern is refused', async () => {
  const find = (text: string, isPattern = false) => findRows(records, rows, { text, isPattern })
  expect((await find('because'.padEnd(15_000, ' so'))).places).toEqual([])
  await expect(find('a'.repeat(15_000), true)).rejects.toMatchObject({ code: 'bad-pattern' })
})
