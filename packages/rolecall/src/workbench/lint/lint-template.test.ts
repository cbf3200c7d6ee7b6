import { expect, test } from 'vitest'
import { lintTemplate } from './lint-template.ts'

const turn = '<|{{ m.role }}|>{{ m.content | trim }}<|end|>'
const loop = (body: string) => `{% for m in messages %}\n${body}{% endfor %}`

test('a finding has a rule, severity, line and column, an example prompt, and a fix', () => {
  const { findings } = lintTemplate({ source: loop(turn), name: 'my.jinja' }, { only: ['text-trimmed'] })
  expect(findings).toEqual([
    {
      rule: 'text-trimmed',
      severity: 'note',
      subject: 'my.jinja',
      place: { kind: 'template', line: 2, column: 20, code: 'm.content | trim' },
      problem: 'whitespace around messages of the user, the system, the assistant is stripped',
      fix: expect.stringContaining('| trim'),
      shown: {
        of: expect.stringContaining('the user says'),
        text: '<|user|>qzOpen\n  middle  \n\nqzClose<|end|><|assistant|>qzAnswer<|end|><|user|>qzAgain<|end|>',
        mark: [8, 34],
      },
    },
  ])
})

test('the prefix-cache rule reports the characters, the code that writes them, and its condition', () => {
  const thought = '{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}'
  const source = loop(`<|{{ m.role }}|>${thought}{{ m.content }}<|end|>`)
  const [found] = lintTemplate({ source }, { only: ['prefix-cache'] }).findings
  expect(found).toMatchObject({ place: { line: 2, code: '<think>' } })
  expect(found?.problem).toContain('the reasoning of earlier turns is dropped')
  expect(found?.problem).toContain('if `m.reasoning_content and loop.last`')
})

test('a template that does not compile is one finding, at the error', () => {
  const { findings } = lintTemplate({ source: 'a\n{% for m in %}{% endfor %}' })
  expect(findings).toMatchObject([{ rule: 'broken', severity: 'error', place: { line: 2 } }])
})

test('a comment ignores rules in its template; they are counted', () => {
  const source = `{# rolecall-ignore text-trimmed #}${loop(turn)}`
  const { findings, ignored } = lintTemplate({ source })
  expect(ignored.map(({ rule }) => rule)).toEqual(['text-trimmed'])
  expect(findings.some(({ rule }) => rule === 'text-trimmed' || rule === 'ignore-comment')).toBe(false)
})

test('an ignore comment without effect is reported', () => {
  const problems = (comment: string) =>
    lintTemplate({ source: `${comment}${loop(turn)}` }, { only: ['ignore-comment', 'text-trimmed', 'broken'] }).findings.flatMap(
      ({ rule, problem }) => (rule === 'ignore-comment' ? [problem] : []),
    )
  expect(problems('{# rolecall-ignore text-trimed #}')).toEqual(['there is no rule "text-trimed"; did you mean "text-trimmed"?'])
  expect(problems('{#- rolecall-ignore broken, text-trimmed -#}')).toEqual(['the rule "broken" finds nothing here'])
  expect(problems('{# rolecall-ignore #}')).toEqual(['the comment names no rule'])
  expect(problems('{# rolecall-ignore system-dropped #}')).toEqual([])
})

test('settings change the severity of a rule or switch it off', () => {
  const linted = lintTemplate({ source: loop(turn) }, { rules: { 'text-trimmed': 'error', 'name-dropped': 'off' } })
  expect(linted.findings.find(({ rule }) => rule === 'text-trimmed')?.severity).toBe('error')
  expect(linted.findings.some(({ rule }) => rule === 'name-dropped')).toBe(false)
  expect(linted.ignored.map(({ rule }) => rule)).toEqual(['name-dropped'])
})

test('templates that accept only lists of parts, or only JSON strings as arguments, get those', () => {
  const parts = "{% for m in messages %}<|{{ m.role }}|>{% for p in m.content %}{{ p['text'] }}{% endfor %}<|end|>{% endfor %}"
  expect(lintTemplate({ source: parts }, { only: ['broken', 'system-dropped', 'text-altered'] }).findings).toEqual([])
  const text = "<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}{{ '<call>' + c.function.arguments }}{% endfor %}<|end|>"
  expect(lintTemplate({ source: loop(text) }, { only: ['calls-dropped', 'role-refused'] }).findings).toEqual([])
})

test('a clean chat template has only notes', () => {
  const source = `{% if tools %}<|tools|>{{ tools | tojson }}<|end|>{% endif %}{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant', 'tool'] %}{{ raise_exception('unknown role') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}<call>{"name": {{ c.function.name | tojson }}, "arguments": {{ c.function.arguments | tojson }}}</call>{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`
  const bad = lintTemplate({ source, tokens: { eos_token: '<|end|>' } }).findings.filter(({ severity }) => severity !== 'note')
  expect(bad).toEqual([])
})

test('a runaway template is not checked further, which is reported', () => {
  const bomb = `{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}${loop(turn)}`
  expect(lintTemplate({ source: bomb }).findings).toMatchObject([{ rule: 'broken', problem: expect.stringContaining('300,000 steps') }])
  const slow = loop('{% for a in range(100000) %}{% endfor %}{{ m.content }}')
  const { findings } = lintTemplate({ source: slow })
  expect(findings).toContainEqual(
    expect.objectContaining({ rule: 'fast-growth', severity: 'error', problem: expect.stringContaining('not checked further') }),
  )
})

test('arguments printed as a Python dict are badly formatted, not dropped', () => {
  const source = loop('<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function.arguments }}{% endfor %}<|end|>')
  const rules = lintTemplate({ source }, { only: ['calls-dropped', 'python-values'] }).findings.map(({ rule }) => rule)
  expect(rules).toEqual(['python-values'])
})
