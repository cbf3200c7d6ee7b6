import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { dictGet, pyStr } from '../../../../core/src/base/python/index.ts'
import type { Row } from '../../../../core/src/prompt/conversation/row.ts'
import { type ReadRowsOptions, readRows } from './read-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolecall-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, `${files++}-${name}`)
  writeFileSync(path, content)
  return path
}

async function rowsOf(path: string, options?: ReadRowsOptions): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of readRows(path, options)) rows.push(row)
  return rows
}

/** The error message, with FILE instead of the path. */
async function mistake(path: string, options?: ReadRowsOptions): Promise<string> {
  const error = await rowsOf(path, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof PromptError)) throw new Error(`no mistake was found in ${path}`)
  return error.message.replaceAll(path, 'FILE')
}

const rows = [
  { q: '1+1=?', a: '2' },
  { q: 'line 1\nline 2, "quoted"', a: '' },
  { q: '中文 👩‍🔬\u2028\u0085', a: ' x\t' },
]
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
const contents: Record<string, string> = {
  jsonl: rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  ndjson: rows.map((row) => JSON.stringify(row)).join('\n\n'),
  json: JSON.stringify(rows, null, 2),
  csv: `q,a\n${rows.map(({ q, a }) => `${quoted(q)},${quoted(a)}\n`).join('')}`,
  tsv: `q\ta\n${rows.map(({ q, a }) => `${quoted(q)}\t${quoted(a)}`).join('\n')}`,
}

describe.for(Object.entries(contents))('a .%s file', ([ending, text]) => {
  test('yields its rows', async () => expect(await rowsOf(file(`rows.${ending}`, text))).toEqual(rows))
  test('may be compressed', async () => expect(await rowsOf(file(`rows.${ending}.gz`, gzipSync(text)))).toEqual(rows))
  test('may start with a byte order mark', async () => expect(await rowsOf(file(`rows.${ending}`, `\uFEFF${text}`))).toEqual(rows))
  test('may have an upper-case name', async () => expect(await rowsOf(file(`ROWS.${ending.toUpperCase()}`, text))).toEqual(rows))
  test('may have Windows line ends', async () => {
    const windows = ending.endsWith('sv') ? text.replace(/\n(?!line 2)/g, '\r\n') : text.replaceAll('\n', '\r\n')
    expect(await rowsOf(file(`rows.${ending}`, windows))).toEqual(rows)
  })
  test('can be read in part', async () => {
    for await (const row of readRows(file(`rows.${ending}`, text))) {
      expect(row).toEqual(rows[0])
      break
    }
  })
  test('invalid UTF-8 is reported with line and byte', async () => {
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf('+')] = 0xe9
    const place = ending === 'json' ? 3 : ending.endsWith('sv') ? 2 : 1
    expect(await mistake(file(`rows.${ending}`, bytes))).toContain(`FILE:${place}: byte ${bytes.indexOf(0xe9)} of the file is not UTF-8`)
  })
})

test('JSON numbers stay as Python reads them, CSV values are strings', async () => {
  expect((await rowsOf(file('r.jsonl', '{"n": 1.0, "1": 12345678901234567890}'))).map((row) => pyStr(row))).toEqual([
    "{'n': 1.0, '1': 12345678901234567890}",
  ])
  expect((await rowsOf(file('r.csv', 'n,1\n1.0,12345678901234567890'))).map((row) => pyStr(row))).toEqual([
    "{'n': '1.0', '1': '12345678901234567890'}",
  ])
})

test('a column may be named like a number or a JavaScript property', async () => {
  const [row] = await rowsOf(file('r.csv', 'b,10,__proto__,constructor\n1,2,3,4'))
  expect(pyStr(row)).toBe("{'b': '1', '10': '2', '__proto__': '3', 'constructor': '4'}")
})

describe('an empty file has no rows', () => {
  test.for(['r.jsonl', 'r.csv', 'r.tsv'])('%s', async (name) => {
    expect(await rowsOf(file(name, ''))).toEqual([])
    expect(await rowsOf(file(name, '\n\n'))).toEqual([])
  })
  test('a header alone', async () => expect(await rowsOf(file('r.csv', 'q,a\r\n'))).toEqual([]))
  test('an empty list', async () => expect(await rowsOf(file('r.json', ' [] '))).toEqual([]))
  test('but JSON needs a list', async () => expect(await mistake(file('r.json', ''))).toContain('this is not JSON'))
})

describe('a bad row is reported with file and line', () => {
  test.for<[name: string, text: string, told: string]>([
    ['r.jsonl', '{"q": 1}\n\n{"q": }\n', 'FILE:3: this is not JSON (column 7'],
    ['r.jsonl', '{"q": 1}\r\n[1]\r\n', 'FILE:2: the row is not an object'],
    ['r.jsonl', '{"q": 1}\r{"q": 2', 'FILE:2: this is not JSON'],
    ['r.json', '[{"q": 1}, 5]', 'FILE[1]: the row is not an object'],
    ['r.json', '{"q": 1}\n{"q": 2}\n', 'a file with one object per line must be named .jsonl'],
    ['r.json', '{"q": 1}', 'FILE: the file is not a list of rows'],
    ['r.csv', 'q,a\n1,2\n\n"x\ny",2\n3\n', 'FILE:6: the row has 1 value for 2 columns: "a" is missing'],
    ['r.csv', 'q,a\n1,000,2\n', 'FILE:2: the row has 3 values for 2 columns. Quote values that contain the delimiter.'],
    ['r.csv', 'q,a,q\n1,2,3\n', 'FILE:1: two columns are called "q"'],
    [
      'r.csv',
      `${Array.from({ length: 200_000 }, (_, index) => index).join()}\n`,
      'FILE:1: it has 200000 columns, and a row may have 100000',
    ],
    ['r.tsv', 'q\ta\n1\t2\n"open\t2\n3\t4\n', 'FILE:3: a quote opened in this row is never closed'],
  ])('%s: %j', async ([name, text, told]) => expect(await mistake(file(name, text))).toContain(told))
})

describe('with on_bad_row: skip', () => {
  const skipping = async (path: string) => {
    const skipped: string[] = []
    const found = await rowsOf(path, { onBadRow: 'skip', onSkip: ({ where }) => skipped.push(where.replace(path, '')) })
    return { found: found.map((row) => dictGet(row, 'q')), skipped }
  }

  test('other rows are read and bad ones reported', async () => {
    const jsonl = file('r.jsonl', '{"q":1}\n{\n{"q":2}\n7\n{"q":3}')
    expect(await skipping(jsonl)).toEqual({ found: [1, 2, 3], skipped: [':2', ':4'] })
    expect(await skipping(file('r.json', '[{"q":1},7,{"q":2}]'))).toEqual({ found: [1, 2], skipped: ['[1]'] })
    expect(await skipping(file('r.csv', 'q,a\n1,2\n3\n4,5,6\n7,8\n'))).toEqual({ found: ['1', '7'], skipped: [':3', ':4'] })
  })

  test('only rows with invalid UTF-8 are skipped', async () => {
    const broken = (text: string) => Buffer.from(text, 'latin1')
    expect(await skipping(file('r.jsonl', broken('{"q":1}\n{"q":"\xe9"}\n{"q":2}\n')))).toEqual({ found: [1, 2], skipped: [':2'] })
    const csv = file('r.csv', broken('q,a\n1,2\n"x\ny\xe9\nz",3\n4,5\n'))
    expect(await skipping(csv)).toEqual({ found: ['1', '4'], skipped: [':4'] })
  })

  test('errors that would silently lose the rest of the file still throw', async () => {
    expect(await mistake(file('r.csv', 'q\n"1\n2\n3\n'), { onBadRow: 'skip' })).toContain('never closed')
    expect(await mistake(file('r.csv', Buffer.from('q\xe9\n1\n', 'latin1')), { onBadRow: 'skip' })).toContain('not UTF-8')
    expect(await mistake(file('r.json', '[{"q":1},'), { onBadRow: 'skip' })).toContain('this is not JSON')
  })
})

describe('unreadable files', () => {
  test.for<[name: string, content: string | Uint8Array, told: string]>([
    ['r.jsonl.gz', '{"q": 1}\n', 'If it is not compressed, remove .gz from its name'],
    ['r.jsonl.gz', gzipSync('{"q": 1}\n'.repeat(99)).subarray(0, 20), 'the compressed file ends too early'],
    ['r.jsonl', gzipSync('{"q": 1}\n'), 'the file is compressed. Rename it to end in .gz.'],
    ['r.csv', Buffer.from('\uFEFFq,a\n1,2\n', 'utf16le'), 'the file is UTF-16'],
    ['r.xlsx', 'PK', 'rows are read from .jsonl, .json, .csv and .tsv files, also with .gz'],
    ['r.gz', 'PK', 'rows are read from'],
  ])('%s', async ([name, content, told]) => expect(await mistake(file(name, content))).toContain(told))

  test('missing files and folders', async () => {
    expect(await mistake(join(folder, 'nothing.csv'))).toContain('there is no such file')
    expect(await mistake(join(folder, 'nothing.csv.gz'))).toContain('there is no such file')
    const path = file('x.csv', '')
    expect(await mistake(join(path, 'y.csv'))).toContain('part of the path is a file')
    mkdirSync(join(folder, 'folder.jsonl'))
    expect(await mistake(join(folder, 'folder.jsonl'))).toContain('this is a folder')
    mkdirSync(join(folder, 'empty'))
    expect(await mistake(join(folder, 'empty'))).toMatch(/this is a folder.*this folder has none/)
    mkdirSync(join(folder, 'several'))
    for (const name of ['b.jsonl', 'a.jsonl', 'notes.txt']) writeFileSync(join(folder, 'several', name), '{}')
    expect(await mistake(join(folder, 'several'))).toContain(
      'this is a folder. Choose a file in it (a.jsonl, b.jsonl), or all of them: several/*.jsonl.',
    )
  })
})

test('rows across chunk boundaries are complete, in every file type', { timeout: 30_000 }, async () => {
  const long = Array.from({ length: 3000 }, (_, number) => ({
    n: String(number),
    q: '中é👩‍🔬"\n'.repeat(number % 97),
    a: 'x'.repeat((number * 7919) % 1500),
  }))
  const jsonl = long.map((row) => `${JSON.stringify(row)}\n`).join('')
  const csv = `n,q,a\n${long.map(({ n, q, a }) => `${n},${quoted(q)},${a}\n`).join('')}`
  expect(jsonl.length).toBeGreaterThan(1 << 20)
  expect(await rowsOf(file('r.jsonl', jsonl))).toEqual(long)
  expect(await rowsOf(file('r.csv', csv))).toEqual(long)
  expect(await rowsOf(file('r.csv.gz', gzipSync(csv)))).toEqual(long)
})

test('a compressed file that unpacks to far more than its size is refused, and not read to its end', async () => {
  const rows = gzipSync('{"q": "1"}\n'.repeat(2_000_000))
  expect(rows.length).toBeLessThan(80_000)
  await expect(rowsOf(file('bomb.jsonl.gz', rows))).rejects.toThrow(/bomb\.jsonl\.gz: it unpacks to more than 200 times its size/)
})

test('a single row of several megabytes is read in linear time', { timeout: 30_000 }, async () => {
  const [row] = await rowsOf(file('r.jsonl', JSON.stringify({ q: 'é'.repeat(1 << 24) })))
  expect((row as { q: string }).q.length).toBe(1 << 24)
})

test('any values round-trip through JSONL and CSV', async () => {
  const value = fc.string({ unit: 'binary' })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ q: value, a: value }), { maxLength: 5 }), async (list) => {
      expect(await rowsOf(file('r.jsonl', list.map((row) => JSON.stringify(row)).join('\n')))).toEqual(list)
      expect(await rowsOf(file('r.csv', ['q,a', ...list.map(({ q, a }) => `${quoted(q)},${quoted(a)}`)].join('\r\n')))).toEqual(list)
    }),
    { numRuns: 50 },
  )
})
