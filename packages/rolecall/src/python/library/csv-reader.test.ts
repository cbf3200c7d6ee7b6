import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { programTimeout } from '../../../../../proof/testing/run-program.ts'
import { CsvReader, type CsvRecord } from './csv-reader.ts'

function records(blocks: readonly string[], delimiter: ',' | '\t' = ','): CsvRecord[] {
  const reader = new CsvReader(delimiter)
  return [...blocks.flatMap((block) => [...reader.read(block)]), ...reader.end()]
}

function fields(text: string, delimiter: ',' | '\t' = ','): string[][] {
  return records([text], delimiter).map((record) => record.fields)
}

describe('values', () => {
  test('quotes may contain a delimiter, a newline and a doubled quote', () => {
    expect(fields('q,a\n"1,\r\n2","say ""hi"""\n')).toEqual([
      ['q', 'a'],
      ['1,\r\n2', 'say "hi"'],
    ])
  })

  test('a quote inside a field is text, and text after a closing quote belongs to the field, as in Python', () => {
    expect(fields('he said "hi",b\n"hi" he said,b\n')).toEqual([
      ['he said "hi"', 'b'],
      ['hi he said', 'b'],
    ])
  })

  test('values are not trimmed or converted', () => {
    expect(fields(' 1 , 2.0,,null\n')).toEqual([[' 1 ', ' 2.0', '', 'null']])
  })

  test('with tabs, commas are text', () => expect(fields('a,b\tc\n', '\t')).toEqual([['a,b', 'c']]))

  test.for(['\n', '\r\n', '\r'])('lines may end with %j, the last one with nothing, and empty ones are skipped', (newline) => {
    expect(fields(['a,b', '', '1,2', '3,4'].join(newline))).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })

  test('a trailing delimiter makes an empty last value', () =>
    expect(fields('a,\n"",\n')).toEqual([
      ['a', ''],
      ['', ''],
    ]))
})

describe('lines', () => {
  test('a record has its line numbers, even with newlines in values and mixed line ends', () => {
    const text = 'a,b\r\n\n"x\r\ny\n\nz",1\rlast,2'
    expect(records([text]).map(({ line, lastLine }) => [line, lastLine])).toEqual([
      [1, 1],
      [3, 6],
      [7, 7],
    ])
  })

  test('an unclosed quote is reported with the line of its row', () => {
    const reader = new CsvReader(',')
    expect([...reader.read('a\nb\n"c\nd\n')].length).toBe(2)
    expect(reader.openQuote).toBe(3)
  })
})

const symbols = fc.constantFrom('a', 'é', '"', '""', ',', '\t', '\n', '\r\n', '\r', ' ', '')
const csvText = fc.array(symbols, { maxLength: 24 }).map((parts) => parts.join(''))

test('the chunking of the text makes no difference', () => {
  fc.assert(
    fc.property(csvText, fc.array(fc.nat(24), { maxLength: 4 }), (text, places) => {
      const cuts = [...new Set(places)]
        .filter((at) => at < text.length && !(text[at - 1] === '\r' && text[at] === '\n'))
        .sort((a, b) => a - b)
      const blocks = [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length))
      expect(records(blocks)).toEqual(records([text]))
    }),
  )
})

describe("as Python's csv module on this machine", () => {
  const script = `
import csv, io, json, sys
for line in sys.stdin:
    delimiter, text = json.loads(line)
    # iter() with newline='' gives lines as a file does
    print(json.dumps([row for row in csv.reader(io.StringIO(text, newline=''), delimiter=delimiter) if row]))
`
  const python = (input: string): string[] | undefined => {
    try {
      return execFileSync('python3', ['-c', script], { input, encoding: 'utf8', maxBuffer: 1 << 26, timeout: programTimeout })
        .trim()
        .split('\n')
    } catch {
      return undefined
    }
  }

  test('the same values for any text', { timeout: 60_000 }, ({ skip }) => {
    const cases = fc.sample(fc.tuple(fc.constantFrom<',' | '\t'>(',', '\t'), csvText), 5000)
    const answers = python(cases.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    if (!answers) return skip('there is no python3 here')
    const different = cases.flatMap(([delimiter, text], index) => {
      const found = fields(text, delimiter)
      return JSON.stringify(found) === JSON.stringify(JSON.parse(answers[index]!))
        ? []
        : [{ text, delimiter, found, python: answers[index] }]
    })
    expect(different).toEqual([])
  })
})
