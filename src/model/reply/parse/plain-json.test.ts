import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../testing/sampling.ts'
import { parseJson } from '../../../base/python/index.ts'
import { endOfPlainJson } from './plain-json.ts'

describe('JSON that JavaScript reads without loss is passed, and nothing else', () => {
  const plain = ['{}', '[ ]', '{"a": [1, -2.5, 0, 10], "b": {"c": null}}', '"a\\n\\u00e9 \\"b\\" \\\\"', '[true, false, null]', '\t[\n1 ]']
  test.each(plain)('%s', (text) => {
    const from = /\S/.exec(text)!.index
    expect(endOfPlainJson(text, from)).toBe(text.length)
    expect(endOfPlainJson(`${text} }`, from), 'more follows').toBe(text.length)
    for (let cut = from; cut < text.length; cut++) expect(endOfPlainJson(text.slice(0, cut), from), 'it is cut').toBe(-1)
  })

  const others = [
    '[1.0]',
    '[1.50]',
    '[1e5]',
    '[-0]',
    '[01]',
    '[123456789012345]',
    '[1.]',
    '[-]',
    '{"1": 2}',
    '{"__proto__": 1}',
    '{"\\u0031": 2}',
    '{"a" 1}',
    '{"a": 1,}',
    '[1,]',
    '[1 2]',
    '[1}',
    '{a: 1}',
    "{'a': 1}",
    '["a\nb"]',
    '["\\x"]',
    '["\\u12"]',
    '[tru]',
    '[NaN]',
    '{"a": 1, 2}',
    `${'['.repeat(101)}${']'.repeat(101)}`,
    `["${'a'.repeat(40)}\n"]`,
  ]
  test.each(others)('not %s', (text) => expect(endOfPlainJson(text, 0)).toBe(-1))

  test('an opening bracket may be a mark', () => {
    expect(endOfPlainJson('{"a": ["b"]}', 0, (at) => at === 6)).toBe(-1)
  })

  test('whatever is passed is the same for both readers', () => {
    const json = fc.json({ maxDepth: 4 })
    const broken = fc
      .tuple(json, fc.nat(60), fc.constantFrom('"', '\\', '}', ',', '0', '.', '-', 'e', '\n', ' ', ''))
      .map(([text, at, more]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + more + text.slice(place + 1)
      })
    fc.assert(
      fc.property(fc.oneof(json, broken), (text) => {
        const end = endOfPlainJson(text, 0)
        if (end < 0) return
        const value = text.slice(0, end)
        expect(JSON.parse(value)).toEqual(parseJson(value))
      }),
      { numRuns: propertyRuns(3000) },
    )
  })
})
