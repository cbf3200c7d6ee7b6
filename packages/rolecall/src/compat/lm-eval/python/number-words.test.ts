import { describe, expect, test } from 'vitest'
import { pyRepr } from '../../../../../core/src/base/python/index.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import { functionHost } from './function-host.ts'
import { numberInWords } from './number-words.ts'

describe('numbers in words', () => {
  test.each([
    ['seven', 7],
    ['forty-two', 42],
    ['one hundred and five', 105],
    ['two hundred forty one', 241],
    ['two million three thousand nine hundred and eighty four', 2_003_984],
    ['five thousand', 5000],
    ['two million five thousand', 2_006_005],
    ['one billion two million', 1_003_000_002],
    ['twelve owls', 12],
    ['112', 112],
  ])('%s', (text, number) => expect(numberInWords(text)).toBe(number))

  test('what is none raises the errors of the package', () => {
    expect(() => numberInWords('owls')).toThrow('No valid number words')
    expect(() => numberInWords('one thousand thousand')).toThrow('Redundant')
    expect(() => numberInWords('one thousand two million')).toThrow('Malformed')
    expect(() => numberInWords('thousand one')).toThrow('list index out of range')
  })

  test('are found by a pattern with alternatives as only the package regex writes them', () => {
    const source = `
import regex
from word2number import w2n

def score():
    found = regex.compile(r"(six(?|teen|ty) owls)").findall("sixty owls, six owls")
    return [found, w2n.word_to_num(found[0])]
`
    const find = functionHost((path) => (path === 'utils.py' ? source : undefined))
    const found = find(new FunctionMark('utils.score', 'task.yaml')).call([])
    expect(pyRepr(found as Parameters<typeof pyRepr>[0])).toBe("[['sixty owls'], 60]")
  })
})
