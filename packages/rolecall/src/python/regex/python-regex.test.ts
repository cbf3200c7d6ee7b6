import { describe, expect, test } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { findAll, pythonRegex, search, splitBy, substitute } from './index.ts'

const all = (pattern: string, text: string) => [...text.matchAll(pythonRegex(pattern))].map((match) => match[0])

describe('a pattern matches what it matches in Python', () => {
  const cases: [pattern: string, text: string, matches: string[]][] = [
    [String.raw`\d+`, '12 ٣ ４ ²', ['12', '٣', '４']],
    [String.raw`(?a)\d+`, '12 ٣', ['12']],
    [String.raw`\w+`, 'naïve 中文_1', ['naïve', '中文_1']],
    [String.raw`\s`, 'a\x1c\x85\ufeff\u3000', ['\x1c', '\x85', '\u3000']],
    [String.raw`\bthe\b`, 'the 中the the', ['the', 'the']],
    ['a$', 'a\n', ['a']],
    [String.raw`a\Z`, 'a\n', []],
    ['(?m)^a$', 'b\na\nc', ['a']],
    ['.', '\n\r\u2028', ['\r', '\u2028']],
    ['(?s).', '\n', ['\n']],
    ['(?i)i', 'iIİı', ['i', 'I', 'İ', 'ı']],
    ['{(a)}', '{a}', ['{a}']],
    ['x{,2}y', 'xxxy', ['xxy']],
    ['[]a]+', 'a]b', ['a]']],
    [String.raw`[^\W\d]+`, 'a1 中', ['a', '中']],
    ['(?P<n>a|b)(?P=n)', 'abba', ['bb']],
    [String.raw`\101(?#an A)`, 'A', ['A']],
    ['(?x) a b # c', 'ab', ['ab']],
    ['😀?', '😀', ['😀', '']],
  ]
  for (const [pattern, text, matches] of cases)
    test(`${pattern} in ${JSON.stringify(text)}`, () => expect(all(pattern, text)).toEqual(matches))
})

describe('a pattern that Python or JavaScript cannot use is refused with its place', () => {
  for (const pattern of ['[a', '(a', 'a)', '*a', 'a**', 'a*+', '(?>a)', String.raw`\q`, String.raw`\x1`, '[z-a]', 'a\\', '(?Pa)'])
    test(pattern, () => expect(() => pythonRegex(pattern)).toThrow(PromptError))
})

test('a replacement is literal: data cannot act as a replacement pattern', () => {
  expect(substitute('b', '$&$1', 'abc')).toBe('a$&$1c')
  expect(substitute('(a)(b)?', (_, a, b) => `<${a}|${b}>`, 'aab')).toBe('<a|><a|b>')
})

test('search, findAll and splitBy give what re.search, re.findall and re.split give', () => {
  expect(search('(b)', 'abc')?.[1]).toBe('b')
  expect(search('x', 'abc')).toBeNull()
  expect(findAll('(a)b', 'abab')).toEqual(['a', 'a'])
  expect(splitBy(String.raw`,\s*`, 'a, b,c')).toEqual(['a', 'b', 'c'])
})
