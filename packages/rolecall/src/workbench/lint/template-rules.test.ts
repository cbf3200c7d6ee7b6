import { describe, expect, test } from 'vitest'
import { lintTemplate } from './lint-template.ts'
import { templateRules } from './template-rules.ts'

describe.each(templateRules.map((rule) => ({ ...rule, rule })))('$id', ({ rule, example: { bad, good, tokens, addsBos, specials } }) => {
  const facts = { ...(tokens ? { tokens } : {}), ...(addsBos === undefined ? {} : { addsBos }), ...(specials ? { specials } : {}) }

  test('finds the problem in its bad example, with a location', () => {
    const [first] = lintTemplate({ source: bad, ...facts }, { only: [rule.id] }).findings
    expect(first).toMatchObject({ rule: rule.id, place: { kind: 'template', line: expect.any(Number) } })
    expect(first?.problem).not.toBe('')
  })

  test('finds nothing in its good example', () => {
    expect(lintTemplate({ source: good, ...facts }, { only: [rule.id] }).findings).toEqual([])
  })
})

test('ids are unique', () => {
  expect(new Set(templateRules.map(({ id }) => id)).size).toBe(templateRules.length)
})
