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
  ['echo ${HOME}', ['HOME: text']],
  ['\\begin{aligned}', ['aligned: text']],
  ['\\mathbf{{A}}', ['A: perhaps']],
  ['{{question}}', ['question: perhaps']],
  ['{"q": {question}}', ['question: perhaps']],
  ['a line\\n{question}', ['question: field']],
  ['```js\nlet {a} = b\n```\n{c}', ['a: perhaps', 'c: field']],
])('%j has %j', (text, expected) => expect(kinds(text)).toEqual(expected))
