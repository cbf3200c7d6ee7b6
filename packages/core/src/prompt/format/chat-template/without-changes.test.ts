import { expect, test } from 'vitest'
import { withoutChanges } from './without-changes.ts'

test('statements that only mutate a list or dict are removed, with the same white-space control', () => {
  const cases: [source: string, rest: string][] = [
    ["a {% set _ = ns.ids.append('x%}' + id) %} b", 'a  b'],
    ['a {%- do seen.update({"k": 1}) -%} b', 'a {%- if true -%}{% endif %} b'],
    ['a {%- set _ = ids.pop() %} b', 'a {%- if true %}{% endif %} b'],
    ['{% set last = ids.pop() %}{{ last }}', '{% set last = ids.pop() %}{{ last }}'],
    ['{% set _ = ids.index(1) %}', '{% set _ = ids.index(1) %}'],
  ]
  for (const [source, rest] of cases) expect(withoutChanges(source)).toBe(rest)
})
