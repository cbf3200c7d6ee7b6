import { describe, expect, test } from 'vitest'
import { compileChat } from '../../compile/compile-chat.ts'
import { compilePrompt } from '../../compile/compile-prompt.ts'

const called = {
  messages: [
    { role: 'user', content: 'Weather?' },
    {
      role: 'assistant',
      content: 'Let me look.',
      reasoning_content: 'A tool knows.',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: { city: 'Paris', days: 2 } } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'Sunny.' },
    { role: 'user', content: 'Thanks!' },
  ],
} as const

const lossesOf = (chat_template: string, chat: object = called) =>
  compileChat({ chat_template })
    .render(chat as never, { want: 'complete' })
    .notes.filter(({ code }) => code === 'text-left-out' || code === 'thoughts-left-out')
    .map(({ where, text }) => `${where}: ${/\((".*")\)/.exec(text)?.[1]}`)

const eachContent = '{% for m in messages %}{{ m.content }}{% endfor %}'

describe('a text that a chat template does not write is noted with its place', () => {
  test('reasoning, names and arguments of calls', () => {
    expect(lossesOf(eachContent)).toEqual([
      'messages[1].reasoning_content: "A tool knows."',
      'messages[1].tool_calls[0].function.name: "look"',
      'messages[1].tool_calls[0].function.arguments.city: "Paris"',
      'messages[1].tool_calls[0].function.arguments.days: "2"',
    ])
  })

  test('contents and results of tools', () => {
    const losses = lossesOf('{{ messages[0].content }}')
    expect(losses).toContain('messages[2].content: "Sunny."')
    expect(losses).toContain('messages[3].content: "Thanks!"')
  })

  test('a part of a text that is cut', () => {
    const chat = {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '<think>Hm.</think>Hello!' },
      ],
    }
    expect(lossesOf("{% for m in messages %}{{ m.content.split('</think>')[-1] }}{% endfor %}", chat)).toEqual([
      'messages[1].content: "<think>Hm.</think>"',
    ])
  })

  test('the texts of parts', () => {
    const chat = {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'Two' },
          ],
        },
      ],
    }
    expect(lossesOf('{{ messages[0].content[0].text }}', chat)).toEqual(['messages[0].content[1].text: "Two"'])
  })
})

describe('what is written is not noted', () => {
  test('as it is, trimmed, in capitals or as JSON', () => {
    const all =
      '{% for m in messages %}{{ m.content | trim | upper }}{{ m.reasoning_content }}{% for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}{% endfor %}'
    expect(lossesOf(all)).toEqual([])
  })

  test('marks that the template writes itself', () => {
    const chat = { messages: [{ role: 'assistant', content: '<think>Hm.</think>Hello!' }] }
    const template =
      "{% for m in messages %}{% set p = m.content.split('</think>') %}[{{ p[0].split('<think>')[-1] }}]{{ p[-1] }}{% endfor %}"
    expect(lossesOf(template, chat)).toEqual([])
  })
})

describe('a dataset', () => {
  const dataset = {
    abbr: 'sums',
    reader_cfg: { input_columns: ['q'], output_column: 'a' },
    infer_cfg: {
      ice_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: '{q}' },
            { role: 'BOT', prompt: '{a}' },
          ],
        },
      },
      prompt_template: {
        template: {
          begin: '</E>',
          round: [
            { role: 'HUMAN', prompt: '{q}' },
            { role: 'BOT', prompt: '{a}' },
          ],
        },
        ice_token: '</E>',
      },
    },
  }
  const last = { chat_template: '{{ messages[-1].content }}' }
  const question = { row: { q: '2+2', a: '4' }, examples: [{ q: '1+1', a: '2' }], mode: 'gen' } as const

  test('a lost example is an error', () => {
    expect(() => compilePrompt(last, dataset).render(question)).toThrow(expect.objectContaining({ code: 'text-left-out' }))
  })

  test('or a note, as the policy says, and under compat', () => {
    const codes = (maker: ReturnType<typeof compilePrompt>) => maker.render(question).prompt.notes.map(({ code }) => code)
    expect(codes(compilePrompt({ ...last, lost_text_policy: 'note' }, dataset))).toContain('text-left-out')
    expect(codes(compilePrompt(last, { ...dataset, compat: 'opencompass' }))).toContain('text-left-out')
  })

  test('any lost text is an error with lost_text_policy: error', () => {
    expect(() => compileChat({ chat_template: eachContent, lost_text_policy: 'error' }).render(called as never)).toThrow(
      expect.objectContaining({ code: 'text-left-out', where: 'messages[1].reasoning_content' }),
    )
  })
})

test('the name of a speaker, a refusal and a function_call that a template does not write are reported', () => {
  const plain = '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}'
  const messages = [
    { role: 'user', name: 'Ada', content: 'Hi' },
    { role: 'assistant', content: null, refusal: 'I will not.', function_call: { name: 'f', arguments: '{"a": 1}' } },
  ]
  const { notes } = compileChat({ chat_template: plain }).render({ messages }, { want: 'complete' })
  const left = notes.filter(({ code }) => code.endsWith('-left-out')).map(({ code, where }) => `${code} ${where}`)
  expect(left).toEqual([
    'name-left-out messages[0].name',
    'text-left-out messages[1].function_call.arguments',
    'text-left-out messages[1].refusal',
  ])
  const named = plain.replace('{{ m.role }}', '{{ m.name }}')
  expect(compileChat({ chat_template: named }).render({ messages: messages.slice(0, 1) }, { want: 'complete' }).notes).toEqual([])
})
