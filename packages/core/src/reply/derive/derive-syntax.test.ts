import { describe, expect, test } from 'vitest'
import { compileChat } from '../../prompt/compile/compile-chat.ts'
import { findSyntax } from '../find-syntax.ts'
import { parseExactReply, ReplyParser } from '../parse/reply-parser.ts'
import { deriveSyntax } from './derive-syntax.ts'

// Templates of fictitious families: their output is the only evidence.

const turns = (call: string, thought = '') =>
  `{% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}<@{{ m.role }}@>{% if m.role == 'assistant' %}${thought}{% endif %}{{ m.content }}${call}<@end@>{% endfor %}{% if add_generation_prompt %}<@assistant@>{% endif %}`
const calls = (before: string, each: string, after: string, between = '') =>
  `{% if m.tool_calls %}${before}{% for c in m.tool_calls %}${each}{% if not loop.last %}${between}{% endif %}{% endfor %}${after}{% endif %}`
const thought = '{% if m.reasoning_content %}<muse>{{ m.reasoning_content }}</muse>{% endif %}'
const parameters = (each: string) => `{% for k, v in c.function.arguments.items() %}${each}{% endfor %}`
const value = '{{ v if v is string else v | tojson }}'

const templates: Record<string, string> = {
  'JSON between marks': turns(
    calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}<@/call@>', ''),
  ),
  'a JSON list': turns(
    calls('<@calls@>[', '{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}', ']<@/calls@>', ', '),
    thought,
  ),
  'names as keys': turns(calls('<@calls@>[', '{"{{ c.function.name }}": {{ c.function.arguments | tojson }}}', ']<@/calls@>', ', ')),
  'a name before JSON': turns(
    calls('<@calls@>', '<@call@>{{ c.function.name }}<@with@>{{ c.function.arguments | tojson }}<@/call@>', '<@/calls@>'),
    thought,
  ),
  'tagged parameters': turns(
    calls('<@calls@>\n', `<do name="{{ c.function.name }}">\n${parameters(`<with name="{{ k }}">${value}</with>\n`)}</do>\n`, '<@/calls@>'),
    thought,
  ),
  'the whole list as clients send it': turns('{% if m.tool_calls %}<@calls@>{{ m.tool_calls | tojson }}<@/calls@>{% endif %}'),
  'each call as clients send it': turns(calls('', '<@call@>{{ c | tojson }}<@/call@>', '')),
  'arguments as text in JSON': turns(
    calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson | tojson }}}<@/call@>', ''),
  ),
  'values that are all JSON': turns(calls('', `<do>{{ c.function.name }}${parameters('<k>{{ k }}</k><v>{{ v | tojson }}</v>')}</do>`, '')),
  'values that are all JSON, by name': turns(
    calls('', `<do name="{{ c.function.name }}">${parameters('<with name="{{ k }}">{{ v | tojson }}</with>')}</do>`, ''),
  ),
  'an element for each argument': turns(
    calls(
      '<@calls@>',
      `<do><name>{{ c.function.name }}</name><given>${parameters(`<{{ k }}>${value}</{{ k }}>`)}</given></do>`,
      '<@/calls@>',
    ),
  ),
  'objects that nothing closes': turns(
    calls('<@calls@>', '{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}', '', ', '),
  ),
  'marks that do not look like any': turns(
    calls('', '§call§{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}§done§', ''),
    '{% if m.reasoning_content %}«{{ m.reasoning_content }}»{% endif %}',
  ),
  'an id before the name, as attributes': turns(
    calls('', `<do id="{{ c.id }}" name="{{ c.function.name }}">${parameters(`<with name="{{ k }}">${value}</with>`)}</do>`, ''),
  ),
  'an id behind the name, as attributes': turns(
    calls('', `<do name="{{ c.function.name }}" id="{{ c.id }}">${parameters(`<with name="{{ k }}">${value}</with>`)}</do>`, ''),
  ),
  'a type as an attribute': turns(
    calls(
      '',
      `<do tool="{{ c.function.name }}">\n${parameters(`<with name="{{ k }}" type="{{ 'string' if v is string else 'json' }}">${value}</with>\n`)}</do>`,
      '',
    ),
  ),
  'a list in a fence': turns(
    calls('```json\n[', '{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}', ']\n```', ', '),
  ),
  'a fence for each': turns(calls('', '```call\n{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}\n```\n', '')),
  'a call as a program has it': turns(
    calls(
      '<@calls@>',
      `{{ c.function.name }}(${parameters('{{ k }}={{ v | tojson }}{% if not loop.last %}, {% endif %}')})`,
      '<@/calls@>',
      '\n',
    ),
  ),
  'an id between marks': turns(
    calls('', '<@call@>{{ c.id }}<@name@>{{ c.function.name }}<@with@>{{ c.function.arguments | tojson }}<@/call@>', ''),
  ),
  'lines of a thought process': turns(
    calls('', '\nAction: {{ c.function.name }}\nAction Input: {{ c.function.arguments | tojson }}\n', ''),
  ),
  'arguments before the name': turns(
    calls('', '<@call@>{"kw": {{ c.function.arguments | tojson }}, "fn": "{{ c.function.name }}"}<@/call@>', ''),
  ),
  'calls before the words': turns('').replace(
    '{{ m.content }}',
    `${calls('', '<@call@>{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}<@/call@>', '')}{{ m.content }}`,
  ),
  'thoughts under a heading': turns(
    calls('', '<@call@>{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}<@/call@>', ''),
    '{% if m.reasoning_content %}«{{ m.reasoning_content }}\n### Answer\n{% endif %}',
  ),
  'texts in CDATA sections': turns(
    calls(
      '',
      `<do name="{{ c.function.name }}">${parameters(`<with name="{{ k }}">{% if v is string and ('<' in v or '&' in v or '\\n' in v) %}<![CDATA[{{ v }}]]>{% else %}${value}{% endif %}</with>`)}</do>`,
      '',
    ),
  ),
  'keys and values': turns(calls('', `<do>{{ c.function.name }}${parameters(`<k>{{ k }}</k><v>${value}</v>`)}</do>`, '')),
}

describe('an unknown template is analysed by its output', () => {
  for (const [name, source] of Object.entries(templates)) {
    test(name, () => {
      const { format } = compileChat({ chat_template: source })
      const { syntax, proven, unread, how, example } = findSyntax(format)
      expect({ unread, proven, how }).toEqual({ unread: [], proven: true, how: 'derived' })
      expect(syntax.reasoning?.[0]?.open).toBe(source.includes('<muse>') ? '<muse>' : source.includes('«') ? '«' : '<think>')
      expect(example).toContain('qzAlpha')
    })
  }
})

describe('templates with special input requirements', () => {
  const proof = (source: string) => {
    const { syntax, proven, unread, how } = findSyntax(compileChat({ chat_template: source }).format)
    return { syntax, told: { proven, unread, how } }
  }
  const told = { proven: true, unread: [], how: 'derived' }

  test('calls only as clients send them: no content, arguments as text', () => {
    const source =
      "{% for m in messages %}<@{{ m.role }}@>{% if m.content is none %}{% for c in m.tool_calls %}{{ '<@call@>' + c.function.name + '<@with@>' + c.function.arguments + '<@/call@>' }}{% endfor %}{% else %}{{ m.content }}{% endif %}<@end@>{% endfor %}{% if add_generation_prompt %}<@assistant@>{% endif %}"
    expect(proof(source).told).toEqual(told)
  })

  test('a thought that only the prompt opens, by words', () => {
    const source = turns(
      calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}<@/call@>', ''),
      '{% if m.reasoning_content %}{{ m.reasoning_content }}\n[THAT IS ALL]\n{% endif %}',
    ).replace('add_generation_prompt %}<@assistant@>', 'add_generation_prompt %}<@assistant@>Let me see:\n')
    const { syntax, told: found } = proof(source)
    expect(found).toEqual(told)
    expect(syntax.reasoning).toMatchObject([{ open: 'Let me see:', close: '[THAT IS ALL]' }])
    const reply = parseExactReply('Hm.\n[THAT IS ALL]\nYes.', syntax, { prompt: '<@user@>Sure?<@end@><@assistant@>Let me see:\n' })
    expect([reply.reasoning.trim(), reply.text.trim()]).toEqual(['Hm.', 'Yes.'])
  })

  test('a thought in a message that is not the text’s, of which the prompt opens the head', () => {
    const source = `{% for m in messages %}{% if m.reasoning_content %}<@muse@>{{ m.reasoning_content }}<@done@>{% endif %}<@{{ m.role }}@>{{ m.content }}${calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}<@/call@>', '')}<@end@>{% endfor %}{% if add_generation_prompt %}<@muse@>So:{% endif %}`
    const { syntax, told: found } = proof(source)
    expect(found).toEqual(told)
    expect(syntax.reasoning).toMatchObject([{ open: '<@muse@>', close: '<@done@>' }])
  })

  test('a thought that is written only where no call follows', () => {
    const source = turns(
      calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}<@/call@>', ''),
      '{% if m.reasoning_content and not m.tool_calls %}<@muse@>{{ m.reasoning_content }}<@done@><@say@>{% endif %}',
    )
    expect(proof(source).syntax.reasoning).toMatchObject([{ open: '<@muse@>', close: '<@done@>' }])
  })

  test('a thought after the mark that text has as well', () => {
    const source = turns(
      calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}<@/call@>', ''),
      '<@part@>{% if m.reasoning_content %}{{ m.reasoning_content }}<@over@>{% endif %}',
    )
    const { syntax } = proof(source)
    expect(syntax.reasoning).toMatchObject([{ open: '<@part@>', close: '<@over@>' }])
    expect(syntax.turns).toEqual(['<@assistant@>'])
  })

  test('a thought in the content, after the text that the template opened', () => {
    const source = `{% for m in messages %}<@{{ m.role }}@>{% if m.role == 'assistant' and loop.last and not m.tool_calls %}<think>\n{% endif %}{{ m.content }}${calls('<@calls@>[', '{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}', ']<@/calls@>', ', ')}<@end@>{% endfor %}{% if add_generation_prompt %}<@assistant@><think>\n{% endif %}`
    const { syntax, told: found } = proof(source)
    expect(found).toEqual(told)
    expect(syntax.reasoning).toMatchObject([{ open: '<think>', close: '</think>' }])
  })

  test('words and a call as a turn each', () => {
    const source = `{% for m in messages %}{% if m.content %}<@{{ m.role }}@>{{ m.content }}<@end@>{% endif %}{% if m.tool_calls %}<@{{ m.role }}@>${calls('<@calls@>[', '{"fn": "{{ c.function.name }}", "kw": {{ c.function.arguments | tojson }}}', ']<@/calls@>', ', ')}<@end@>{% endif %}{% endfor %}{% if add_generation_prompt %}<@assistant@>{% endif %}`
    expect(proof(source).told).toEqual(told)
  })

  test('one call at most', () => {
    const source = turns(
      calls('', '<@call@>{"tool": "{{ c.function.name }}", "input": {{ c.function.arguments | tojson }}}<@/call@>', ''),
    ).replace(
      '{% for m in messages %}',
      "{% for m in messages %}{% if m.tool_calls and m.tool_calls | length > 1 %}{{ raise_exception('one') }}{% endif %}",
    )
    expect(proof(source).told).toEqual(told)
  })
})

test('output that cannot be read back is listed', () => {
  const unquoted = turns(calls('<@calls@>', `{{ c.function.name }}(${parameters('{{ k }}={{ v }}, ')})`, '<@/calls@>'))
  const found = findSyntax(compileChat({ chat_template: unquoted }).format)
  expect(found.proven).toBe(false)
  expect(found.unread).toContain('quotes')
  expect(found.notes.join()).toContain('not read back as written')
})

test.each([
  ['an element named after the tool', `<{{ c.function.name }}>${parameters(`<{{ k }}>${value}</{{ k }}>`)}</{{ c.function.name }}>`],
  ['a line for each argument', `<call>\ntool: {{ c.function.name }}\n${parameters('{{ k }}: {{ v | tojson }}\n')}</call>`],
])('calls that cannot be told from text are told to be there: %s', (_, each) => {
  const { proven, notes, syntax } = findSyntax(compileChat({ chat_template: turns(calls('', each, '')) }).format)
  expect(proven).toBe(false)
  expect(notes.join()).toMatch(/^the format writes calls in a way that could not be found out/)
  expect(parseExactReply('So a < b and <b>c</b>.', syntax)).toMatchObject({ text: 'So a < b and <b>c</b>.', calls: [] })
})

test('a template that refuses calls is reported, with its reason', () => {
  const source = turns(calls('', "{{ raise_exception('no tools here') }}", ''))
  expect(findSyntax(compileChat({ chat_template: source }).format).notes.join()).toMatch(/refuses messages with calls \(.*no tools here/)
})

test('a template that mutates a list is probed without the mutation, with a note', () => {
  const chat_template = turns(
    `{% set ns = namespace(ids=[]) %}${calls('', '{% set _ = ns.ids.append(c.id) %}<@call@>{{ c.function.name }}<@with@>{{ c.function.arguments | tojson }}<@/call@>', '')}`,
  )
  const { proven, notes } = findSyntax(compileChat({ chat_template }).format)
  expect(proven).toBe(true)
  expect(notes[0]).toContain('changes a list in place')
})

test('texts that do not survive are listed exactly, if everything else does', () => {
  const each = `{{ c.function.name }}(${parameters("{{ k }}={% if v is string %}'{{ v }}'{% else %}{{ v }}{% endif %}{% if not loop.last %}, {% endif %}")})`
  const { proven, unread, notes } = findSyntax(compileChat({ chat_template: turns(calls('<@calls@>[', each, ']<@/calls@>', ', ')) }).format)
  expect({ proven, unread }).toEqual({ proven: false, unread: ['texts with a single quote', 'texts with a backslash'] })
  expect(notes[0]).toBe('proven except for what does not come back as written: texts with a single quote, texts with a backslash')
})

test('Python whose values are all texts is typed by the schema', () => {
  const each = `{{ c.function.name }}(${parameters('{{ k }}="{{ v }}"{% if not loop.last %}, {% endif %}')})`
  const { syntax, unread } = findSyntax(compileChat({ chat_template: turns(calls('[', each, ']', ', ')) }).format)
  expect(unread).toEqual(['texts with a double quote', 'texts with a backslash'])
  const tools = [{ name: 'f', parameters: { properties: { n: { type: 'integer' }, s: { type: 'string' }, o: { type: 'object' } } } }]
  const [call] = parseExactReply(`[f(n="3", s="3", o="{'a': [1]}", other="3")]`, syntax, { tools }).calls
  expect(call).toMatchObject({ arguments: { n: 3, s: '3', o: { a: [1] }, other: '3' } })
  expect(parseExactReply('<|python_start|>[f(n="3")]<|python_end|>', syntax, { tools })).toMatchObject({
    calls: [{ arguments: { n: 3 } }],
    text: '',
  })
})

test('an id before the name is read', () => {
  const { syntax } = findSyntax(compileChat({ chat_template: templates['an id before the name, as attributes']! }).format)
  const text = '<do id="call-7" name="f"><with name="n">3</with></do><@end@>'
  for (const pieces of [[text], [...text]]) {
    const parser = new ReplyParser(syntax)
    const told = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
    expect(parser.reply.calls).toMatchObject([{ kind: 'call', name: 'f', id: 'call-7', arguments: { n: 3 } }])
    expect(told.find(({ type }) => type === 'call-name')).toMatchObject({ name: 'f', id: 'call-7' })
  }
})

test('a derived syntax reads what a model writes, thoughts apart', () => {
  const { syntax } = deriveSyntax(compileChat({ chat_template: templates['tagged parameters']! }).format)!
  const reply = parseExactReply('<muse>Hm.</muse>Sure.<@calls@>\n<do name="f">\n<with name="n">3</with>\n</do>\n<@/calls@><@end@>', syntax)
  expect(reply).toMatchObject({ reasoning: 'Hm.', calls: [{ kind: 'call', name: 'f', arguments: { n: 3 } }] })
  expect(reply.text.trim()).toBe('Sure.')
})

test('thoughts of earlier turns are kept or dropped, and that is known', () => {
  expect(findSyntax(compileChat({ chat_template: templates['a JSON list']! }).format).history).toBe('keeps')
})
