import { expect, test } from 'vitest'
import { type FidelityRuleName, fidelityRules, quirksOf } from './fidelity.ts'

const names = Object.keys(fidelityRules) as FidelityRuleName[]

test('without compat none of the reference’s quirks is reproduced', () => {
  expect(quirksOf(undefined).size).toBe(0)
})

test("compat: 'opencompass' reproduces every quirk, and breaks no promise", () => {
  expect([...quirksOf('opencompass')].sort()).toEqual(names.filter((name) => fidelityRules[name].kind === 'quirk').sort())
})

test('every rule states the behaviour of the reference, of the documents and of Rolecall', () => {
  for (const name of names) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    for (const text of [fidelityRules[name].reference, fidelityRules[name].document, fidelityRules[name].rolecall])
      expect(text).toMatch(/\S.*\.$/)
  }
})
