import { describe, expect, test } from 'vitest'
import { MarkerSet, type MarkerStatus } from './marker-set.ts'

const setOf = (...texts: string[]) => new MarkerSet(texts.map((text) => ({ text, meaning: `means ${text}` })))

type Found = { status: MarkerStatus; at?: number; meaning?: string }

function find(markers: MarkerSet<string>, text: string, from = 0, isFinal = false): Found {
  const status = markers.find(text, from, isFinal)
  if (status === 'none') return { status }
  return { status, at: markers.at, ...(status === 'found' ? { meaning: markers.meaning! } : {}) }
}

const found = (text: string, at: number): Found => ({ status: 'found', at, meaning: `means ${text}` })
const partial = (at: number): Found => ({ status: 'partial', at })
const none: Found = { status: 'none' }

// Up to eight characters are looked at one by one, more are searched: each case comes both ways.
const paddings = ['', 'padding of many characters ']

describe('the next marker', () => {
  const one = setOf('<end>')
  const several = setOf('<a', '<a>', '[x]', '｜')
  const cases: [string, MarkerSet<string>, string, Found][] = [
    ['none', one, 'text', none],
    ['one', one, 'x<end>y', found('<end>', 1)],
    ['the first of two', one, '<end><end>', found('<end>', 0)],
    ['the start of one', one, 'x<en', partial(1)],
    ['its first character alone', one, 'x<', partial(1)],
    ['something alike', one, 'x<enx', none],
    ['something alike, then one', one, '<e<end>', found('<end>', 2)],
    ['the longest that stands here', several, 'a<a>', found('<a>', 1)],
    ['the shorter where the longer does not stand', several, '<ab>', found('<a', 0)],
    ['the shorter, which may become the longer', several, 'a<a', partial(1)],
    ['another first character', several, 'b[x]', found('[x]', 1)],
    ['a marker of one character beyond ASCII', several, 'a｜b', found('｜', 1)],
    ['another character beyond ASCII', several, 'aéb', none],
  ]
  test.each(cases)('%s', (_, markers, text, expected) => {
    for (const padding of paddings)
      expect(find(markers, padding + text)).toEqual({ ...expected, ...('at' in expected ? { at: padding.length + expected.at! } : {}) })
  })

  test('at the end of a text nothing is the start of one', () => {
    for (const padding of paddings) {
      expect(find(one, `${padding}x<en`, 0, true)).toEqual(none)
      expect(find(several, `${padding}<a`, 0, true)).toEqual(found('<a', padding.length))
    }
  })

  test('what stands before is not looked at', () => {
    expect(find(one, '<end>', 1)).toEqual(none)
    expect(find(one, '<end> and so on, then <end>', 1)).toEqual(found('<end>', 22))
    expect(find(several, '[x] and so on, then <a> once', 1)).toEqual(found('<a>', 20))
  })

  test('without markers there is none', () => {
    expect(find(setOf(), 'any')).toEqual(none)
    expect(find(setOf(), 'any text that is long enough')).toEqual(none)
  })

  test('its length is told', () => {
    const markers = setOf('<end>', '[x]')
    markers.find('a[x]', 0, false)
    expect(markers.length).toBe(3)
    expect(markers.match('<end>', 0, false)).toBe('found')
    expect(markers.length).toBe(5)
    expect(markers.match('x<end>', 0, false)).toBe('none')
  })

  test('the order in which markers are given does not matter', () => {
    for (const texts of [
      ['<a', '<ab', '<abc'],
      ['<abc', '<ab', '<a'],
      ['<ab', '<abc', '<a'],
    ]) {
      expect(find(setOf(...texts), '<abc')).toEqual(found('<abc', 0))
      expect(find(setOf(...texts), '<abd')).toEqual(found('<ab', 0))
      expect(find(setOf(...texts), '<b', 0, true)).toEqual(none)
    }
  })
})

test('a marker that goes on is told from one that is whole, or none', () => {
  const markers = setOf('<a>', '<abc>')
  expect(markers.longerStart('<', 'a')).toBe('<a')
  expect(markers.longerStart('<a', 'bc')).toBe('<abc')
  expect(markers.longerStart('<a', '>')).toBeUndefined()
  expect(markers.longerStart('<abc', '>')).toBeUndefined()
  expect(markers.longerStart('<x', 'b')).toBeUndefined()
  expect(setOf('ab<c', '<ca').longerStart('a', 'b')).toBe('ab')
})

test('the start of a marker near the end goes before a marker behind it', () => {
  expect(find(setOf('x<a>yz', '<a>'), 'some words before x<a>y')).toEqual(partial(18))
  expect(find(setOf('x<a>yz', '<a>'), 'some words before x<a>y', 0, true)).toEqual(found('<a>', 19))
})

test('a character may start a marker, or none does', () => {
  const markers = setOf('<a', '\u007f', '｜')
  const starts = (text: string) => markers.startsWith(text.charCodeAt(0))
  expect(['<', '\u007f', '｜', 'a', '>', '\u007e'].map(starts)).toEqual([true, true, true, false, false, false])
  // All beyond ASCII share one entry.
  expect(starts('é')).toBe(true)
  expect(setOf('<a').startsWith('é'.charCodeAt(0))).toBe(false)
  expect(setOf('<a').mayStartIn('abc<')).toBe(true)
  expect(setOf('<a').mayStartIn('abc>')).toBe(false)
  expect(setOf('<a').mayStartIn('')).toBe(false)
})

test('a table of characters is marked once', () => {
  const markers = setOf('<a', '｜')
  const table = new Uint8Array(129).fill(1)
  const marked = markers.markIn(table, 7)
  expect([marked[0x3c], marked[0x3d], marked[128]]).toEqual([7, 1, 7])
  expect(markers.markIn(table, 7)).toBe(marked)
  expect(markers.markIn(new Uint8Array(129), 7)[0x3d]).toBe(0)
  expect(table[0x3c]).toBe(1)
})
