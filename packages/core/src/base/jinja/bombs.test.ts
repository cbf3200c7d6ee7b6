import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { sampleOf, triesAll } from '../../../../../proof/testing/sampling.ts'
import { compileTemplate } from './template.ts'
import { TemplateError } from './template-error.ts'

// Lists that contain the same list many times, long texts and large numbers, in every operation that walks a whole value.

const doubled = (begin: string, step: string) =>
  `{% set ns = namespace(d=${begin}) %}{% for i in range(40) %}{% set ns.d = ${step} %}{% endfor %}`
const values: Record<string, string> = {
  'a doubled list': doubled('[1]', '[ns.d, ns.d]'),
  'a doubled tuple': doubled('(1,)', '(ns.d, ns.d)'),
  'a doubled dict': doubled('{}', "{'a': ns.d, 'b': ns.d}"),
  'a long text': "{% set ns = namespace(d='ab' * 8000000) %}",
  'a large number': '{% set ns = namespace(d=7 ** 300000) %}',
}
const again = (expression: string) => `{% for i in range(100000) %}{% set x = ${expression} %}{% endfor %}`
const operations = [
  ...[
    'ns.d == other.d',
    'ns.d != other.d',
    'ns.d < other.d',
    'ns.d in [other.d]',
    '(ns.d,) in {(other.d,): 1}',
    '{(ns.d,): 1} == {(other.d,): 1}',
  ],
  ...[
    'ns.d | tojson',
    'ns.d | string',
    'ns.d | pprint',
    'ns.d ~ 1',
    "'%s' % (ns.d,)",
    "'{}'.format(ns.d)",
    '[ns.d] | join',
    'ns.d | escape',
  ],
  ...[
    '[ns.d, other.d] | unique | list',
    '[ns.d, other.d] | sort',
    '[ns.d, other.d] | min',
    '[ns.d, other.d] | max',
    '[[ns.d, 1]] | groupby(0)',
  ],
  ...[
    'ns.d[::-1]',
    'ns.d[1:]',
    'ns.d + ns.d',
    'ns.d * 2',
    'ns.d ** 2',
    'ns.d // 3',
    'ns.d % 3',
    'ns.d | int',
    'ns.d | float',
    'ns.d | title',
    'ns.d | upper',
  ],
  ...[
    'ns.d.title()',
    'ns.d.split("a")',
    'ns.d.replace("a", "b")',
    'ns.d.count("b")',
    '"a" in ns.d',
    'ns.d | wordcount',
    'ns.d | length',
    'dict(a=ns.d) | tojson',
  ],
  ...[
    '[ns.d, ns.d] | map("string") | list',
    '[ns.d] | select("equalto", other.d) | list',
    'ns.d | reverse | string',
    'namespace(a=ns.d) | string',
    'ns.d | list',
    'ns.d | first',
  ],
]

/** The allowed outcomes: the value, a Python error, or the limit; never minutes. */
function outcome(source: string): string {
  try {
    compileTemplate(source).render({}, { limits: { steps: 100_000 } })
    return 'rendered'
  } catch (error) {
    if (error instanceof TemplateError) return error.type
    throw error
  }
}

describe.each(Object.entries(values))('%s', (_, value) => {
  // The sample changes with every commit.
  test.each(sampleOf(operations, triesAll ? 20 : 8).map((operation) => [operation] as const))(
    '%s ends',
    (operation) => {
      const other = value.replaceAll(/\bns\b/g, 'other')
      const elapsed = processorTimer()
      expect(outcome(value + other + again(operation))).not.toBe('rendered')
      expect(elapsed()).toBeLessThan(10_000)
    },
    30_000,
  )
})

test('visiting a large value once is allowed', () => {
  const messages = Array.from({ length: 2000 }, (_, index) => ({ role: 'user', content: `message ${index} `.repeat(20) }))
  const template = compileTemplate('{{ messages | tojson | length }}{{ messages == messages[:] }}{{ messages | string | length }}')
  expect(template.render({ messages })).toMatch(/^\d+True\d+$/)
})

// Found by `npm run attack`: one repetition is enough.
test.each([
  "('ab' * 4000000) | min(true)",
  "('ab' * 4000000) | max",
  "('ab' * 4000000) | sort",
  '((range(99999) | list) * 20) | sort | length',
  "('ab' * 4000000) | list | length",
])('%s ends before it begins', (expression) => {
  const before = process.cpuUsage()
  expect(() => compileTemplate(`{{ ${expression} }}`).render({})).toThrow(expect.objectContaining({ code: 'template-limit' }))
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(2)
})
