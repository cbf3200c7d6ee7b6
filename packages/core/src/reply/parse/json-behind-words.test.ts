import { expect, test } from 'vitest'
import { parseExactReply, ReplyParser } from './reply-parser.ts'

// Calls without marks may follow text: there only the names of given tools distinguish them from quoted JSON.

const tools = [{ name: 'get_weather', parameters: { properties: { city: { type: 'string' } } } }]
const call = '{"name": "get_weather", "parameters": {"city": "Paris {"}}'
const listed = '[{"name": "get_weather", "arguments": {"city": "Paris"}}]'

/** However it is cut, the result is the same. */
function read(text: string, syntax: 'llama3' | 'xlam', hasTools = true) {
  const options = hasTools ? { tools } : {}
  const whole = parseExactReply(text, syntax, options)
  for (let size = 1; size < 8; size++) {
    const parser = new ReplyParser(syntax, options)
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size))
    parser.end()
    expect(parser.reply).toEqual(whole)
  }
  return { text: whole.text, calls: whole.calls.map((one) => (one.kind === 'call' ? one.name : one.kind)) }
}

test('a call of a given tool behind words is a call', () => {
  expect(read(`Let me look. ${call}`, 'llama3')).toEqual({ text: 'Let me look. ', calls: ['get_weather'] })
  expect(read(`First:\n${call}\nthen:\n${call}`, 'llama3')).toEqual({ text: 'First:\n\nthen:\n', calls: ['get_weather', 'get_weather'] })
  expect(read(`Sure.\n\n${listed} Done.`, 'xlam')).toEqual({ text: 'Sure.\n\nDone.', calls: ['get_weather'] })
})

test('a call of another tool, or without tools, is what the model says', () => {
  const other = call.replace('get_weather', 'get_time')
  expect(read(`Such as ${other}.`, 'llama3')).toEqual({ text: `Such as ${other}.`, calls: [] })
  expect(read(`Such as ${call}.`, 'llama3', false)).toEqual({ text: `Such as ${call}.`, calls: [] })
  expect(read(`Such as ${listed.replace('get_weather', 'x')}`, 'xlam').calls).toEqual([])
})

test('JSON and braces in words are words', () => {
  for (const text of [
    'So {"city": "Paris"} it is.',
    'x {',
    'a [',
    'int main() { return f("{"); }',
    'a[0] = {b: 1}; [ { ',
    '{{x}} [[1]]',
    'a {"name"',
  ])
    for (const syntax of ['llama3', 'xlam'] as const) expect(read(`Well, ${text}`, syntax)).toEqual({ text: `Well, ${text}`, calls: [] })
})

test('text with a brace is released immediately, not when the brace closes', () => {
  const parser = new ReplyParser('llama3', { tools })
  expect(
    parser
      .push('So f() { return')
      .map((event) => event.type === 'text' && event.text)
      .join(''),
  ).toBe('So f() { return')
})

test('a call behind words that is cut short is a broken call, not text', () => {
  expect(read(`Look: ${call.slice(0, -6)}`, 'llama3')).toEqual({ text: 'Look: ', calls: ['malformed'] })
})
