import { describe, expect, test } from 'vitest'
import { parseJson } from '../python/json/parse-json.ts'
import type { PyDict, PyValue } from '../python/values/data.ts'
import { compileTemplate } from './template.ts'
import { TemplateError } from './template-error.ts'

const render = (source: string, variables: Record<string, PyValue> = {}) => compileTemplate(source).render(variables)

function failure(source: string, variables: Record<string, PyValue> = {}): TemplateError {
  try {
    render(source, variables)
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error('it was rendered')
}

describe('errors have a position and a reason', () => {
  test('line, column, code and Python’s reason', () => {
    const error = failure("{% for m in messages %}\n  {{ 'a: ' + m.content }}\n{% endfor %}", { messages: [{ content: null }] })
    expect(error).toMatchObject({
      type: 'TypeError',
      line: 2,
      column: 6,
      expression: "'a: ' + m.content",
      reason: 'can only concatenate str (not "NoneType") to str',
      where: 'chat_template, line 2, column 6',
    })
  })

  test('the innermost expression is named, also in a macro', () => {
    expect(failure('{% macro m(x) %}\n{{ x.a.b }}{% endmacro %}\n\n{{ m({}) }}')).toMatchObject({
      type: 'UndefinedError',
      line: 2,
      expression: 'x.a.b',
      reason: "'dict object' has no attribute 'a'",
    })
  })

  test('the template’s own exceptions pass through unchanged', () => {
    expect(failure('{{ raise_exception(\'Roles must alternate: "user"\') }}')).toMatchObject({
      type: 'TemplateError',
      code: 'template-raised',
      reason: 'Roles must alternate: "user"',
      problem: 'Roles must alternate: "user"',
    })
  })

  test.each([
    ['{% if x %}', 'Unexpected end of template'],
    ['{% endif %}', "unknown tag 'endif'"],
    ['{{ a b }}', "expected token 'end of print statement', got 'b'"],
    ['{{ (1 }}', "unexpected '}', expected ')'"],
    ['{% set 1 = 2 %}', "can't assign"],
    ['{{ x | nothing }}', "No filter named 'nothing'"],
    ['{{ x is nothing }}', "No test named 'nothing'"],
    ['{% break %}', "'break' outside loop"],
    ['{# open', 'Missing end of comment tag'],
    ['{% raw %} open', 'Missing end of raw directive'],
    ["{{ 'open }}", 'unexpected char'],
  ])('%s is refused when it is read', (source, reason) => {
    expect(() => compileTemplate(`line\n${source}`)).toThrow(reason)
    try {
      compileTemplate(`line\n${source}`)
    } catch (error) {
      expect((error as TemplateError).line).toBeGreaterThan(0)
    }
  })

  test('other templates cannot be loaded, which is an error only when it is reached', () => {
    expect(failure("{% include 'x' %}").reason).toContain('no loader')
    expect(render("{% if false %}{% include 'x' %}{% endif %}ok")).toBe('ok')
  })
})

describe('names', () => {
  test.each([
    ['what a loop assigns stays in it', '{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}', '231'],
    ['what an if assigns does not', '{% if true %}{% set x = 1 %}{% endif %}{{ x }}', '1'],
    [
      'a namespace keeps what a loop assigns',
      '{% set n = namespace(x=0) %}{% for i in [1, 2] %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}',
      '3',
    ],
    [
      'a macro sees what is assigned at the top, also later',
      '{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}{% set x = 2 %}{{ m() }}',
      '12',
    ],
    [
      'a macro does not see variables of a loop around its call',
      '{% macro m() %}{{ i }}{% endmacro %}{% for i in [1] %}[{{ m() }}]{% endfor %}',
      '[]',
    ],
    ['a macro in a loop sees its variables', '{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}', '12'],
    ['an else runs when no turn reached its end', '{% for i in [1] %}a{% continue %}{% else %}b{% endfor %}', 'ab'],
    [
      'a filtered loop looks at an item when its turn comes',
      '{% set n = namespace(x=0) %}{% for i in [1, 2, 3] if i > n.x %}{{ i }}{% set n.x = 2 %}{% endfor %}',
      '13',
    ],
    [
      'a loop’s length counts what the filter lets through',
      '{% for i in [1, 2, 3] if i > 1 %}{{ loop.index }}/{{ loop.length }} {% endfor %}',
      '1/2 2/2 ',
    ],
    [
      'None in a list is an item like others',
      '{% for i in [1, none, 2] %}{{ i }}{{ loop.nextitem }}{{ loop.last }};{% endfor %}',
      '1NoneFalse;None2False;2True;',
    ],
    ['blocks see what the top assigned', '{% set x = 1 %}{% block b %}{{ x }}{% endblock %}', '1'],
  ])('%s', (_, source, expected) => expect(render(source)).toBe(expected))
})

describe('values are Python’s', () => {
  const variables = Object.fromEntries(
    Object.entries(parseJson('{"f": 1.0, "big": 12345678901234567890, "d": {"b": 1, "10": 2, "2": 3, "items": 4}}') as PyDict),
  ) as Record<string, PyValue>
  test.each([
    [
      '{{ f }} {{ big + 1 }} {{ 7 / 2 }} {{ 7 // -2 }} {{ -7 % 3 }} {{ 2 ** 70 }}',
      '1.0 12345678901234567891 3.5 -4 2 1180591620717411303424',
    ],
    ['{{ d }}', "{'b': 1, '10': 2, '2': 3, 'items': 4}"],
    ["{{ d['items'] }} {{ d.items() | list | length }}", '4 4'],
    ['{{ 1 == true }} {{ "" == false }} {{ 1 == 1.0 }} {{ none == false }}', 'True False True False'],
    ["{{ {1: 'a', true: 'b', 1.0: 'c'} }}", "{1: 'c'}"],
    ["{{ '🎉é' | length }} {{ '🎉é'[0] }} {{ '🎉é'[::-1] }}", '2 🎉 é🎉'],
    ["{{ 'x\\u00a0\\u3000' | trim }}|{{ '\\ufeffx'.strip() | length }}", 'x|2'],
    ["{{ ('<b>' | safe) + '<i>' }}", '<b>&lt;i&gt;'],
    ["{{ [1, 'a', none, true, 1.5] }} {{ (1,) }} {{ {} }}", "[1, 'a', None, True, 1.5] (1,) {}"],
    ["{{ ([] | map('upper')) is true }}{{ 1 if [] | select else 2 }}", 'False1'],
  ])('%s', (source, expected) => expect(render(source, variables)).toBe(expected))
})

describe('{% generation %}', () => {
  test('marks the assistant’s text, and writes nothing itself', () => {
    const template = compileTemplate('{% for m in messages %}<{{ m.role }}>{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}')
    const { text, generation } = template.renderMarked({
      messages: [
        { role: 'a', content: '🎉x' },
        { role: 'b', content: 'y' },
      ],
    })
    expect(text).toBe('<a>🎉x<b>y')
    expect(generation.map(({ start, end }) => text.slice(start, end))).toEqual(['🎉x', 'y'])
  })
})

test('the clock is the caller’s', () => {
  expect(compileTemplate("{{ strftime_now('%A %d %B %Y, %-I:%M %p') }}").render({}, { clock: new Date('2025-03-04T15:09:26') })).toBe(
    'Tuesday 04 March 2025, 3:09 PM',
  )
})

test('a dict with None gives None, not the default', () => {
  expect(render("{{ {'a': none}.get('a', 'default') }} {{ {}.get('a', 'default') }} {{ {}.get('a') }}")).toBe('None default None')
  expect(render("{{ m.get('a', 'default') }}", { m: { a: null } })).toBe('None')
})

test('round goes half to even, before the point as well, and keeps the sign of zero', () => {
  expect(render('{{ 25.0|round(-1) }} {{ 25.5|round(-1) }} {{ 35|round(-1) }} {{ -0.4|round }}')).toBe('20.0 30.0 40 -0.0')
})
