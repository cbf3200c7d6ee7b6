import { expect, test } from 'vitest'
import { compileChat } from '../../internal/compile.ts'
import { findSyntax, offeredSyntax, ReplyParser, type ReplySyntax } from '../index.ts'
import { parseExactReply } from '../parse/reply-parser.ts'
import { responseSyntax } from './index.ts'

const template = {
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    reasoning_content: { open: '<think>', close: '</think>' },
    content: { close: '<|im_end|>' },
    tool_calls: {
      open: '<tool_call>',
      close: '</tool_call>',
      content: 'json',
      repeats: true,
      transform: { type: 'function', function: '{content}' },
    },
  },
}
const syntax = responseSyntax(template)
const call = '<tool_call>{"name": "now", "arguments": {"zone": "UTC"}}</tool_call>'
const reply = `<think>\nHm.\n</think>\n\n Let me look. \n${call}\n${call} Done. <|im_end|>`

/** The reply and the texts of its events, with a reply cut at these places. */
function streamed(given: string, cuts: readonly number[], from: ReplySyntax = syntax) {
  const parser = new ReplyParser(from)
  const pieces = [...cuts, given.length].map((end, index) => given.slice(cuts[index - 1] ?? 0, end))
  const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
  const said = (type: 'text' | 'reasoning') => events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
  return { reply: parser.reply, text: said('text'), reasoning: said('reasoning'), events }
}

test("a model's own response template gives text, reasoning and calls, in order and with their places", () => {
  const { text, reasoning, calls, parts, problems } = parseExactReply(reply, syntax)
  expect({ text, reasoning, problems }).toEqual({ text: 'Let me look. \n\n Done.', reasoning: 'Hm.', problems: [] })
  expect(calls).toMatchObject([
    { kind: 'call', name: 'now', arguments: { zone: 'UTC' } },
    { kind: 'call', name: 'now' },
  ])
  expect(parts.map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'call', 'text', 'call', 'text'].filter((_, index) => index !== 3))
  expect(calls.map(({ at: [start, end] }) => reply.slice(start, end))).toEqual([call, call])
})

test('however the reply is cut, its parts and the texts of its events are the same', () => {
  const { events: _, ...whole } = streamed(reply, [])
  expect(whole.text).toBe(whole.reply.text)
  expect(whole.reasoning).toBe(whole.reply.reasoning)
  for (let cut = 1; cut < reply.length; cut++) {
    const { events: _, ...cutOnce } = streamed(reply, [cut])
    expect(cutOnce).toEqual(whole)
  }
  const { events: __, ...byCharacter } = streamed(reply, [...reply].map((_, index) => index).slice(1))
  expect(byCharacter).toEqual(whole)
})

test('what the prompt opened goes on, and its words are not part of the reply', () => {
  const parser = new ReplyParser(syntax, { prompt: '<|im_start|>assistant\n<think>\nSo' })
  parser.push(' be it.</think>Yes')
  parser.end()
  expect(parser.reply).toMatchObject({ reasoning: 'be it.', text: 'Yes' })
  expect(parseExactReply('never closed', syntax, { prompt: '<|im_start|>assistant\n<think>' }).parts).toMatchObject([
    { kind: 'reasoning', text: 'never closed', unterminated: true },
  ])
})

test('a malformed call, a cut call and an unknown tool are calls with what is wrong, and lose nothing else', () => {
  const broken = parseExactReply('Hi <tool_call>{"name": </tool_call> you <tool_call>{"name": "now"', syntax)
  expect(broken).toMatchObject({
    text: 'Hi  you',
    calls: [
      { kind: 'malformed', error: 'malformed', raw: '<tool_call>{"name": </tool_call>' },
      { kind: 'malformed', error: 'truncated', unterminated: true },
    ],
    problems: [{ problem: expect.stringContaining('cannot be used') }, {}],
  })
  const unknown = parseExactReply(call, syntax, { tools: [{ name: 'later', parameters: {} }] })
  expect(unknown.calls).toMatchObject([{ name: 'now', problems: [{ problem: expect.stringContaining('there is no tool "now"') }] }])
})

test('a call may come without arguments, and what is no call where calls are written is a malformed one', () => {
  expect(parseExactReply('<tool_call>{"name": "now"}</tool_call>', syntax).calls).toMatchObject([
    { kind: 'call', name: 'now', arguments: {} },
  ])
  for (const given of ['4', '{"arguments": {}}', '{"name": "now", "parameters": {"zone": "UTC"}}', '[{"name": "now"}, 4]']) {
    const { calls, problems } = parseExactReply(`<tool_call>${given}</tool_call>`, syntax)
    expect(calls).toMatchObject([{ kind: 'malformed', error: 'malformed', raw: `<tool_call>${given}</tool_call>` }])
    expect(problems).toMatchObject([{ problem: expect.stringContaining('it is no call') }])
  }
})

test('without tools, what looks like a call is text', () => {
  const { text, calls } = parseExactReply(`A ${call} B`, offeredSyntax(syntax, { functions: false, interpreter: false }))
  expect({ text, calls }).toEqual({ text: `A ${call} B`, calls: [] })
})

test('a field that is neither text nor reasoning nor calls is reported with its value', () => {
  const odd = responseSyntax({ start_anchor: 'A', fields: { content: {}, n: { open: '<n>', close: '</n>', content: 'int' } } })
  expect(parseExactReply('Four: <n>4</n>', odd)).toMatchObject({
    text: 'Four:',
    problems: [{ problem: 'the field n is neither text nor reasoning nor calls: 4', at: [6, 14] }],
  })
})

test('a prompt without the start anchor is reported, once', () => {
  expect(parseExactReply('Hi', syntax, { prompt: 'no turn here' }).problems).toMatchObject([
    { problem: expect.stringContaining('start anchor') },
  ])
})

test('told before derived: with a response template, calls are read by it and forced as derived', () => {
  const chat_template = `{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + (m.content or '') }}{% for c in m.tool_calls or [] %}{{ '<call>{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}</call>' }}{% endfor %}{{ '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`
  const { format } = compileChat({ chat_template })
  expect(findSyntax(format, syntax)).toMatchObject({
    how: 'response-template',
    syntax: { name: 'response_template', blocks: [{ open: ['<call>'] }], reader: syntax.reader },
  })
})
