import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { type ExactEvent, parseExactResponse, ResponseParser, readResponseTemplate } from './index.ts'

const hermes = {
  defaults: { role: 'assistant' },
  start_anchor: '<|im_start|>assistant\n',
  fields: {
    thinking: { open: '<think>', close_pattern: String.raw`</think>\s*` },
    content: { close_pattern: String.raw`<\|im_end\|>\s*|$` },
    tool_calls: {
      open_pattern: String.raw`\s*<tool_call>\s*`,
      close_pattern: String.raw`</tool_call>(?:\s*</calls>)?`,
      repeats: true,
      content: 'json',
      transform: { type: 'function', function: '{content}' },
    },
    note: { open: ['<n', '<note>'], close_pattern: String.raw`\n|(?!</x>)</`, repeats: true, content: 'kv-lines' },
    ahead: { open_pattern: '(?=#[a-z]*!)', close: '!' },
  },
}

function streamed(chunks: readonly string[], prefix = '') {
  const parser = new ResponseParser(hermes, { prefix })
  const events = [...parser.initialEvents, ...chunks.flatMap((chunk) => parser.feed(chunk))]
  const response = parser.finish()
  return { response, events: joined([...events, ...parser.finalEvents]) }
}

function joined(events: readonly ExactEvent[]): ExactEvent[] {
  const all: ExactEvent[] = []
  for (const event of events) {
    const last = all.at(-1)
    if (event.type === 'region_chunk' && last?.type === 'region_chunk') all[all.length - 1] = { ...last, text: last.text + event.text }
    else all.push(event)
  }
  return all
}

test('neither the message nor the events depend on where a reply is cut', () => {
  const piece = fc.constantFrom(
    ...[
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '</calls>',
      '<|im_end|>',
      '{"name": "f", "arguments": {}}',
      ' ',
      '\n',
      '<n',
      '<note>',
      '</',
      '</x>',
      '#',
      '!',
      '😀',
      'a:b',
      'x',
    ],
    ...['<', '|', '<|im_', 'ca', '"'],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 8 }), (pieces, cuts) => {
      const reply = pieces.join('')
      const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, reply.length)), reply.length])].sort((one, other) => one - other)
      const chunks = places.slice(1).map((end, index) => reply.slice(places[index], end))
      const whole = streamed([reply])
      expect(streamed(chunks)).toEqual(whole)
      expect(streamed([...Array(reply.length).keys()].map((at) => reply[at]!))).toEqual(whole)
    }),
    { numRuns: propertyRuns(2000) },
  )
})

test('a malformed call is a problem, and the rest of the message stays', () => {
  const { message, problems } = parseExactResponse('Sure.<tool_call>{"name": </tool_call><tool_call>{"name":"f"}</tool_call>', hermes, {
    prefix: '',
  })
  expect(message).toEqual({ role: 'assistant', content: 'Sure.', tool_calls: [{ type: 'function', function: { name: 'f' } }] })
  expect(problems).toMatchObject([{ kind: 'malformed', field: 'tool_calls', text: '{"name": ' }])
  expect(() => parseExactResponse('<tool_call>{</tool_call>', hermes, { prefix: '', compat: true })).toThrow(PromptError)
})

test('text between calls is one text; compat keeps the last part only', () => {
  const reply = 'One. <tool_call>{}</tool_call> Two.'
  expect(parseExactResponse(reply, hermes, { prefix: '' }).message).toMatchObject({ content: 'One. Two.' })
  expect(parseExactResponse(reply, hermes, { prefix: '', compat: true }).message).toMatchObject({ content: 'Two.' })
})

test('what the prompt began carries on in the reply', () => {
  const { response, events } = streamed(['still thinking</think>Done.'], 'user: hi<|im_start|>assistant\n<think>')
  expect(response.message).toEqual({ role: 'assistant', thinking: 'still thinking', content: 'Done.' })
  expect(events[0]).toEqual({ type: 'region_open', field: 'thinking' })
  expect(streamed(['Done.'], 'no anchor here').response.problems).toMatchObject([{ kind: 'no-anchor' }])
})

test('arguments get the types of their tools, and integers keep every digit', () => {
  const template = {
    start_anchor: 'A',
    fields: {
      content: {},
      tool_calls: {
        open_pattern: '<f (?P<name>[a-z]+)>',
        close: '</f>',
        repeats: true,
        content: 'xml-inline',
        content_args: { tag_pattern: '<(?P<key>[a-z]+)>(?P<value>.*?)</' },
        transform: { type: 'function', function: { name: '{name}', arguments: '{content}' } },
      },
    },
  }
  const tools = [
    {
      type: 'function',
      function: { name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'boolean' } } } },
    },
  ]
  const { message } = parseExactResponse('<f add><a>12345678901234567890</a><b>true</b><c>1</c></f>', template, { prefix: '', tools })
  expect(message).toEqual({
    tool_calls: [{ type: 'function', function: { name: 'add', arguments: { a: 12345678901234567890n, b: true, c: '1' } } }],
  })
  const cut = parseExactResponse('Hi <f add><a>1</a><b>tr', template, { prefix: '', tools })
  expect(cut.message).toEqual({ content: 'Hi' })
  expect(cut.problems).toMatchObject([{ kind: 'cut', field: 'tool_calls' }])
})

test('the defaults of a template are never changed', () => {
  const template = { defaults: { calls: [] }, start_anchor: 'A', fields: { calls: { open: '<', close: '>', repeats: true } } }
  expect(parseExactResponse('<1>', template, { prefix: '' }).message).toEqual({ calls: ['1'] })
  expect(parseExactResponse('<2>', template, { prefix: '' }).message).toEqual({ calls: ['2'] })
  expect(template.defaults.calls).toEqual([])
})

describe('hostile input is bounded', () => {
  // Of the processor: other programs run beside the tests.
  const milliseconds = (run: () => void) => {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
  const lookahead = {
    start_anchor: 'A',
    fields: { thinking: { open_pattern: String.raw`(?=[\s\S]*?</think>)`, close: '</think>' }, content: {} },
  }

  test.each([
    ['a megabyte of regions', hermes, '<tool_call>{}</tool_call>'.repeat(40_000)],
    ['a megabyte of blanks', hermes, ' '.repeat(1_000_000)],
    ['deep JSON', hermes, `<tool_call>${'['.repeat(500_000)}${']'.repeat(500_000)}</tool_call>`],
    ['a lookahead that never comes true', lookahead, 'a'.repeat(300_000)],
  ])('%s', (_, template, reply) => {
    expect(milliseconds(() => parseExactResponse(reply, template, { prefix: '' }))).toBeLessThan(5000)
    expect(
      milliseconds(() => {
        const parser = new ResponseParser(template, { prefix: '' })
        for (let at = 0; at < reply.length; at += 4) parser.feed(reply.slice(at, at + 4))
        parser.finish()
      }),
    ).toBeLessThan(20_000)
  })

  test('a reply that closes its text at every character is read once, and the parts are one text', () => {
    const text = 'ab '.repeat(65_000)
    let read = 0
    const template = readResponseTemplate({ start_anchor: 'A', fields: { content: { close_pattern: '' } } })
    const field = template.implicit
    if (field === undefined) throw new Error('the template has a field without marks')
    const readText = field.read
    field.read = (part) => {
      read += part.length
      return readText(part)
    }
    const { message } = parseExactResponse(text, template, { prefix: '' })
    expect((message as { content?: string }).content === text.trim()).toBe(true)
    expect(read).toBeLessThan(3 * text.length)
  })

  test('the pieces and marks of a reply share one budget, and the rest stays text', () => {
    const template = { start_anchor: 'A', fields: { content: {}, x: { open_pattern: String.raw`(?=(a+))(?=.*\1!)<`, close: '>' } } }
    const line = `${'a'.repeat(400)} `
    const parser = new ResponseParser(template, { prefix: '' })
    let text = ''
    for (let piece = 0; piece < 500; piece++) {
      for (const event of parser.feed(line)) if (event.type === 'region_chunk') text += event.text
    }
    const { message, problems } = parser.finish()
    expect(problems).toMatchObject([{ kind: 'budget' }])
    expect((message as { content?: string }).content === line.repeat(500).trim()).toBe(true)
    expect(line.repeat(500).startsWith(text)).toBe(true)
  })

  test('an anchor or a tag that takes too long is a problem of the reply, and no exception', () => {
    const slow = String.raw`(a*)(a*)(a*)\1\2\3!`
    const text = 'a'.repeat(3000)
    const anchored = { start_anchor_pattern: slow, fields: { content: {} } }
    expect(parseExactResponse('Hi', anchored, { prefix: text })).toEqual({
      message: { content: 'Hi' },
      problems: [expect.objectContaining({ kind: 'budget', problem: expect.stringContaining('anchor') })],
    })
    const tags = { content: 'xml-inline', content_args: { tag_pattern: `(?P<key>k)|${slow}` } }
    const tagged = { start_anchor: 'A', fields: { content: {}, x: { open: '<', close: '>', ...tags, repeats: true } } }
    for (const reply of [`Hi<${text}>`, `Hi<${text}`, `Hi${`<${text}>`.repeat(60)}`]) {
      const { message, problems } = parseExactResponse(reply, tagged, { prefix: '' })
      expect((message as { content?: string }).content?.slice(0, 2)).toBe('Hi')
      expect(problems[0]).toMatchObject({ kind: 'budget', field: 'x' })
    }
  })

  test('a name from a reply is data, never a prototype', () => {
    const template = { start_anchor: 'A', fields: { o: { open: '<', close: '>', content: 'kv-lines' } } }
    const { message } = parseExactResponse('<__proto__:polluted>', template, { prefix: '' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect([...(message as unknown as { o: Map<string, string> }).o]).toEqual([['__proto__', 'polluted']])
  })
})

test.each<[unknown, RegExp]>([
  [null, /must be an object/],
  [{ anchor: {}, outside: [], fields: [], defaults: {} }, /has unknown keys/],
  [{ start_anchor: 'A', fields: {} }, /response_template\.fields: must be an object with at least one field/],
  [{ start_anchor: 'A', fields: { x: { open_pattern: '(' } } }, /response_template\.fields\.x\.open_pattern: .*missing \) at position 1/],
  [{ start_anchor: 'A', fields: { x: { open: '<', content: 'yaml' } } }, /use one of bool, float/i],
  [{ type: 'object', 'x-regex': '.*', properties: {} }, /older response_schema/],
  [{ start_anchor: 'A', fields: { x: { open: '<', content: 'xml-inline' } } }, /tag_pattern/],
  [{ start_anchor: 'A', fields: { x: { open: '<', transform: 'a {content}' } } }, /mixes a placeholder/],
  [{ start_anchor: 'A', fields: { x: { open: '<', repeats: true } }, defaults: { x: 's' } }, /defaults\.x/],
])('a bad template %j is refused with its place', (template, message) => {
  expect(() => new ResponseParser(template as object, { prefix: '' })).toThrow(message)
})

test('a transform nested thousands of levels deep is refused, not followed', () => {
  const transform: unknown = JSON.parse(`${'['.repeat(5000)}"{content}"${']'.repeat(5000)}`)
  const template = { start_anchor: 'A:', fields: { content: { close: '<end>', transform } } }
  expect(() => new ResponseParser(template, { prefix: '' })).toThrow('is nested more than 100 levels deep')
})
