import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pythonRegex } from './index.ts'

// What CPython 3.11 finds with `re.finditer`, and the patterns that it refuses.
const { found, refused } = JSON.parse(readFileSync(new URL('as-python.json', import.meta.url), 'utf8')) as {
  found: [pattern: string, text: string, matches: string[]][]
  refused: string[]
}

describe('a pattern finds what it finds in Python', () => {
  test.each(found)('%j in %j', (pattern, text, matches) => {
    const expression = pythonRegex(pattern)
    const global = new RegExp(expression.source, [...new Set([...expression.flags, 'g'])].join(''))
    expect([...text.matchAll(global)].map(([whole]) => whole)).toEqual(matches)
  })
})

test.each(refused)('%j is refused', (pattern) => expect(() => pythonRegex(pattern)).toThrow())
