import { expect, test } from 'vitest'
import { fieldsInText } from './fields-in-text.ts'

const kinds = (text: string) => fieldsInText(text).map(({ name, is }) => `${name}: ${is}`)

test.each([
  ['{question}', ['question: field']],
  ['{question}{choices}', ['question: field', 'choices: field']],
  ['{问题}\n{_a1}', ['问题: field', '_a1: field']],
  ['{} { x } {"a": 1} {x+1} {a.b} {1}', []],
  ['\\boxed{LETTER}', ['LETTER: text']],
  ['\\frac{a}{b} and {c}', ['a: text', 'b: text', 'c: field']],
  ['x^{n} + y_{i}', ['n: text', 'i: text']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell
  ['echo ${HOME}', ['HOME: text']],
  ['\\begin{aligned}', ['aligned: text']],
  ['\\mathbf{{A}}', ['A: code']],
  ['{{question}}', ['question: perhaps']],
  ['{"q": {question}}', ['question: perhaps']],
  ['a line\\n{question}', ['question: field']],
  ['```js\nlet {a} = b\n```\n{c}', ['a: code', 'c: field']],
])('%j has %j', (text, expected) => expect(kinds(text)).toEqual(expected))

test('names in double braces, as in other template languages, are recognized; those of TeX are not', () => {
  const doubles = (text: string) => fieldsInText(text).flatMap(({ name, isDouble }) => (isDouble ? [name] : []))
  expect(doubles('{{question}} {a} {"q": {b}} \\mathbf{{A}}')).toEqual(['question'])
})
