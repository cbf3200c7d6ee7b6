import { expect, test } from 'vitest'
import { compileTemplate } from './template.ts'

const plain = { trims: false, keepsLastNewline: true, strict: true }
const render = (source: string, variables = {}) => compileTemplate(source, { dialect: plain }).render(variables)

test('without trim_blocks line breaks and indentation around tags stay, and so does the last line break', () => {
  expect(render('a\n  {% if true %}\nb\n  {% endif %}\n{# c #}\n{% raw %}{{x}}{% endraw %}\nd\n')).toBe('a\n  \nb\n  \n\n{{x}}\nd\n')
  expect(render('a\n {%- if true -%} \nb{% endif %}')).toBe('ab')
})

test('missing values are an error, unless tested for', () => {
  expect(() => render('{{ x }}')).toThrow("'x' is undefined")
  expect(() => render('{% if x %}1{% endif %}')).toThrow("'x' is undefined")
  expect(() => render('{{ x == 1 }}')).toThrow("'x' is undefined")
  expect(() => render('{{ x.y is defined }}')).toThrow("'x' is undefined")
  expect(() => render('{{ a.b }}', { a: {} })).toThrow("has no attribute 'b'")
  expect(() => render('{{ a[3] }}', { a: [1] })).toThrow('has no element 3')
  expect(() => render('{{ a | first }}', { a: [] })).toThrow('sequence was empty')
  expect(render("{{ x is defined }} {{ x is undefined }} {{ x | default('d') }} {{ a.b | d(1) }}", { a: {} })).toBe('False True d 1')
})

test('as in Python, a condition without an else is empty text, also where missing values are an error', () => {
  expect(render("[{{ 'x' if false }}|{{ x if x is defined }}|{{ (x if false) ~ 'y' }}|{{ (x if false) is defined }}]")).toBe('[||y|False]')
  expect(() => render('{{ x if true }}')).toThrow("'x' is undefined")
  expect(() => render('{{ (x if false).y }}')).toThrow('evaluated to false')
})

test('a dialect may add filters', () => {
  const filters = new Map([['twice', (_: unknown, input: unknown) => `${input}${input}`]])
  const template = compileTemplate("{{ 'ab' | twice }}", { dialect: { ...plain, filters: filters as never } })
  expect(template.render({})).toBe('abab')
  expect(() => compileTemplate("{{ 'ab' | twice }}")).toThrow("No filter named 'twice'")
})
