import { describe, expect, test } from 'vitest'
import { compileChat } from '../../compile/compile-chat.ts'
import type { Chat, ChatMessage } from '../../conversation/chat-message.ts'
import { promptText } from '../prompt-text.ts'
import type { RolesSetting } from './roles-setting.ts'

const asked = '{% if add_generation_prompt %}<|assistant|>{% endif %}'
/** Writes every role anywhere, no tools. */
const everyRole = `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}${asked}`
/** Loses every role that it does not know. */
const threeRoles = `{% for m in messages if m.role in ['system', 'user', 'assistant'] %}<|{{ m.role }}|>{{ m.content }}{% endfor %}${asked}`
/** A system message first or not at all, then users and answers in turns. */
const inTurns = `{% set first = 1 if messages[0].role == 'system' else 0 %}{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('system first') }}{% endif %}{% if m.role not in ['system', 'user', 'assistant'] or (m.role != 'system' and (m.role == 'user') != ((loop.index0 - first) % 2 == 0)) %}{{ raise_exception('alternate') }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}${asked}`
/** No system message. */
const noSystem = `{% for m in messages %}{% if m.role not in ['user', 'assistant'] %}{{ raise_exception('no ' ~ m.role) }}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}${asked}`
/** Tools, calls and results, without ids. */
const withTools = `{% for t in tools or [] %}[{{ t.function.name }}: {{ t.function.description }}]{% endfor %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}[{{ c.function.name }} {{ c.function.arguments | tojson }}]{% endfor %}{% endfor %}${asked}`

const read = { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } }
const call = (id: string, path: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'read', arguments: JSON.stringify({ path }) },
})
const result = (id: string, content: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content })

const render = (chat_template: string, chat: Chat | readonly ChatMessage[], roles: RolesSetting = 'auto') => {
  const prompt = compileChat({ chat_template, roles }).render('messages' in chat ? chat : { messages: chat as readonly ChatMessage[] })
  return { text: promptText(prompt), steps: prompt.notes.map(({ code, where }) => `${code} ${where ?? ''}`.trim()), prompt }
}

describe('a developer message', () => {
  const chat = [
    { role: 'developer', content: 'D' },
    { role: 'user', content: 'U' },
  ]

  test('is written as such where the template writes it', () => {
    expect(render(everyRole, chat)).toMatchObject({ text: '<|developer|>D<|user|>U<|assistant|>', steps: [] })
  })

  test('is a system message where the template loses or refuses it', () => {
    const expected = { text: '<|system|>D<|user|>U<|assistant|>', steps: ['developer-as-system messages[0].role'] }
    expect(render(threeRoles, chat)).toMatchObject(expected)
    expect(render(inTurns, chat)).toMatchObject(expected)
  })

  test('stands before the user’s text where there is no system message', () => {
    expect(render(noSystem, chat).text).toBe('<|user|>D\n\nU<|assistant|>')
  })

  test('several are one system message if the template takes one', () => {
    const { text, steps } = render(inTurns, [{ role: 'system', content: 'S' }, ...chat])
    expect(text).toBe('<|system|>S\n\nD<|user|>U<|assistant|>')
    expect(steps).toEqual(['developer-as-system messages[1].role', 'system-joined messages[1]'])
  })

  test('keeps its origin', () => {
    const { prompt } = render(noSystem, chat)
    expect(prompt.kind === 'completion' && prompt.pieces.find((piece) => 'text' in piece && piece.text === 'D')).toMatchObject({
      control: false,
      source: { by: 'message', path: 'messages[0].content' },
    })
  })

  test('is refused or folded as the setting says, and passed on under strict', () => {
    expect(() => render(threeRoles, chat, { developer: 'error' })).toThrow(
      expect.objectContaining({ code: 'roles-refused', fix: expect.stringContaining('developer: "fold"') }),
    )
    expect(render(threeRoles, chat, { developer: 'fold' }).text).toBe('<|user|>D\n\nU<|assistant|>')
    expect(render(threeRoles, chat, 'strict')).toMatchObject({
      text: '<|user|>U<|assistant|>',
      steps: ['text-left-out messages[0].content'],
    })
  })
})

describe('a later system message', () => {
  const late = { role: 'system', content: 'L' }
  const user = (content: string) => ({ role: 'user', content })
  const answer = { role: 'assistant', content: 'A' }

  test('stays in its place where the template writes it', () => {
    expect(render(threeRoles, [user('U'), late, answer, user('V')]).text).toBe('<|user|>U<|system|>L<|assistant|>A<|user|>V<|assistant|>')
  })

  test('is part of the user turn beside it otherwise, so that the prompt grows at its end', () => {
    const first = render(inTurns, [user('U'), late])
    expect(first).toMatchObject({ text: '<|user|>U\n\n<system>\nL\n</system><|assistant|>', steps: ['role-folded messages[1]'] })
    expect(render(inTurns, [user('U'), late, answer, user('V')]).text).toBe(`${first.text}A<|user|>V<|assistant|>`)
    expect(render(inTurns, [user('U'), answer, late, user('V')]).text).toBe(
      '<|user|>U<|assistant|>A<|user|><system>\nL\n</system>\n\nV<|assistant|>',
    )
  })

  test('has the wrapper of the setting', () => {
    expect(render(inTurns, [user('U'), late], { wrapper: '({role}) {text}' }).text).toBe('<|user|>U\n\n(system) L<|assistant|>')
  })

  test('is refused if the setting says so', () => {
    expect(() => render(inTurns, [user('U'), late], { later_system: 'error' })).toThrow(
      expect.objectContaining({ where: 'messages[1].role' }),
    )
  })
})

describe('turns that a template does not take', () => {
  test('neighbours of one role are joined, and an empty user turn comes before an answer', () => {
    const { text, steps } = render(inTurns, [
      { role: 'assistant', content: 'A' },
      { role: 'user', content: 'U' },
      { role: 'user', content: 'V' },
    ])
    expect(text).toBe('<|user|><|assistant|>A<|user|>U\n\nV<|assistant|>')
    expect(steps).toEqual(['turn-inserted messages[0]', 'neighbours-merged messages[2]'])
  })

  test('an ordinary chat is written as under strict, without notes', () => {
    const chat = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
      { role: 'assistant', content: 'A' },
      { role: 'user', content: 'V' },
    ]
    for (const template of [everyRole, threeRoles, inTurns, withTools]) {
      const { text, steps } = render(template, chat)
      expect({ text, steps }).toEqual({ text: render(template, chat, 'strict').text, steps: [] })
    }
  })
})

describe('results of parallel calls', () => {
  const calling: ChatMessage = { role: 'assistant', content: '', tool_calls: [call('a', 'one'), call('b', 'two')] }
  const chat = (...after: ChatMessage[]): Chat => ({ messages: [{ role: 'user', content: 'U' }, calling, ...after], tools: [read] })
  const start = '[read: Reads a file.]<|user|>U<|assistant|>[read {"path": "one"}][read {"path": "two"}]'

  test('stand in the order of the calls where no ids are written', () => {
    expect(render(withTools, chat(result('b', 'TWO'), result('a', 'ONE')))).toMatchObject({
      text: `${start}<|tool|>ONE<|tool|>TWO<|assistant|>`,
      steps: expect.arrayContaining(['results-reordered messages[2]']),
    })
  })

  test('stay as they are where each has its id', () => {
    const withIds = withTools.replace(
      '{% for m in messages %}<|{{ m.role }}|>',
      '{% for m in messages %}<|{{ m.role }} {{ m.tool_call_id }}|>',
    )
    const { text, steps } = render(withIds, chat(result('b', 'TWO'), result('a', 'ONE')))
    expect(text).toContain('<|tool b|>TWO<|tool a|>ONE')
    expect(steps).not.toContain('results-reordered messages[2]')
  })

  test('a result whose earlier call has none says which call it answers', () => {
    expect(render(withTools, chat(result('b', 'TWO'))).text).toContain('<result_of_call_2>\nTWO\n</result_of_call_2>')
  })

  test('two results of one call are one, and a result without a call is the user’s', () => {
    const { text, steps } = render(withTools, chat(result('a', 'ONE'), result('a', 'MORE'), result('b', 'TWO'), result('c', 'LOST')))
    expect(text).toContain('<|tool|>ONE\n\nMORE<|tool|>TWO<|user|><tool_result>\nLOST\n</tool_result>')
    expect(steps).toEqual(expect.arrayContaining(['neighbours-merged messages[3]', 'role-folded messages[5]']))
  })

  test('a template that takes one call in a turn gets one after the other', () => {
    const single = withTools.replace(
      '{% for m in messages %}',
      "{% for m in messages %}{% if m.tool_calls and m.tool_calls | length > 1 %}{{ raise_exception('one call') }}{% endif %}",
    )
    expect(render(single, chat(result('b', 'TWO'), result('a', 'ONE')))).toMatchObject({
      text: '[read: Reads a file.]<|user|>U<|assistant|>[read {"path": "one"}]<|tool|>ONE<|assistant|>[read {"path": "two"}]<|tool|>TWO<|assistant|>',
      steps: expect.arrayContaining(['calls-split messages[1]']),
    })
  })
})

describe('call ids and arguments', () => {
  const long = 'call_0123456789abcdef0123456789abcdef'
  const chat: Chat = {
    messages: [{ role: 'user', content: 'U' }, { role: 'assistant', content: '', tool_calls: [call(long, 'one')] }, result(long, 'ONE')],
    tools: [read],
  }

  test('ids that the template refuses are replaced in calls and results, the same in every request', () => {
    const nine = withTools
      .replace(
        '{% for c in m.tool_calls or [] %}',
        "{% for c in m.tool_calls or [] %}{% if c.id | length != 9 %}{{ raise_exception('nine') }}{% endif %}{{ c.id }}",
      )
      .replace('{{ m.content }}', '{{ m.tool_call_id }}{{ m.content }}')
    const { text, steps } = render(nine, chat)
    const [, id] = /<\|assistant\|>(\w{9})\[read/.exec(text) ?? []
    expect(text).toContain(`<|tool|>${id}ONE`)
    expect(steps).toContain('call-ids-rewritten messages[1]')
    expect(render(nine, { ...chat, messages: [{ role: 'system', content: 'S' }, ...chat.messages] }).text).toContain(`<|tool|>${id}ONE`)
  })

  test('arguments are JSON text where the template adds them to texts', () => {
    const text = withTools.replace('{{ c.function.arguments | tojson }}', "{{ 'with ' + c.function.arguments }}")
    expect(render(text, chat).text).toContain('[read with {"path": "one"}]')
  })

  test('arguments that are not JSON become one argument where the template takes only an object', () => {
    const items = withTools.replace(
      '{{ c.function.arguments | tojson }}',
      '{% for k, v in c.function.arguments | items %}{{ k }}={{ v }}{% endfor %}',
    )
    const broken = { id: 'a', type: 'function' as const, function: { name: 'read', arguments: '{"path": ' } }
    const { text, steps } = render(items, {
      messages: [{ role: 'user', content: 'U' }, { role: 'assistant', content: '', tool_calls: [broken] }, result('a', 'R')],
      tools: [read],
    })
    expect(text).toContain('[read arguments={"path": ]')
    expect(steps).toContain('arguments-wrapped messages[1].tool_calls[0]')
  })
})

describe('tools that a template does not write', () => {
  const chat: Chat = {
    messages: [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
      { role: 'assistant', content: 'Look.', tool_calls: [call('a', 'one')] },
      result('a', 'ONE'),
    ],
    tools: [read],
  }

  test('are text: declarations, calls and results', () => {
    const { text, steps } = render(inTurns, chat)
    expect(text).toContain('<|system|>S\n\nYou can call these functions')
    expect(text).toContain('{"name": "read", "description": "Reads a file."')
    expect(text).toContain(
      '<|assistant|>Look.\n<tool_call>\n{"name": "read", "arguments": {"path": "one"}}\n</tool_call><|user|><tool_response name="read">\nONE\n</tool_response><|assistant|>',
    )
    expect(steps).toContain('tools-folded tools')
  })

  test('are refused if the setting says so', () => {
    expect(() => render(inTurns, chat, { tools: 'error' })).toThrow(expect.objectContaining({ code: 'roles-refused', where: 'tools[0]' }))
  })

  test('are text everywhere if the setting says so', () => {
    expect(render(withTools, chat, { tools: 'fold' }).text).toContain('<tool_response name="read">')
  })

  test('a description that the template does not write is reported', () => {
    const { steps } = render(withTools.replace(': {{ t.function.description }}', ''), { ...chat, tools: [read] }, { tools: 'native' })
    expect(steps).toContain('tool-text-left-out tools[0].description')
  })

  test('descriptions that the template does not write are reported for each tool', () => {
    const other = { ...read, name: 'write', description: 'Writes it all.' }
    const silent = withTools.replace(': {{ t.function.description }}', '')
    const { steps } = render(silent, { ...chat, tools: [read, other] }, { tools: 'native' })
    expect(steps).toEqual(expect.arrayContaining(['tool-text-left-out tools[0].description', 'tool-text-left-out tools[1].description']))
  })
})

describe('media', () => {
  const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
  const chat = [{ role: 'user', content: [{ type: 'text' as const, text: 'See' }, image] }]

  test('are a placeholder where the template takes only text, never their data', () => {
    const { text, steps } = render(everyRole, chat)
    expect(text).toBe('<|user|>See\n[image left out]<|assistant|>')
    expect(steps).toContain('media-replaced messages[0].content[1]')
  })

  test('are an error if the setting says so', () => {
    expect(() => render(everyRole, chat, { images: 'error' })).toThrow(expect.objectContaining({ code: 'part-not-written' }))
  })
})

test('copies of calls inside a part of text are not written', () => {
  const parts = [{ type: 'text' as const, text: 'T', tool_calls: [{ id: 'copy' }] }]
  const template = `{% for m in messages %}<|{{ m.role }}|>{% for p in m.content %}{{ p }}{% endfor %}{% endfor %}${asked}`
  expect(render(template, [{ role: 'user', content: parts }]).text).not.toContain('copy')
})

test('what no rung admits is refused with the words of the template', () => {
  const refuses = "{{ raise_exception('never') }}"
  expect(() => render(refuses, [{ role: 'developer', content: 'D' }])).toThrow(
    expect.objectContaining({ code: 'roles-refused', problem: expect.stringContaining('never') }),
  )
})

test('a template may change lists that it makes, which is noted, and not its input', () => {
  const appends = `{% set ns = namespace(ids=[]) %}{% for m in messages %}{% set _ = ns.ids.append(m.content) %}{% endfor %}{{ ns.ids | join('+') }}${asked}`
  const chat = [{ role: 'user', content: 'U' }]
  expect(render(appends, chat)).toMatchObject({ text: 'U<|assistant|>', steps: ['template-changes-lists'] })
  expect(() => render(appends, chat, 'strict')).toThrow(expect.objectContaining({ code: 'template-unsafe' }))
  expect(() => render(`{% set _ = messages.append(1) %}${appends}`, chat)).toThrow()
})
