import { expect, test } from 'vitest'
import type { ReplySyntax } from '../syntax.ts'
import { ReplyParser } from './reply-parser.ts'

const rows = Array.from({ length: 200 }, (_, index) => ({ x: index, label: `point ${index} of "200"` }))
const long = JSON.stringify({ rows })

/** The events, with adjacent chunks joined, and the reply. */
function read(text: string, syntax: ConstructorParameters<typeof ReplyParser>[0], size: number) {
  const parser = new ReplyParser(syntax)
  const told: string[] = []
  let name = ''
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))
  for (const event of [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]) {
    if (event.type === 'text' && name === 'text') continue
    if (event.type === 'arguments' && name === 'arguments') told.push(`${told.pop()}${event.text}`)
    else told.push(event.type === 'arguments' ? event.text : event.type === 'call-name' ? `${event.type} ${event.name}` : event.type)
    name = event.type
  }
  return { told, reply: parser.reply }
}

const arrow: ReplySyntax = {
  name: 'arrow',
  ends: [],
  turns: [],
  blocks: [{ open: ['[CALL]'], close: '[DONE]', json: { name: 'tool', arguments: ['with', 'given'], id: 'id' } }],
}

const replies: [what: string, syntax: ConstructorParameters<typeof ReplyParser>[0], text: string][] = [
  ['a long call', 'hermes', `Now <tool_call>\n{"name": "plot", "arguments": ${long}}\n</tool_call> done`],
  ['arguments before the name', 'hermes', `<tool_call>{"arguments": ${long}, "name": "plot"}</tool_call>`],
  ['other members', 'hermes', `<tool_call>{"why": [1.0], "name": "plot", "arguments": {"a": "b"}, "x": {}}</tool_call>`],
  ['a name before its arguments', 'mistral', `[TOOL_CALLS]plot[ARGS]${long}`],
  ['a list', 'tool-calls-list', `<tool_calls>[{"name": "a", "arguments": ${long}}, {"name": "b", "arguments": {"c": "d"}}]</tool_calls>`],
  ['no marks', 'llama3', `{"name": "plot", "parameters": ${long}}`],
  ['no marks, and a member that no call has', 'llama3', `{"size": 1, "name": "plot", "parameters": {"a": "b"}}`],
  ['an id', arrow, '[CALL]{"id": "call-7", "tool": "plot", "with": {"rows": [[1], [2]]}}[DONE]'],
  ['both keys of arguments', arrow, '[CALL]{"tool": "plot", "given": {"a": 1}, "with": {"b": [2, 3]}}[DONE]'],
  ['two names', arrow, '[CALL]{"tool": "plot", "tool": "draw", "with": {"b": [2, 3]}}[DONE]'],
  ['a mark where a list could begin', arrow, '[CALL]{"tool": "plot", "with": [CALL]{"tool": "draw", "with": {"b": [2, 3]}}[DONE]'],
  ['a mark in a text', arrow, '[CALL]{"tool": "plot", "with": {"text": "so [DONE] it is"}}[DONE]'],
  ['text behind the call', arrow, '[CALL]{"tool": "plot", "with": {"text": "so it is"}} and more[DONE]'],
  [
    'a number that JavaScript would change',
    'hermes',
    '<tool_call>{"name": "plot", "arguments": {"x": 1.0, "n": 12345678901234567890}}</tool_call>',
  ],
  ['a call that is cut', 'hermes', `<tool_call>{"name": "plot", "arguments": ${long.slice(0, -20)}`],
]

test.each(replies)('%s: whole, it is what it is in pieces', (_, syntax, text) => {
  const whole = read(text, syntax, text.length)
  for (const size of [1, 7, 40, 5000]) expect(read(text, syntax, size), `pieces of ${size}`).toEqual(whole)
})
