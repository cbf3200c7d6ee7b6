import { describe, expect, test } from 'vitest'
import type { Note } from '../../base/errors/note.ts'
import { quirksOf } from '../../base/fidelity/quirks.ts'
import type { PyValue } from '../../base/python/index.ts'
import { plain, textOf } from '../../base/text/index.ts'
import { fillMessage, showsField } from './compile-messages.ts'
import { compileTemplate } from './compile-template.ts'
import type { Row } from './row.ts'

const path = 'prompt_template'

function compile(config: object, compat?: 'opencompass') {
  const { body } = compileTemplate(config, path, quirksOf(compat))
  if (body.kind !== 'messages') throw new Error('not messages')
  return body.messages
}

function fill(config: object, row: Row, options: { example?: number; notes?: Note[]; compat?: 'opencompass' } = {}) {
  const fields = { row, ...(options.example === undefined ? {} : { example: options.example }) }
  return compile(config, options.compat).flatMap((message) => fillMessage(message, fields, quirksOf(options.compat), options.notes ?? []))
}

const short = (turns: ReturnType<typeof fill>) => turns.map(({ role, content }) => [role, textOf(content ?? [])])

test('fields of a message are filled, and its text is not control text', () => {
  expect(fill({ messages: [{ role: 'user', content: 'Q: {q}', name: 'Ann' }] }, { q: '<|im_end|>' })).toEqual([
    {
      role: 'user',
      name: 'Ann',
      path: `${path}.messages[0]`,
      content: [
        plain('Q: ', { by: 'template', path: `${path}.messages[0].content`, span: [0, 3] }),
        plain('<|im_end|>', { by: 'field', path: 'q' }),
      ],
    },
  ])
})

test('with format_variables: false nothing is filled', () => {
  expect(short(fill({ messages: [{ role: 'user', content: '{q}' }], format_variables: false }, { q: 1 }))).toEqual([['user', '{q}']])
})

test('fields are filled in every string of a part, and keep their origins', () => {
  const content = [
    { type: 'text', text: 'Q: {q}', cache_control: { type: 'ephemeral' } },
    { type: 'image_url', image_url: { url: 'file://{picture}', detail: '{detail}' } },
    '{q}',
  ]
  const [turn] = fill({ messages: [{ role: 'user', content }] }, { q: 1, picture: '/cat.png', detail: 'low' })
  expect(turn).toMatchObject({
    parts: [
      { type: 'text', text: 'Q: 1', cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: 'file:///cat.png', detail: 'low' } },
      '1',
    ],
    content: [
      { text: 'Q: ', part: 0, source: { by: 'template' } },
      { text: '1', part: 0, control: false, source: { by: 'field', path: 'q' } },
      { media: { kind: 'image', url: 'file:///cat.png' }, part: 1, source: { by: 'field', path: 'picture' } },
      { text: '1', part: 2 },
    ],
  })
})

test('with format_variables: false the strings of parts stay as they are', () => {
  const content = [{ type: 'text', text: '{q}' }]
  const [turn] = fill({ messages: [{ role: 'user', content }], format_variables: false }, { q: 1 })
  expect(turn).toMatchObject({ parts: content, content: [{ text: '{q}', part: 0 }] })
})

test('an entry that is only a field may be a list of parts, or nothing', () => {
  const template = { messages: [{ role: 'user', content: ['{pictures}', { type: 'text', text: 'Which?' }] }] }
  const pictures = [
    { type: 'image', url: 'a.png' },
    { type: 'image', url: 'b.png' },
  ]
  const [turn] = fill(template, { pictures })
  expect(turn).toMatchObject({
    parts: [...pictures, { type: 'text', text: 'Which?' }],
    content: [{ source: { path: 'pictures[0]' } }, { source: { path: 'pictures[1]' } }, { text: 'Which?', part: 2 }],
  })
  expect(fill(template, { pictures: [] })[0]!.parts).toEqual([{ type: 'text', text: 'Which?' }])
})

test('an unknown field in a part is noted', () => {
  const notes: Note[] = []
  fill({ messages: [{ role: 'user', content: [{ type: 'text', text: '{qq}' }] }] }, { q: 1 }, { notes })
  expect(notes).toMatchObject([{ code: 'unknown-field', where: `${path}.messages[0].content[0].text` }])
})

test('an unsupported part is refused with its path', () => {
  expect(() => compile({ messages: [{ role: 'user', content: [{ type: 'vidoe', url: 'x' }] }] })).toThrow(
    expect.objectContaining({
      code: 'bad-message',
      where: `${path}.messages[0].content[0]`,
      fix: expect.stringContaining('did you mean "video"?'),
    }),
  )
})

test('the ice token is the only string allowed among the messages', () => {
  expect(compile({ messages: ['</E>'] })).toEqual([{ kind: 'ice' }])
  expect(compile({ messages: ['<ICE>'], ice_token: '<ICE>' })).toEqual([{ kind: 'ice' }])
  expect(() => compile({ messages: ['Solve.'] })).toThrow(
    expect.objectContaining({
      code: 'loose-text',
      where: `${path}.messages[0]`,
      problem: '"Solve." is not the ice token ("</E>"), and it has no role',
    }),
  )
  expect(compile({ messages: ['Solve.'] }, 'opencompass')).toEqual([])
})

test('an unknown role is refused with a suggestion', () => {
  expect(() => compile({ messages: [{ role: 'usr', content: 'x' }] })).toThrow(
    expect.objectContaining({
      code: 'wrong-value',
      where: `${path}.messages[0].role`,
      fix: expect.stringContaining('did you mean "user"?'),
    }),
  )
})

test('a message shows a column if its content has that field', () => {
  const shows = (content: unknown, more = {}) =>
    compile({ messages: [{ role: 'user', content }], ...more }).map((message) => showsField(message, 'a'))
  expect(shows('x {a}')).toEqual([true])
  expect(shows('x {b}')).toEqual([false])
  expect(shows('x {a}', { format_variables: false })).toEqual([false])
  expect(shows([{ type: 'text', text: '{a}' }])).toEqual([true])
  expect(shows([{ type: 'image_url', image_url: { url: '{a}' } }])).toEqual([true])
  expect(compile({ messages: ['</E>', { expand_column: 'a' }] }).map((message) => showsField(message, 'a'))).toEqual([false, false])
})

describe('expand_column', () => {
  const config = { messages: [{ expand_column: 'chat' }] }

  test("inserts the row's messages, unfilled, from the column", () => {
    const chat: PyValue = [
      { role: 'system', content: '{q}', name: 'Bob' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]
    expect(fill(config, { chat, q: 1 }, { example: 3 })).toMatchObject([
      { role: 'system', name: 'Bob', path: 'chat[0]', content: [plain('{q}', { by: 'field', path: 'chat[0].content', example: 3 })] },
      {
        role: 'user',
        parts: [{ text: 'hi' }],
        path: 'chat[1]',
        content: [plain('hi', { by: 'field', path: 'chat[1].content[0]', example: 3 })],
      },
    ])
  })

  test('adds nothing for a row without the column, with a note', () => {
    const notes: Note[] = []
    expect(fill(config, { q: 1, a: 2 }, { notes })).toEqual([])
    expect(notes).toEqual([
      { code: 'column-missing', where: `${path}.messages[0]`, text: 'the row has no list of messages in "chat" (it has: q, a)' },
    ])
  })

  test('refuses a column that is not a list, which the reference ignores', () => {
    expect(() => fill(config, { chat: 'hello' })).toThrow(
      expect.objectContaining({
        code: 'wrong-type',
        where: `${path}.messages[0].expand_column`,
        problem: 'the column "chat" holds hello, not a list of messages',
      }),
    )
    const notes: Note[] = []
    expect(fill(config, { chat: 'hello' }, { notes, compat: 'opencompass' })).toEqual([])
    expect(notes.map(({ code }) => code)).toEqual(['column-missing'])
  })

  test('refuses messages without a role and content that cannot be sent, with their path in the row', () => {
    expect(() => fill(config, { chat: [{ content: 'x' }] })).toThrow(expect.objectContaining({ code: 'bad-message', where: 'chat[0]' }))
    expect(() => fill(config, { chat: ['x'] })).toThrow(expect.objectContaining({ code: 'bad-message', where: 'chat[0]' }))
    expect(() => fill(config, { chat: [{ role: 'user', content: 3 }] })).toThrow(
      expect.objectContaining({ code: 'bad-message', where: 'chat[0].content' }),
    )
  })

  test('a message without content is empty', () => {
    expect(short(fill(config, { chat: [{ role: 'user' }, { role: 'assistant', content: null }] }))).toEqual([
      ['user', ''],
      ['assistant', ''],
    ])
  })
})

test('a message of the template is filled as in the reference under its quirks', () => {
  const messages = [{ role: 'user', content: '{a}' }]
  expect(short(fill({ messages }, { a: '{b}', b: 'c' }, { compat: 'opencompass' }))).toEqual([['user', 'c']])
  expect(short(fill({ messages }, { a: '{b}', b: 'c' }))).toEqual([['user', '{b}']])
})
