import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { compileTemplate } from './template.ts'
import { TemplateError } from './template-error.ts'

const render = (source: string, variables = {}) => compileTemplate(source).render(variables)

function failure(source: string, variables = {}): TemplateError {
  try {
    render(source, variables)
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error('it was rendered')
}

describe('a template cannot reach the host', () => {
  test.each([
    "{{ ''.constructor }}",
    "{{ ''['constructor'] }}",
    '{{ [].constructor }}',
    '{{ {}.constructor }}',
    "{{ {}['__proto__'] }}",
    '{{ messages.constructor }}',
    '{{ d.constructor }}{{ d.toString }}{{ d.hasOwnProperty }}{{ d.__proto__ }}{{ d.valueOf }}',
    "{{ d['constructor'] }}{{ d['__proto__'] }}{{ d['toString'] }}",
    '{{ n.constructor }}{{ t.constructor }}{{ none.constructor }}',
    '{{ range.constructor }}{{ namespace.prototype }}{{ raise_exception.call }}',
    '{{ globalThis }}{{ process }}{{ require }}{{ Function }}{{ eval }}{{ this }}{{ window }}',
    '{{ loop }}{{ self }}{{ context }}{{ environment }}{{ caller }}',
    "{{ namespace().constructor }}{{ dict().constructor }}{{ 'x'.split.constructor }}",
    "{{ messages | map(attribute='constructor') | list | join }}",
    "{{ d | attr('constructor') }}{{ d | attr('__proto__') }}",
  ])('%s shows nothing', (source) => {
    expect(render(source, { d: {}, n: 1, t: true, messages: [{ role: 'user' }] })).toBe('')
  })

  test.each([
    "{{ ''.__class__.__mro__ }}",
    "{{ ''['__class__']['__base__'] }}",
    '{{ [].__class__.__base__.__subclasses__() }}',
    '{{ range.__globals__.x }}',
    "{{ '{0.__class__}'.format(1) }}",
    "{{ '{0.__class__.__mro__}'.format('x') }}",
    '{{ messages.append(1) }}',
    '{{ messages.pop() }}',
    '{{ messages[0].update({}) }}',
    '{{ messages[0].clear() }}',
  ])('%s is refused by the sandbox', (source) => {
    expect(failure(source, { messages: [{ role: 'user' }] })).toMatchObject({ type: 'SecurityError', code: 'template-unsafe' })
  })

  test('own keys with the names of JavaScript’s properties are ordinary keys', () => {
    const d = JSON.parse('{"constructor": 1, "__proto__": 2, "toString": 3, "hasOwnProperty": 4}')
    expect(render("{{ d.constructor }}{{ d['__proto__'] }}{{ d.toString }}{{ d.hasOwnProperty }}{{ d | length }}", { d })).toBe('12344')
  })

  test('unsupported values are refused', () => {
    expect(() => render('{{ d.now }}', { d: new Date() as never })).toThrow('has no Python form')
  })

  test('the input is never changed', () => {
    const messages = Object.freeze([Object.freeze({ role: 'user', content: 'Hi' })])
    expect(
      render(
        '{% set messages = messages + [1] %}{{ messages | length }}{{ messages | sort(attribute="role") | first }}'.replace(' + [1]', ''),
        { messages },
      ),
    ).toContain('1')
  })
})

describe('a template cannot exhaust the machine', () => {
  test.each([
    ['steps', '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'],
    ['range', '{{ range(1000000000) | list }}'],
    ['repeated text', "{{ 'a' * 1000000000 }}"],
    ['repeated list', '{{ [1] * 1000000000 }}'],
    ['doubled text', "{% set ns = namespace(x='ab') %}{% for i in range(99) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x | length }}"],
    ['added text', "{% set ns = namespace(x='ab') %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x | length }}"],
    ['doubled list', '{% set ns = namespace(x=[1]) %}{% for i in range(99) %}{% set ns.x = ns.x + ns.x %}{% endfor %}'],
    ['output', "{% set x = 'a' * 1000000 %}{% for i in range(99999) %}{{ x }}{% endfor %}"],
    ['power', '{{ 10 ** (10 ** 10) }}'],
    ['product', '{% set ns = namespace(x=99) %}{% for i in range(99) %}{% set ns.x = ns.x * ns.x %}{% endfor %}'],
    ['macro', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['two macros', '{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}'],
    ['recursive loop', '{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}'],
    ['padding', "{{ 'a'.center(1000000000) }}"],
    ['zeros', "{{ 'a'.zfill(1000000000) }}"],
    ['format width', "{{ '%1000000000d' % 1 }}"],
    ['format spec', "{{ '{:1000000000}'.format(1) }}"],
    ['tabs', "{{ ('\\t' * 9999).expandtabs(99999999) }}"],
    ['replace', "{{ ('a' * 99999).replace('', 'b' * 99999) }}"],
    ['join', "{{ (['a'] * 99999) | join('b' * 99999) }}"],
    ['indent', "{{ ('a\\n' * 99999) | indent(99999) }}"],
    ['batch', '{{ [1] | batch(1000000000, 0) | list }}'],
    ['slices', '{{ [1] | slice(1000000000) | list }}'],
    ['parentheses', `{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`],
    ['brackets', `{{ ${'['.repeat(5000)}${']'.repeat(5000)} }}`],
    ['negations', `{{ ${'not '.repeat(5000)}1 }}`],
    ['blocks', `${'{% if 1 %}'.repeat(5000)}${'{% endif %}'.repeat(5000)}`],
    ['keys', '{{ dict(range(99998) | map("float") | batch(2)) | length }}'],
    ['huge comparison', "{% set x = 'a' * 60000000 %}{% set y = x ~ '' %}{% for i in range(99999) %}{{ x == y }}{% endfor %}"],
  ])(
    '%s',
    (_, source) => {
      const elapsed = processorTimer()
      const error = failure(source)
      expect(['LimitError', 'OverflowError']).toContain(error.type)
      expect(error.line).toBe(1)
      expect(elapsed()).toBeLessThan(30_000)
    },
    60_000,
  )

  test('thousands of texts can be added', () => {
    expect(render(`{{ ${Array.from({ length: 5000 }, () => "'a'").join(' + ')} }}`)).toHaveLength(5000)
  })

  test('tags that are never closed take linear time', () => {
    const elapsed = processorTimer()
    expect(render(`{{ ('<' * 1000000) | striptags | length }}`)).toBe('1000000')
    expect(failure('{{ '.repeat(100_000)).type).toBe('TemplateSyntaxError')
    expect(failure(`{{ '${'\\'.repeat(100_001)}`).type).toBe('TemplateSyntaxError')
    expect(elapsed()).toBeLessThan(30_000)
  }, 60_000)

  test('large lists and dicts of plain values are allowed', () => {
    expect(render('{{ range(99998) | unique | list | length }} {{ dict(range(99998) | batch(2)) | length }}')).toBe('99998 49999')
  }, 60_000)

  test('limits can be set for a render', () => {
    const template = compileTemplate('{% for i in range(100) %}x{% endfor %}')
    expect(() => template.render({}, { limits: { steps: 50 } })).toThrow('more than 50 steps')
    expect(() => template.render({}, { limits: { output: 50 } })).toThrow('more than 50 characters of output')
    expect(template.render({}, { limits: { steps: 100, output: 100 } })).toHaveLength(100)
  })
})
