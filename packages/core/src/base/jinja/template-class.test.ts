import { readdirSync, readFileSync } from 'node:fs'
import { Template as OtherTemplate } from '@huggingface/jinja'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../python/json/parse-json.ts'
import { stringifyJson } from '../python/json/stringify-json.ts'
import { dictEntries, dictGet, type PyDict, type PyValue } from '../python/values/data.ts'
import { Template } from './template-class.ts'
import { TemplateError } from './template-error.ts'

class Message {
  constructor(
    readonly role: string,
    readonly content: string,
  ) {}
}

/** A program that switches its import gets the same text. */
const inputs: [name: string, source: string, variables?: Record<string, unknown>][] = [
  [
    'a chat',
    '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
    chat(),
  ],
  ['nothing at all', 'Hello'],
  ['what is missing', '{{ x }}|{% if x is defined %}there{% endif %}{% if not tools %}none{% endif %}', {}],
  [
    'what is undefined',
    '{% if x is defined or m.calls is defined %}there{% endif %}{{ m.role }}',
    { x: undefined, m: { role: 'user', calls: undefined } },
  ],
  ['null', '{% if x is none and x is defined %}none{% endif %}', { x: null }],
  [
    'a function',
    "{{ shout('hi', 2) }} {{ date().year }}",
    { shout: (text: string, times: number) => text.toUpperCase().repeat(times), date: () => ({ year: 2026 }) },
  ],
  ['a function in an object', '{{ tools.count([1, 2]) }}', { tools: { count: (list: unknown[]) => list.length } }],
  ['an instance of a class', '{{ m.role }}: {{ m.content }}', { m: new Message('user', 'Hi') }],
  ['white space', '{%- for x in xs -%}\n  {{ x }}\n  {%- if not loop.last %}, {% endif %}\n{%- endfor %}', { xs: [1, 2, 3] }],
  ['namespaces', '{% set ns = namespace(n=0) %}{% for x in xs %}{% set ns.n = ns.n + x %}{% endfor %}{{ ns.n }}', { xs: [1, 2] }],
  ['macros', "{% macro tag(name, body='') %}<{{ name }}>{{ body }}</{{ name }}>{% endmacro %}{{ tag('b', 'x') }}{{ tag('i') }}"],
  [
    'filters',
    "{{ xs | map(attribute='a') | join('-') }} {{ ' x ' | trim }} {{ 'ab' | upper }} {{ xs | length }}",
    { xs: [{ a: 1 }, { a: 2 }] },
  ],
  ['JSON', '{{ tools | tojson }} {{ tools | tojson(indent=2) }}', { tools: [{ name: 'f', parameters: { type: 'object' } }] }],
  [
    'slices and tests',
    "{{ xs[1:] | join }} {{ xs[-1] }} {% if 'b' in xs and xs is iterable and xs[0] is string %}yes{% endif %}",
    { xs: ['a', 'b', 'c'] },
  ],
  ['numbers', '{{ 7 // 2 }} {{ 7 % 4 }} {{ n * 2 }} {{ 0.5 + 0.25 }}', { n: 21 }],
]

function chat() {
  return {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
    add_generation_prompt: true,
  }
}

describe('renders as @huggingface/jinja does', () => {
  test.for(inputs)('%s', ([, source, variables]) => {
    expect(new Template(source).render(variables)).toBe(new OtherTemplate(source).render(variables))
  })
})

test('renders what Python renders, whether or not @huggingface/jinja does', () => {
  const folder = new URL('../../../../../proof/cases/jinja/', import.meta.url)
  const read = (name: string) => parseJson(readFileSync(new URL(name, folder), 'utf8')) as PyDict
  const shared = dictEntries(dictGet(read('shared/context.json'), 'variables') as PyDict)
  const clock = new Date(dictGet(read('shared/context.json'), 'now') as string)
  const different: string[] = []
  let [all, others] = [0, 0]
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    for (const given of dictGet(read(file), 'cases') as PyDict[]) {
      const expected = dictGet(given, 'expected')
      if (expected === undefined) continue
      const source = dictGet(given, 'template') as string
      const variables = Object.fromEntries([...shared, ...dictEntries((dictGet(given, 'context') ?? {}) as PyDict)])
      all++
      if (attempt(() => new Template(source).render(variables, { clock })) !== expected) different.push(source)
      if (attempt(() => new OtherTemplate(source).render(plain(variables, namesOf(source)))) === expected) others++
    }
  }
  expect(different).toEqual([])
  expect(all).toBeGreaterThan(7000)
  expect(others).toBeLessThan(all)
}, 300_000)

test('mistakes are errors with a position, and functions keep their errors', () => {
  expect(() => new Template('{% if %}')).toThrow(TemplateError)
  expect(() => new Template("{{ raise_exception('no system') }}").render()).toThrow(/no system/)
  const broken = () => {
    throw new RangeError('mine')
  }
  expect(() => new Template('{{ f() }}').render({ f: broken })).toThrow(/mine/)
})

test('a function receives plain values: texts, lists, objects', () => {
  const keys = (value: object) => Object.keys(value).join()
  expect(new Template("{{ keys({'a': 1, 'b': [2]}) }}").render({ keys })).toBe('a,b')
})

test('a function receives keyword arguments last, as an object', () => {
  expect(new Template("{{ f(1, unit='m') }}").render({ f: (value: number, { unit }: { unit: string }) => `${value} ${unit}` })).toBe('1 m')
})

test('lists its variables', () => {
  expect(new Template('{{ messages }}{% set x = 1 %}{{ x }}').names).toEqual(['messages'])
})

/** The names of a template's inputs. */
function namesOf(source: string): readonly string[] {
  return new Template(source).names
}

/** JSON as JavaScript values, for these names. */
function plain(variables: Readonly<Record<string, PyValue>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in variables ? [[name, JSON.parse(stringifyJson(variables[name]!))]] : [])))
}

function attempt(render: () => string): string | undefined {
  try {
    return render()
  } catch {
    return undefined
  }
}
