import { expect, test } from 'vitest'
import { quirksOf } from '../../packages/core/src/base/fidelity/quirks.ts'
import type { Rule } from './rule.ts'
import { opencompassRules } from './rules/opencompass.ts'
import { rules } from './rules.ts'

test('without compat none of the reference’s quirks is reproduced', () => {
  expect(quirksOf(undefined).size).toBe(0)
})

test("compat: 'opencompass' reproduces every quirk, and breaks no promise", () => {
  const quirks = Object.entries(opencompassRules).flatMap(([name, { kind }]) => (kind === 'quirk' ? [name] : []))
  expect([...quirksOf('opencompass')].sort()).toEqual(quirks.sort())
})

test('every rule states the behaviour of the reference and of Rolecall', () => {
  for (const [name, { reference, document = 'Nothing.', rolecall }] of Object.entries<Rule>(rules)) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const text of [reference, document, rolecall])
      expect({ name, text }).toEqual({ name, text: expect.stringMatching(/\S.*\.["”]?$/) })
  }
})
