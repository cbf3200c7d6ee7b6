import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StopFilter } from './stop-filter.ts'

function filterChunks(chunks: readonly string[], stops: readonly string[]) {
  const filter = new StopFilter(stops)
  const released = chunks.map((chunk) => filter.push(chunk))
  return { text: released.join('') + filter.end(), stoppedBy: filter.stoppedBy, released }
}

/** The expected output, found by trying every position of the whole text. */
function cut(text: string, stops: readonly string[]) {
  for (let at = 0; at < text.length; at++) {
    const found = stops.filter((stop) => stop !== '' && text.startsWith(stop, at)).sort((a, b) => a.length - b.length)
    if (found.length > 0) return { text: text.slice(0, at), stoppedBy: found[0] }
  }
  return { text, stoppedBy: undefined }
}

test('text that cannot be part of a stop is released immediately', () => {
  expect(filterChunks(['Hello', ' wor', 'ld'], ['###'])).toMatchObject({ released: ['Hello', ' wor', 'ld'] })
})

test('a possible beginning of a stop is held back, and released if it was not one', () => {
  expect(filterChunks(['a#', '#', 'b'], ['###'])).toMatchObject({ released: ['a', '', '##b'], stoppedBy: undefined })
  expect(filterChunks(['a##'], ['###'])).toMatchObject({ released: ['a'], text: 'a##' })
})

test('neither a stop nor text after it is released', () => {
  expect(filterChunks(['4##', '#5', '6'], ['###'])).toMatchObject({ text: '4', stoppedBy: '###' })
})

test('the stop that begins first wins, even if another is complete before it', () => {
  expect(filterChunks(['abcd', 'ef!'], ['abcdef', 'cd'])).toMatchObject({ text: '', stoppedBy: 'abcdef' })
  expect(filterChunks(['abcd', 'x'], ['abcdef', 'cd'])).toMatchObject({ text: 'ab', stoppedBy: 'cd' })
  expect(filterChunks(['abcd'], ['abcdef', 'cd'])).toMatchObject({ text: 'ab', stoppedBy: 'cd' })
})

test('empty stops are ignored', () => {
  expect(filterChunks(['abc'], [''])).toMatchObject({ text: 'abc', stoppedBy: undefined })
})

test('the output does not depend on the chunking', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '#', '氡') })
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 12 }), fc.array(letters, { maxLength: 4 }), (chunks, stops) => {
      expect(filterChunks(chunks, stops)).toMatchObject(cut(chunks.join(''), stops))
    }),
    { numRuns: 3000 },
  )
})
