import { expect, test } from 'vitest'
import { watchTemplate } from './watch-template.ts'

const content = 'messages[0].content'
const watch = (source: string) => watchTemplate(source)({ messages: [{ role: 'user', content: 'Hi' }] })

test('a string that is printed is read, and not taken for a list', () => {
  const { text, used, asList } = watch('{% for m in messages %}{{ m.content }}{% endfor %}')
  expect({ text, used: used.has(content), asList: asList.has(content) }).toEqual({ text: 'Hi', used: true, asList: false })
})

test('a loop over a string fails, and is noticed', () => {
  const { text, asList } = watch('{% for m in messages %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}')
  expect({ text, asList: asList.has(content) }).toEqual({ text: undefined, asList: true })
})

test('a copy in a variable is followed', () => {
  expect(watch("{% set c = messages[0]['content'] %}{{ c[0] }}").asList.has(content)).toBe(true)
})

test('selectattr takes its input for a list', () => {
  expect(watch("{{ messages[0].content | selectattr('type', 'equalto', 'text') | list }}").asList.has(content)).toBe(true)
})

test('what is never read is not used', () => {
  expect(watch("{% if messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}").used.has(content)).toBe(false)
})

test('JSON reads everything inside a value', () => {
  expect(watch('{{ messages | tojson }}').used.has(content)).toBe(true)
})

test('as in llama.cpp, a missing value has no keys and adds nothing to a string', () => {
  expect(watch("{{ 'a' + nothing.at.all }}").text).toBe('a')
})

test('as in llama.cpp, lists can be changed', () => {
  expect(watch("{% set l = [] %}{% set _ = l.append('x') %}{{ l.pop() }}{{ l | length }}").text).toBe('x0')
})

test('as in llama.cpp, filters of lists fail on a string, and every filter reads its input', () => {
  expect(watch('{{ messages[0].content | list }}').text).toBeUndefined()
  expect(watch('{{ messages[0].content | trim | upper }}').text).toBe('HI')
  expect(watch("{{ messages | map(attribute='content') | first | default('') }}").used.has(content)).toBe(true)
})
