import { describe, expect, test } from 'vitest'
import { turnsAreLocal } from './local-turns.ts'

const loop = (body: string, list = 'messages') => `{% for m in ${list} %}${body}{% endfor %}`

describe('templates that write each message separately', () => {
  test.each([
    ['only the message', loop('<|{{ m.role }}|>{{ m.content | trim }}')],
    ['first and last', loop('{% if loop.first %}a{% elif not loop.last %}b{% endif %}')],
    [
      'even and odd',
      loop("{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('alternate') }}{% endif %}{{ m.content }}"),
    ],
    ['neighbours', loop('{{ m.content }}{% if messages[loop.index0 - 1].role == m.role or loop.nextitem is defined %}x{% endif %}')],
    [
      'all but the first',
      `{% set system = messages[0].content %}{% set rest = messages[1:] %}{{ system }}${loop('{{ m.content }}', 'rest')}`,
    ],
    ['a list or its rest', `{% set rest = messages[1:] if messages[0].role == 'system' else messages %}${loop('{{ m.content }}', 'rest')}`],
    ['a loop of its own inside', loop('{% for call in m.tool_calls %}{{ loop.index }} of {{ loop.length }}{% endfor %}')],
    ['a variable that is forgotten', loop('{% set role = m.role | upper %}{{ role }}')],
    ['a macro of what it is given', `{% macro say(m) %}{{ m.content }}{% endmacro %}${loop('{{ say(m) }}')}`],
    ['the last message', `${loop('{{ m.content }}')}{% if messages[-1].role == 'user' %}!{% endif %}`],
  ])('%s', (_, source) => expect(turnsAreLocal(source)).toBe(true))
})

describe('templates that do not, or that cannot be analysed', () => {
  test.each([
    ['the number of messages', `${loop('{{ m.content }}')}{{ messages | length }}`],
    ['counts', loop('{{ loop.index }}')],
    ['from the end', loop('{{ loop.revindex }}')],
    ['remembers', `{% set ns = namespace(n=0) %}${loop('{% set ns.n = ns.n + 1 %}{{ ns.n }}')}`],
    ['remembers in a macro', `{% set ns = namespace(n=0) %}{% macro f() %}{% set ns.n = 1 %}{% endmacro %}${loop('{{ f() }}')}`],
    ['takes turns', `{% set turn = cycler('a', 'b', 'c') %}${loop('{{ turn.next() }}')}`],
    ['takes some', `{% for m in messages if m.role == 'user' %}{{ m.content }}{% endfor %}`],
    ['looks for one', `{% for m in messages | reverse %}{{ m.content }}{% endfor %}`],
    ['a place that may be left out', loop('{{ messages[7].content }}')],
    ['stops', loop('{{ m.content }}{% break %}')],
    ['the loop as a whole', loop('{{ show(loop) }}')],
    ['its index by another name', loop('{% set i = loop.index0 %}{{ i % 3 }}')],
    ['every third', loop('{{ loop.index0 % 3 }}')],
    ['no loop', '{{ messages[0].content }}'],
    ['two loops', loop('{{ m.role }}') + loop('{{ m.content }}')],
    ['a macro that looks for itself', `{% macro f() %}{{ messages | length }}{% endmacro %}${loop('{{ f() }}')}`],
  ])('%s', (_, source) => expect(turnsAreLocal(source)).toBe(false))
})
