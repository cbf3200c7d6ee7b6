import { describe, expect, test } from 'vitest'
import { MarkerSet } from './marker-set.ts'

const setOf = (...texts: string[]) => new MarkerSet(texts.map((text) => ({ text, meaning: `means ${text}` })))

type Match = { at: number; meaning?: string }

function find(markers: MarkerSet<string>, text: string, from = 0, isFinal = false): Match {
  const { at, marker } = markers.find(text, from, isFinal)
  return marker === undefined ? { at } : { at, meaning: marker.meaning }
}

const found = (text: string, at: number): Match => ({ at, meaning: `means ${text}` })
const partial = (at: number): Match => ({ at })
/** The text ends without a marker. */
const none = (text: string): Match => ({ at: text.length })

const paddings = ['', 'padding of many characters ']

describe('the next marker', () => {
  const one = setOf('<end>')
  const several = setOf('<a', '<a>', '[x]', '｜')
  const cases: [string, MarkerSet<string>, string, Match | undefined][] = [
    ['none', one, 'text', undefined],
    ['one', one, 'x<end>y', found('<end>', 1)],
    ['the first of two', one, '<end><end>', found('<end>', 0)],
    ['the start of one', one, 'x<en', partial(1)],
    ['its first character alone', one, 'x<', partial(1)],
    ['something alike', one, 'x<enx', undefined],
    ['something alike, then one', one, '<e<end>', found('<end>', 2)],
    ['the longest that stands here', several, 'a<a>', found('<a>', 1)],
    ['the shorter where the longer does not stand', several, '<ab>', found('<a', 0)],
    ['the shorter, which may become the longer', several, 'a<a', partial(1)],
    ['another first character', several, 'b[x]', found('[x]', 1)],
    ['a marker of one character beyond ASCII', several, 'a｜b', found('｜', 1)],
    ['another character beyond ASCII', several, 'aéb', undefined],
  ]
  test.each(cases)('%s', (_, markers, text, expected) => {
    for (const padding of paddings) {
      const match = expected === undefined ? none(padding + text) : { ...expected, at: padding.length + expected.at }
      expect(find(markers, padding + text)).toEqual(match)
    }
  })

  test('a final text does not end with a partial marker', () => {
    for (const padding of paddings) {
      expect(find(one, `${padding}x<en`, 0, true)).toEqual(none(`${padding}x<en`))
      expect(find(several, `${padding}<a`, 0, true)).toEqual(found('<a', padding.length))
    }
  })

  test('text before the given position is ignored', () => {
    expect(find(one, '<end>', 1)).toEqual(none('<end>'))
    expect(find(one, '<end> and so on, then <end>', 1)).toEqual(found('<end>', 22))
    expect(find(several, '[x] and so on, then <a> once', 1)).toEqual(found('<a>', 20))
  })

  test('an empty set finds nothing', () => {
    expect(find(setOf(), 'any')).toEqual(none('any'))
  })

  test('only the given position is matched', () => {
    const markers = setOf('<end>', '[x]')
    expect(markers.match('a[x]', 1, false)).toEqual({ text: '[x]', meaning: 'means [x]' })
    expect(markers.match('<en', 0, false)).toBe('partial')
    expect(markers.match('x<end>', 0, false)).toBeUndefined()
  })

  test('the order in which markers are given does not matter', () => {
    for (const texts of [
      ['<a', '<ab', '<abc'],
      ['<abc', '<ab', '<a'],
      ['<ab', '<abc', '<a'],
    ]) {
      expect(find(setOf(...texts), '<abc')).toEqual(found('<abc', 0))
      expect(find(setOf(...texts), '<abd')).toEqual(found('<ab', 0))
      expect(find(setOf(...texts), '<b', 0, true)).toEqual(none('<b'))
    }
  })
})

test('a partial marker near the end precedes a marker inside it', () => {
  expect(find(setOf('x<a>yz', '<a>'), 'some words before x<a>y')).toEqual(partial(18))
  expect(find(setOf('x<a>yz', '<a>'), 'some words before x<a>y', 0, true)).toEqual(found('<a>', 19))
})
