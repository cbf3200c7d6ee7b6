import { describe, expect, test } from 'vitest'
import { selectByName } from './select-by-name.ts'

const entries = ['gsm8k', 'gsm-hard', 'mmlu', 'a.b', 'a[1]'].map((abbr) => ({ abbr }))
const select = (names?: string) => selectByName(entries, names, '--datasets').map(({ abbr }) => abbr)

describe('entries are selected by name or pattern', () => {
  test.each([
    [undefined, ['gsm8k', 'gsm-hard', 'mmlu', 'a.b', 'a[1]']],
    ['mmlu, gsm8k', ['mmlu', 'gsm8k']],
    ['gsm*', ['gsm8k', 'gsm-hard']],
    ['*', ['gsm8k', 'gsm-hard', 'mmlu', 'a.b', 'a[1]']],
    ['gsm?k', ['gsm8k']],
    ['gsm-*', ['gsm-hard']],
    ['[mz]*', ['mmlu']],
    ['[!ag]*', ['mmlu']],
    ['a?b', ['a.b']],
    ['a.*', ['a.b']],
    // A name is taken literally before it is a pattern.
    ['a[1]', ['a[1]']],
    ['gsm8k,gsm*', ['gsm8k', 'gsm-hard']],
  ])('%s', (names, expected) => expect(select(names)).toEqual(expected))

  test('a pattern that matches nothing, a name that is unknown and one named twice are errors', () => {
    expect(() => select('ceval*')).toThrow('there is no "ceval*"')
    expect(() => select('gsm')).toThrow('there is no "gsm"')
    expect(() => select('a.+')).toThrow('there is no "a.+"')
    expect(() => select('mmlu,mmlu')).toThrow('named twice')
  })
})
