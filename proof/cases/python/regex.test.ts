import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { pythonRegex } from '../../../packages/rolecall/src/python/regex/index.ts'

type Match = (string | null)[]

const { found, refused } = JSON.parse(readFileSync(new URL('regex.json', import.meta.url), 'utf8')) as {
  found: [pattern: string, rows: [text: string, matches: Match[]][]][]
  refused: string[]
}

describe("a pattern finds what Python's re finds, with its groups", () => {
  test.each(found)('%j', (pattern, rows) => {
    for (const [text, matches] of rows) {
      const ours = [...text.matchAll(pythonRegex(pattern))].map((match) => [...match].map((group) => group ?? null))
      expect(ours, JSON.stringify(text)).toEqual(matches)
    }
  })
})

describe("a pattern that Python's re refuses is refused", () => {
  test.each(refused)('%j', (pattern) => {
    let error: unknown
    try {
      pythonRegex(pattern)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(PromptError)
    expect(error).toMatchObject({
      code: 'bad-pattern',
      where: `the pattern ${JSON.stringify(pattern)}`,
      problem: expect.stringMatching(/\w/),
      fix: expect.stringMatching(/re module/),
    })
  })
})
