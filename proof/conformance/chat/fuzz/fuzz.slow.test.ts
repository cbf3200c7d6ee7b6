import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { askOurs, askPython, findDifferences, missingPython } from './compare.ts'

const missing = missingPython()
// The reporter hides the names of skipped tests, so the reason is printed here.
if (missing !== undefined) console.warn(`the comparison with Python’s Jinja2 was skipped: ${missing}`)

type Find = { template: string; expected: string | null }
const finds = JSON.parse(readFileSync(new URL('finds.json', import.meta.url), 'utf8')) as { cases: Find[] }

describe('regressions found by fuzzing', () => {
  for (const { template, expected } of finds.cases)
    test(template.slice(0, 100), () => {
      const { text, pieces } = askOurs(template)
      if (expected === null) for (const answer of [text, pieces]) expect(answer).toHaveProperty('error')
      else for (const answer of [text, pieces]) expect(answer).toEqual({ text: expected })
    })

  test.skipIf(missing !== undefined)('is what Python says', () => {
    const answers = askPython(finds.cases.map(({ template }) => template))
    expect(answers.map((answer) => ('text' in answer ? answer.text : null))).toEqual(finds.cases.map(({ expected }) => expected))
  })
})

test.skipIf(missing !== undefined)(
  'random templates give what Python gives',
  () => {
    expect(findDifferences(1, 300)).toEqual([])
  },
  60_000,
)
