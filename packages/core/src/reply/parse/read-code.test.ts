import { describe, expect, test } from 'vitest'
import { MarkerSet } from './marker-set.ts'
import { CodeScanner } from './read-code.ts'

const markers = new MarkerSet([{ text: '<end>', meaning: 'close' }])

type Scanned = { code: string | undefined; told: string; language?: string; stop: number; status: string; fenceFrom?: number }

/** Scans code in chunks, up to a mark or the end. */
function scan(text: string, size: number, fence: 'markdown' | 'none', hidesMarkers = true): Scanned {
  const scanner = new CodeScanner(fence, hidesMarkers)
  let told = ''
  let read = 0
  let held = ''
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size)
    const stop = scanner.scan(held + piece, 0, markers, at + size >= text.length)
    told += scanner.takeCode()
    read += stop
    held = (held + piece).slice(stop)
    if (scanner.status === 'marker') break
  }
  scanner.finish()
  told += scanner.takeCode()
  const { language, status, fenceFrom } = scanner
  return {
    code: scanner.codeIn(text.slice(0, read)),
    told,
    ...(language === undefined ? {} : { language }),
    stop: read,
    status,
    ...(fenceFrom === undefined ? {} : { fenceFrom }),
  }
}

const sizes = [1, 2, 3, 5, 1000]

describe('in a fence, however the text is cut', () => {
  const cases: [text: string, expected: Partial<Scanned>][] = [
    ['```py\nx\n```', { code: 'x', language: 'py' }],
    ['```py\nx\n```\n', { code: 'x', language: 'py' }],
    ['```py\nx\n```<end>', { code: 'x', language: 'py', status: 'marker', stop: 11 }],
    ['```py\nx```<end>', { code: 'x', status: 'marker' }],
    ['```py\nx\n``` <end>', { code: 'x', status: 'marker' }],
    ['```py\n<end>\n```<end>', { code: '<end>', status: 'marker', stop: 15 }],
    ['```py\nx<end>', { code: 'x<end>', status: 'more', fenceFrom: 6 }],
    ['```\nx\n```', { code: 'x' }],
    ['```  \nx\n```', { code: 'x' }],
    ['``` py x\ny\n```', { code: 'y', language: 'py' }],
    ['``\nx\n``', { code: undefined }],
    ['a ```\nx\n```', { code: undefined }],
    ['```py x``` y', { code: undefined }],
    ['text only<end>', { code: undefined, status: 'marker', stop: 9 }],
    ['text <b> only<en', { code: undefined, status: 'more' }],
    ['a\n\n\t```py\nx\n \t```', { code: 'x', language: 'py' }],
    ['````\n```\n````', { code: '```' }],
    ['````\nx\n`````', { code: 'x' }],
    ['```\nx\n``\n```', { code: 'x\n``' }],
    ['```\n`a` ``b``\n```', { code: '`a` ``b``' }],
    ['```\nx\n``` y\nz\n```', { code: 'x\n``` y\nz' }],
    ['```\nx ```\ny\n```', { code: 'x ```\ny' }],
    ['```\nx ``` ```\ny\n```', { code: 'x ``` ```\ny' }],
    ['```\nx\n```\n```\ny\n```', { code: 'x' }],
    ['```\n\n\n```', { code: '\n' }],
    ['```\n```', { code: '' }],
    ['```\n  \n```', { code: '  ' }],
    ['```\nx\n  y\n\n  ```', { code: 'x\n  y\n' }],
    ['```\nx\n\n', { code: 'x\n', fenceFrom: 4 }],
    ['```\nx\n  ``', { code: 'x\n  ``', fenceFrom: 4 }],
    ['```\nx\n  ```', { code: 'x', fenceFrom: 4 }],
    ['```\nx  ', { code: 'x  ', fenceFrom: 4 }],
    ['```\ta\nx\n```', { code: 'x', language: 'a' }],
  ]
  test.each(cases)('%j', (text, expected) => {
    for (const size of sizes) {
      const scanned = scan(text, size, 'markdown')
      expect(scanned, `pieces of ${size}`).toMatchObject(expected)
      expect(scanned.told, `what is told in pieces of ${size}`).toBe(expected.code ?? '')
    }
  })

  test('where markers count everywhere, they end the code', () => {
    for (const size of sizes) {
      expect(scan('```py\na\nb<end>c', size, 'markdown', false)).toMatchObject({ code: 'a\nb', told: 'a\nb', status: 'marker', stop: 9 })
      expect(scan('text<end>', size, 'markdown', false)).toMatchObject({ code: undefined, told: '', status: 'marker', stop: 4 })
    }
  })
})

describe('without fences, however the text is cut', () => {
  const cases: [text: string, expected: Partial<Scanned>][] = [
    ['x = 1', { code: 'x = 1', status: 'more' }],
    [' \n x = 1 \n', { code: 'x = 1', status: 'more', stop: 10 }],
    ['\n x\n\n y <end>', { code: 'x\n\n y', status: 'marker', stop: 8 }],
    ['x<en', { code: 'x<en', status: 'more' }],
    ['x < y', { code: 'x < y', status: 'more' }],
    [' \t\r\n', { code: '', status: 'more' }],
    ['<end>', { code: '', status: 'marker', stop: 0 }],
    ['```\nx\n```', { code: '```\nx\n```', status: 'more' }],
  ]
  test.each(cases)('%j', (text, expected) => {
    for (const size of sizes) {
      const scanned = scan(text, size, 'none')
      expect(scanned, `pieces of ${size}`).toMatchObject(expected)
      expect(scanned.told).toBe(expected.code)
    }
  })
})

test('what may become a mark waits', () => {
  const scanner = new CodeScanner('none', true)
  expect([scanner.scan('x <e', 0, markers, false), scanner.status]).toEqual([2, 'partial'])
  expect([scanner.scan('ab<e', 1, markers, true), scanner.status]).toEqual([4, 'more'])
})
