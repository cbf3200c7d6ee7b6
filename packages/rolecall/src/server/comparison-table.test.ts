import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Answer, type Body, callOf, everyField, serverOf } from '../../../../proof/testing/asked-server.ts'

// What the table of docs/agents.md says of Rolecall, a test for each of its rows: a row without a test fails.

const page = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8')
const shapes = page
  .slice(page.indexOf('## What other servers do'))
  .split('\n')
  .filter((line) => /^\| (?!shape|---)/.test(line))
  .map((line) => line.split('|')[1]!.trim().replaceAll('`', ''))

/** Loses `developer`, writes no ids of calls; raises at a system message that is not the first. */
const strictTemplate = `{% for m in messages if m.role != 'developer' %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('System comes first') }}{% endif %}<|im_start|>{{ m.role }}
{{ m.content or '' }}{% for c in m.tool_calls or [] %}<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}<|im_end|>
{% endfor %}<|im_start|>assistant
`
const ask = (path: string, body: Body, template = everyField): Promise<Answer> =>
  serverOf('ok', { config: { chat_template: template, roles: 'auto' } })(path, body)
const chat = (messages: readonly Body[], template?: string) => ask('/v1/chat/completions', { messages }, template)
const respond = (input: readonly Body[], template?: string) => ask('/v1/responses', { input }, template)
const message = (messages: readonly Body[], more: Body = {}) =>
  ask('/v1/messages', { max_tokens: 9, messages, tools: [{ name: 'f', input_schema: { type: 'object' } }], ...more })
const use = (id: string, input: Body = {}) => ({ type: 'tool_use', id, name: 'f', input })
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content })
const user = (content: unknown) => ({ role: 'user', content })

/** Each word is in the prompt once, in this order. */
function expectWords({ status, prompt }: Answer, ...words: readonly string[]): void {
  expect(status).toBe(200)
  expect(words.map((word) => prompt.split(word).length - 1)).toEqual(words.map(() => 1))
  const places = words.map((word) => prompt.indexOf(word))
  expect(places).toEqual([...places].sort((one, other) => one - other))
}

const rows: Readonly<Record<string, () => Promise<void>>> = {
  async developer() {
    const messages = [{ role: 'developer', content: 'RULES' }, user('QUESTION')]
    const written = await chat(messages)
    expectWords(written, '<|im_start|>developer\nRULES', 'QUESTION')
    expect(written.problems).toEqual([])
    const converted = await chat(messages, strictTemplate)
    expectWords(converted, '<|im_start|>system\nRULES', 'QUESTION')
    expect(converted.problems).toEqual([expect.stringMatching(/developer/)])
  },

  async 'a late system message'() {
    const messages = [user('FIRST'), { role: 'assistant', content: 'ANSWER' }, { role: 'system', content: 'LATE' }, user('SECOND')]
    const written = await chat(messages)
    expectWords(written, 'FIRST', 'ANSWER', '<|im_start|>system\nLATE', 'SECOND')
    expect(written.problems).toEqual([])
    const folded = await chat(messages, strictTemplate)
    expectWords(folded, 'FIRST', 'ANSWER', 'LATE', 'SECOND')
    expect(folded.prompt).not.toContain('<|im_start|>system')
    expect(folded.problems).toEqual([expect.stringMatching(/system/)])
  },

  async 'parallel results out of order'() {
    const answer = await message([
      user('QUESTION'),
      { role: 'assistant', content: [use('one', { path: 'ONE' }), use('two', { path: 'TWO' })] },
      user([result('two', 'RESULT-2'), result('one', 'RESULT-1')]),
    ])
    expectWords(answer, 'ONE', 'TWO', 'RESULT-1', 'RESULT-2')
    expect(answer.problems).toEqual([expect.stringMatching(/order of the calls/)])
  },

  async 'text before a result'() {
    const answer = await message([
      user('QUESTION'),
      { role: 'assistant', content: [use('one')] },
      user([{ type: 'text', text: 'BEFORE' }, result('one', 'RESULT')]),
    ])
    expectWords(answer, 'QUESTION', 'BEFORE', 'RESULT')
  },

  async 'an image in a result'() {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const answer = await message([
      user('QUESTION'),
      { role: 'assistant', content: [use('one')] },
      user([
        result('one', [
          { type: 'text', text: 'SEEN' },
          { type: 'image', source },
        ]),
      ]),
    ])
    expectWords(answer, 'QUESTION', 'SEEN')
    expect(answer.prompt).not.toContain(source.data)
    expect(answer.problems).toEqual([expect.stringMatching(/image/)])
  },

  async 'tool_reference, unknown blocks'() {
    const tools = [
      { name: 'f', input_schema: { type: 'object' } },
      { name: 'later', description: 'DEFERRED', input_schema: { type: 'object' }, defer_loading: true },
    ]
    const messages = [
      user('QUESTION'),
      { role: 'assistant', content: [use('one')] },
      user([result('one', [{ type: 'tool_reference', tool_name: 'later' }]), { type: 'unheard_of', secret: 'X' }]),
    ]
    const answer = await message(messages, { tools })
    expectWords(answer, 'DEFERRED', 'QUESTION', 'The tool later is available now.')
    expect(answer.problems).toEqual([expect.stringMatching(/messages\[2\]\.content\[1\].*"unheard_of"/)])
  },

  async 'reasoning without content'() {
    const answer = await respond([
      user('QUESTION'),
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'SUMMARY' }], content: null, encrypted_content: 'SECRET' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'ANSWER' }] },
      user('NEXT'),
    ])
    expectWords(answer, 'QUESTION', 'SUMMARY', 'ANSWER', 'NEXT')
    expect(answer.prompt).not.toContain('SECRET')
  },

  async 'several text parts'() {
    const parts = (type: string) => ['FIRST', 'SECOND', 'THIRD'].map((text) => ({ type, text }))
    expectWords(await chat([user(parts('text'))]), 'FIRST', 'SECOND', 'THIRD')
    expectWords(await respond([user(parts('input_text'))]), 'FIRST', 'SECOND', 'THIRD')
    expectWords(await message([user(parts('text'))]), 'FIRST', 'SECOND', 'THIRD')
  },

  async 'custom, namespace, tool_search tools'() {
    const parameters = { type: 'object', properties: {} }
    const tools = [
      { type: 'custom', name: 'patch', description: 'EDITS' },
      {
        type: 'namespace',
        name: 'agents',
        description: '',
        tools: [{ type: 'function', name: 'spawn', description: 'STARTS', parameters }],
      },
      { type: 'tool_search', execution: 'client', description: 'SEARCHES', parameters },
    ]
    const called = async (name: string, given: object) => {
      const { body, prompt } = await serverOf(callOf(name, given))('/v1/responses', { input: 'Hi', tools })
      expect(['EDITS', 'STARTS', 'SEARCHES'].map((word) => prompt.split(word).length - 1)).toEqual([1, 1, 1])
      return body.output
    }
    expect(await called('patch', { input: 'x' })).toMatchObject([{ type: 'custom_tool_call', name: 'patch', input: 'x' }])
    expect(await called('spawn', {})).toMatchObject([{ type: 'function_call', name: 'spawn', namespace: 'agents' }])
    expect(await called('tool_search', { query: 'q' })).toMatchObject([{ type: 'tool_search_call', arguments: { query: 'q' } }])
  },

  async 'arguments that are not JSON'() {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{cut "TEXT' } }
    const messages = [
      user('QUESTION'),
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'RESULT' },
    ]
    const written = await chat(messages)
    expectWords(written, 'QUESTION', 'TEXT', 'RESULT')
    expect(written.problems).toEqual([])
    const needsObject = everyField.replace('call.function.arguments | tojson', 'call.function.arguments.items() | list | tojson')
    const wrapped = await chat(messages, needsObject)
    expectWords(wrapped, 'QUESTION', 'TEXT', 'RESULT')
    expect(wrapped.problems).toEqual([expect.stringMatching(/the arguments are not a JSON object/)])
  },

  async 'stored items, previous_response_id'() {
    const server = serverOf()
    const first = await server('/v1/responses', { input: 'FIRST' })
    const next = await server('/v1/responses', { input: 'SECOND', previous_response_id: first.body.id })
    expectWords(next, 'FIRST', 'SECOND')
    const item = await server('/v1/responses', { input: [{ type: 'item_reference', id: (first.body.output as Body[])[0]!.id }, user('X')] })
    expect(item.status).toBe(200)
    for (const unknown of [{ previous_response_id: 'resp_x', input: 'X' }, { input: [{ type: 'item_reference', id: 'msg_x' }] }])
      expect((await server('/v1/responses', unknown)).status).toBe(400)
  },

  async 'a template that raises'() {
    const raises = "line\n{% if messages %}{{ raise_exception('No chats today') }}{% endif %}"
    const { status, body } = await chat([user('QUESTION')], raises)
    expect([status, (body.error as Body).message]).toEqual([400, expect.stringMatching(/line 2.*No chats today|No chats today.*line 2/)])
  },
}

describe('what the table of docs/agents.md says of Rolecall:', () => {
  test('each of its rows is tried', () => expect(shapes).toEqual(Object.keys(rows)))
  for (const [shape, holds] of Object.entries(rows)) test(shape, holds)
})
