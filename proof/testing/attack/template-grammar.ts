import { filters, tests } from '../../../packages/core/src/base/jinja/filters/filters.ts'
import type { Chance } from './attack.ts'

const starts = [
  '{% set ns = namespace(d=[1]) %}{% for i in range(40) %}{% set ns.d = [ns.d, ns.d] %}{% endfor %}',
  "{% set ns = namespace(d={}) %}{% for i in range(40) %}{% set ns.d = {'a': ns.d, 'b': ns.d} %}{% endfor %}",
  "{% set ns = namespace(d='ab' * 4000000) %}",
  '{% set ns = namespace(d=7 ** 200000) %}',
  '{% set ns = namespace(d=range(99999) | list) %}',
  "{% set ns = namespace(d='a b\\n' * 99999) %}",
  '{% set ns = namespace(d=messages) %}',
  '{% set ns = namespace(d=0.1) %}',
]
const atoms = [
  'ns.d',
  'x',
  'y',
  'messages',
  'messages[0].content',
  'loop',
  'true',
  'none',
  '0',
  '-1',
  '3',
  '99999',
  '2 ** 70',
  '1e308',
  "''",
  "'a'",
  "'%s%s'",
  "'ab' * 999",
  '[]',
  '{}',
  '()',
  'undefined_name',
  'namespace',
  'range',
  'm',
]
const operators = ['+', '-', '*', '/', '//', '%', '**', '~', '==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'and', 'or']
const methods = [
  'replace',
  'split',
  'rsplit',
  'join',
  'format',
  'strip',
  'upper',
  'lower',
  'title',
  'swapcase',
  'capitalize',
  'splitlines',
  'center',
  'ljust',
  'rjust',
  'zfill',
  'find',
  'count',
  'index',
  'startswith',
  'endswith',
  'encode',
  'expandtabs',
  'partition',
  'translate',
  'items',
  'keys',
  'values',
  'get',
  'copy',
  'append',
  'extend',
  'insert',
  'pop',
  'update',
  'isdigit',
  'removeprefix',
  'bit_length',
  'format_map',
  'casefold',
  'maketrans',
  '__class__',
  '__init__',
  'mro',
  'constructor',
  'prototype',
]
const globals = ['range', 'dict', 'lipsum', 'cycler', 'joiner', 'namespace', 'strftime_now', 'raise_exception', 'm', 'caller', 'super']
const names = { filters: [...filters.keys()], tests: [...tests.keys()] }

/** A template by a hostile author: any statement and operation of the language, over growing values. */
export function hostileTemplate(chance: Chance): string {
  const body = Array.from({ length: 1 + chance.number(4) }, () => statement(chance, 3)).join('')
  return `${chance.pick(starts)}{% set x = ${expression(chance, 1)} %}{% set y = ns.d %}{% macro m(a, b=1) %}${statement(chance, 1)}{% endmacro %}${body}`
}

function statement(chance: Chance, depth: number): string {
  const inner = () => (depth <= 0 ? `{{ ${expression(chance, 2)} }}` : statement(chance, depth - 1))
  const value = () => expression(chance, 3)
  switch (chance.number(13)) {
    case 0:
      return `{% for a in ${value()} %}${inner()}{% endfor %}`
    case 1:
      return `{% for a in range(${chance.pick(['10', '99999'])}) %}{% set ns.d = ${value()} %}${inner()}{% endfor %}`
    case 2:
      return `{% for a in ${value()} recursive %}{{ loop(${chance.pick(['a', 'ns.d', '[a]'])}) }}${inner()}{% else %}${inner()}{% endfor %}`
    case 3:
      return `{% if ${value()} %}${inner()}{% else %}${inner()}{% endif %}`
    case 4:
      return `{% set x = ${value()} %}${inner()}`
    case 5:
      return `{% set y %}${inner()}{% endset %}${inner()}`
    case 6:
      return `{% filter ${chance.pick(names.filters)} %}${inner()}{% endfilter %}`
    case 7:
      return `{% call m(${value()}) %}${inner()}{% endcall %}`
    case 8:
      return `{% generation %}${inner()}{% endgeneration %}`
    case 9:
      return `{% for a, b in ${value()} if ${value()} %}${inner()}{% if loop.changed(a) %}{% break %}{% endif %}{% endfor %}`
    case 10:
      return `{% macro m(a, b=1) %}${inner()}{{ m(${value()}) }}{% endmacro %}{{ m(1) }}`
    default:
      return `{{ ${value()} }}`
  }
}

function expression(chance: Chance, depth: number): string {
  if (depth <= 0) return chance.pick(atoms)
  const part = () => expression(chance, depth - 1 - chance.number(2))
  const given = () => Array.from({ length: chance.number(3) }, part).join(', ')
  switch (chance.number(13)) {
    case 0:
    case 1:
      return `(${part()} ${chance.pick(operators)} ${part()})`
    case 2:
    case 3:
    case 4:
      return `(${part()} | ${chance.pick(names.filters)}${chance.once(2) ? `(${given()})` : ''})`
    case 5:
      return `(${part()}).${chance.pick(methods)}(${given()})`
    case 6:
      return `(${part()} is ${chance.pick(names.tests)}${chance.once(3) ? ` ${chance.pick(atoms)}` : ''})`
    case 7:
      return `(${part()})[${chance.pick(['0', '-1', '::2', '::-1', '1:', ':99', "'a'", `${part()}`])}]`
    case 8:
      return `[${part()}, ${part()}]`
    case 9:
      return `{${chance.pick(["'k'", '1', part()])}: ${part()}}`
    case 10:
      return `${chance.pick(globals)}(${chance.once(4) ? '*' : ''}${part()}${chance.once(4) ? `, **${part()}` : ''})`
    case 11:
      return `(${part()} if ${part()} else ${part()})`
    default:
      return `(${part()} | map(${chance.pick(["'upper'", "'list'", "attribute='a'", "'join', ns.d", "'replace', 'a', ns.d"])}) | list)`
  }
}
