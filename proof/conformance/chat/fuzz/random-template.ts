import type { Random } from './random.ts'
import { binary, filters, formats, literals, methods, names, subscripts, tests } from './vocabulary.ts'

/** Generates a template from the whole language: mostly valid, often failing at run time. */
export function randomTemplate(random: Random): string {
  return statements(random, 3, false)
}

function statements(random: Random, depth: number, inLoop: boolean): string {
  return Array.from({ length: 1 + random.below(3) }, () => statement(random, depth, inLoop)).join(
    random.pick(['', '', ' ', '\n', '\n  ', ' - ', '\n\n\t']),
  )
}

function statement(random: Random, depth: number, inLoop: boolean): string {
  const value = () => expression(random, 2)
  const body = (loop = inLoop) => statements(random, depth - 1, loop)
  const open = () => random.pick(['{%', '{%', '{%-', '{%+'])
  const close = () => random.pick(['%}', '%}', '-%}', '%}\n'])
  const tag = (inside: string) => `${open()} ${inside} ${close()}`
  if (depth <= 0) return output(random, value())
  switch (random.below(inLoop ? 20 : 18)) {
    case 0:
      return `${tag(`if ${value()}`)}${body()}${tag('endif')}`
    case 1:
      return `${tag(`if ${value()}`)}${body()}${tag(`elif ${value()}`)}${body()}${tag('else')}${body()}${tag('endif')}`
    case 2:
      return `${tag(`for i in ${value()}`)}${body(true)}{{ i }}${tag('endfor')}`
    case 3:
      return `${tag(`for i in ${iterable(random)}`)}${body(true)}{{ loop.${random.pick(['index', 'index0', 'first', 'last', 'length', 'revindex', 'revindex0', 'previtem', 'nextitem', 'depth', "cycle('a', 'b')", 'changed(i)'])} }}${tag('endfor')}`
    case 4:
      return `${tag(`for k, v in ${random.pick(['d.items()', 'd|items', 'd|dictsort', 'nested.a.items()', "[[1, 2], 'ab']", value()])}`)}{{ k }}={{ v }};${tag(random.pick(['endfor', 'else']))}${''}`.replace(
        /else([^%]*%\}\n?)$/,
        `else$1${body()}${tag('endfor')}`,
      )
    case 5:
      return `${tag(`for i in ${iterable(random)} if ${random.pick(['i', 'i is string', 'i != 1', 'loop is undefined', value()])}`)}${body(true)}{{ i }}${random.pick(['', '{{ loop.last }}', '{{ loop.length }}'])}${tag('endfor')}`
    case 6:
      return `${tag(`set ${random.pick(['v1', 'v2', 's', 'n', 'v1, v2'])} = ${value()}`)}{{ v1 }}{{ v2 }}`
    case 7:
      return `${tag(`set v1${random.pick(['', ' | upper', " | replace('a', 'b') | trim"])}`)}${body()}${tag('endset')}{{ v1 }}`
    case 8:
      return `${tag(`set ns = namespace(a=1, b=${value()})`)}${tag(`for i in ${iterable(random)}`)}${tag(`set ns.a = ${random.pick(['ns.a + 1', 'i', 'loop.index', value()])}`)}${tag('endfor')}{{ ns.a }}{{ ns.b }}`
    case 9:
      return `${tag(`macro m(p, q=${value()}, r='R')`)}${body(false)}{{ p }}{{ q }}{{ r }}${random.pick(['', '{{ varargs }}', '{{ kwargs }}', '{{ caller() }}'])}${tag('endmacro')}{{ m(${random.pick(['', '1', '1, 2', "1, r='x'", '1, 2, 3, 4', 'zz=1', '*[1, 2]', "**{'p': 5}", value()])}) }}`
    case 10:
      return `${tag('macro w()')}[{{ caller(${random.pick(['', '1'])}) }}]${tag('endmacro')}${tag(random.pick(['call w()', 'call(a) w()', 'call(a=2) w()']))}${body(false)}{{ a }}${tag('endcall')}`
    case 11:
      return `${tag(`filter ${random.pick(['upper', "replace('a', 'x')", 'trim|title', 'length'])}`)}${body()}${tag('endfilter')}`
    case 12:
      return `${tag(`with a = ${value()}, b = ${random.pick(['a', value()])}`)}${body()}{{ a }}{{ b }}${tag('endwith')}`
    case 13:
      return `{#${random.pick(['', '-'])} note {{ x }} ${random.pick(['', '-'])}#}${body()}`
    case 14:
      return `${open()} raw %}{{ ${random.pick(names)} }} {% x %}${open()} endraw ${close()}`
    case 15:
      return `${tag('generation')}${body(false)}${tag('endgeneration')}`
    case 16:
      return `${tag(`for i in ${random.pick(['[1, [2, [3]]]', '[[1], [2, 3]]', value()])} recursive`)}{{ loop.depth }}{% if i is iterable and i is not string %}<{{ loop(i) }}>{% else %}{{ i }}{% endif %}${tag('endfor')}`
    case 18:
      return tag(random.pick(['break', `if ${value()} %}{% break %}{% endif`]))
    case 19:
      return tag(random.pick(['continue', `if ${value()} %}{% continue %}{% endif`]))
    default:
      return output(random, value())
  }
}

function output(random: Random, value: string): string {
  return `${random.pick(['{{', '{{-', '{{+', '{{'])} ${value} ${random.pick(['}}', '-}}', '}}'])}`
}

function iterable(random: Random): string {
  return random.pick([
    'messages',
    'l',
    'ls',
    'le',
    'mixed',
    'd',
    's',
    'u',
    'people',
    'range(4)',
    'd.values()',
    "l|map('string')",
    'l|select',
    'missing',
    "'ab'",
    "('x', 'y')",
  ])
}

function expression(random: Random, depth: number): string {
  if (depth <= 0) return random.chance(0.7) ? random.pick(names) : random.pick(literals)
  const inner = () => expression(random, depth - 1)
  const wrapped = () => (random.chance(0.5) ? `(${inner()})` : inner())
  switch (random.below(14)) {
    case 0:
      return inner()
    case 1:
      return `${wrapped()} ${random.pick(binary)} ${wrapped()}`
    case 2:
    case 3:
      return `${wrapped()}|${random.pick(filters)}`
    case 4:
    case 5:
      return `${random.pick(names)}.${random.pick(methods)}`
    case 6:
      return `${random.pick(names)}${random.pick(subscripts)}`
    case 7:
      return `${random.chance(0.3) ? 'not ' : ''}${wrapped()} is ${random.chance(0.3) ? 'not ' : ''}${random.pick(tests)}`
    case 8:
      return `${inner()} if ${inner()}${random.chance(0.7) ? ` else ${inner()}` : ''}`
    case 9:
      return random.pick(formats).replace('E', random.pick(names))
    case 10:
      return `${random.pick(['-', '+', 'not '])}${wrapped()}`
    case 11:
      return `${wrapped()} ~ ${wrapped()} ~ '.'`
    case 12:
      return random.pick([
        `[${inner()}, ${inner()}]`,
        `{'k': ${inner()}, ${random.pick(['n', 's', "'q'"])}: ${inner()}}`,
        `(${inner()},)`,
        `[${inner()}][0]`,
        `raise_exception(${inner()})`,
        "strftime_now('%d %b %Y %H:%M')",
        `dict(a=${inner()})`,
      ])
    default:
      return `${wrapped()} ${random.pick(['<', '==', '!=', 'in'])} ${wrapped()} ${random.pick(['<', '==', 'in'])} ${wrapped()}`
  }
}
