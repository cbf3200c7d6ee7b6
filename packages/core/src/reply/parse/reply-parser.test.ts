import { describe, expect, test } from 'vitest'
import { processorTimer } from '../../../../../proof/testing/processor-timer.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { ReplySyntax } from '../syntax.ts'
import { ToolChecker } from '../tool-checker.ts'
import { parseExactReply, ReplyParser } from './reply-parser.ts'

// cases/replies covers the meaning of replies; any-chunking.test.ts, that chunking does not matter.

const call = '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Shanghai"}}<|action_end|>'

describe('events', () => {
  test('the name comes when it is complete, then the arguments as they are written', () => {
    const parser = new ReplyParser('internlm2')
    const pieces = [
      'Sure.<|action_',
      'start|><|plugin|>\n{"name": "get_',
      'weather", "parameters": {"ci',
      'ty": "Shanghai"}',
      '}<|action_end|>',
    ]
    expect(pieces.map((piece) => parser.push(piece))).toMatchObject([
      [{ type: 'text', text: 'Sure.' }],
      [],
      [
        { type: 'call-name', index: 0, name: 'get_weather' },
        { type: 'arguments', index: 0, text: '{"ci' },
      ],
      [{ type: 'arguments', index: 0, text: 'ty": "Shanghai"}' }],
      [{ type: 'call-end', index: 0, call: { kind: 'call', name: 'get_weather', arguments: { city: 'Shanghai' } } }],
    ])
    expect(parser.end()).toEqual([])
  })

  test('arguments that stand before the name wait for it', () => {
    const parser = new ReplyParser('hermes')
    expect(parser.push('<tool_call>{"arguments": {"a": 1}, ')).toEqual([])
    expect(parser.push('"name": "f"}')).toEqual([
      { type: 'call-name', index: 0, name: 'f' },
      { type: 'arguments', index: 0, text: '{"a": 1}' },
    ])
  })

  test('a preferred key that follows takes back the arguments of the other', () => {
    const parser = new ReplyParser('internlm2')
    const events = parser.push('<|action_start|><|plugin|>{"name": "f", "arguments": {"a": 1}, "parameters": {"b": 2}}<|action_end|>')
    expect(events.map((event) => event.type)).toEqual(['call-name', 'arguments', 'reset', 'arguments', 'call-end'])
  })

  test('fenced code comes line by line, without its fence', () => {
    const parser = new ReplyParser('internlm2')
    parser.push('<|action_start|><|interpreter|>\n```py')
    expect(parser.push('thon\nx = 1\n')).toEqual([{ type: 'code', index: 0, text: 'x = 1' }])
    expect(parser.push('print(x)\n``')).toEqual([{ type: 'code', index: 0, text: '\nprint(x)' }])
    expect(parser.push('`<|action_end|>')).toMatchObject([{ type: 'call-end', call: { kind: 'code', code: 'x = 1\nprint(x)' } }])
  })

  test('a malformed call is a problem and the end of a call, never text', () => {
    const parser = new ReplyParser('internlm2')
    const events = [...parser.push('<|action_start|><|plugin|>\nnot json<|action_end|>'), ...parser.end()]
    expect(events).toMatchObject([
      { type: 'problem' },
      { type: 'call-end', call: { kind: 'malformed', error: 'malformed', raw: 'not json' } },
    ])
  })

  test('a fence that swallowed the closing mark retracts its events', () => {
    const parser = new ReplyParser('internlm2')
    const events = [...parser.push('<|action_start|><|interpreter|>\n```python\nx = 1<|action_end|> Done.'), ...parser.end()]
    const told = events.flatMap((event) => (event.type === 'code' ? [event.text] : event.type === 'reset' ? ['reset'] : []))
    expect(told.join('')).toBe('x = 1<|action_end|> Done.resetx = 1')
    expect(parser.reply).toMatchObject({ text: ' Done.', calls: [{ kind: 'code', code: 'x = 1' }] })
  })
})

test('parts have their positions', () => {
  const reply = `Sure.${call} Done.`
  const { parts } = parseExactReply(reply, 'internlm2')
  expect(parts.map((part) => reply.slice(...part.at))).toEqual(['Sure.', call, ' Done.'])
})

test('many calls whose strings never close take linear time', () => {
  // Each would swallow the rest of the reply; reading the rest again for each of them would take minutes.
  const reply = '<|action_start|><|plugin|>{\\"<|action_end|>'.repeat(20_000)
  const elapsed = processorTimer()
  expect(parseExactReply(reply, 'internlm2').calls.length).toBe(20_000)
  expect(elapsed()).toBeLessThan(5_000)
})

describe('tools', () => {
  const tools = [
    {
      type: 'function',
      function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    },
    { name: 'now' },
  ]

  test('arguments that fit are not mentioned', () => {
    expect(parseExactReply(call, 'internlm2', { tools }).calls[0]).not.toHaveProperty('problems')
  })

  test('arguments that do not fit the schema say so', () => {
    const reply = call.replace('"Shanghai"', '5')
    expect(parseExactReply(reply, 'internlm2', { tools }).calls).toMatchObject([
      { kind: 'call', arguments: { city: 5 }, problems: [{ path: 'city', problem: 'expected a string, found 5' }] },
    ])
  })

  test('a tool that was not given is named with the nearest one', () => {
    const reply = call.replace('get_weather', 'getWeather')
    expect(parseExactReply(reply, 'internlm2', { tools }).calls).toMatchObject([
      { problems: [{ path: '', problem: 'there is no tool "getWeather": did you mean "get_weather"?' }] },
    ])
  })

  test('arguments must be an object, whatever the schema says', () => {
    const reply = call.replace('get_weather', 'now').replace('{"city": "Shanghai"}', '[1]')
    expect(parseExactReply(reply, 'internlm2', { tools }).calls).toMatchObject([
      { problems: [{ path: '', problem: 'expected an object, found [1]' }] },
    ])
  })
})

describe('calls without marks', () => {
  const call = (name: string) => `{"name": "${name}", "parameters": {}}`
  const read = (text: string) => {
    const { calls, text: said } = parseExactReply(text, 'llama3')
    return [calls.map((one) => (one.kind === 'call' ? one.name : one.kind)).join(), said]
  }
  test.each([
    [call('f'), 'f', ''],
    [`${call('f')}; ${call('g')}`, 'f,g', ''],
    [`${call('f')} ${call('g')}`, 'f,g', ''],
    [`${call('f')};; ${call('g')}`, 'f', `;; ${call('g')}`],
    [`${call('f')} ; and`, 'f', ' ; and'],
    [`${call('f')} ; {"a": 1}`, 'f', ' ; {"a": 1}'],
    [`${call('f')};`, 'f', ';'],
    [` \n${call('f')}`, 'f', ' \n'],
    [`So: ${call('f')}`, '', `So: ${call('f')}`],
    ['{"a": 1}', '', '{"a": 1}'],
    ['{"name": "f"}', '', '{"name": "f"}'],
    ['{"name": "f", "x": 1, "parameters": {}}', '', '{"name": "f", "x": 1, "parameters": {}}'],
    ['{"type": "function", "name": "f", "parameters": {}}', 'f', ''],
    ['{"parameters": {}, "name": "f"}<|eot_id|>', 'f', ''],
    ['{"name": "f", "parameters": {', 'malformed', ''],
    ['<|python_tag|>print(1)<|eom_id|>', 'code', ''],
    [`<|python_tag|>${call('f')}; ${call('g')}`, 'f,g', ''],
  ])('%s', (text, names, said) => expect(read(text)).toEqual([names, said]))
})

test('what the prompt began is where the reply goes on', () => {
  const read = (prompt: string, reply: string, syntax: 'hermes' | 'llama3' | 'internlm2' = 'hermes') => {
    const { text, reasoning, calls, parts } = parseExactReply(reply, syntax, { prompt })
    return { text, reasoning, calls: calls.map((one) => (one.kind === 'call' ? one.name : one.kind)), at: parts.map(({ at }) => at) }
  }
  expect(read('<|im_start|>assistant\n<think>\n', 'Hm</think>\nYes')).toEqual({
    text: 'Yes',
    reasoning: 'Hm',
    calls: [],
    at: [
      [0, 2],
      [11, 14],
    ],
  })
  expect(read('<|im_start|>assistant\nI think', ' so')).toEqual({ text: ' so', reasoning: '', calls: [], at: [[0, 3]] })
  expect(read('<|im_start|>assistant\n<tool_call>{"name": "f"', ', "arguments": {}}</tool_call>')).toEqual({
    text: '',
    reasoning: '',
    calls: ['f'],
    at: [[0, 30]],
  })
  expect(read('<|end_header_id|>\n\n{"na', 'me": 1}', 'llama3')).toEqual({ text: 'me": 1}', reasoning: '', calls: [], at: [[0, 7]] })
  expect(read('<|end_header_id|>{"name": "f", ', '"parameters": {}}', 'llama3')).toMatchObject({ text: '', calls: ['f'], at: [[0, 17]] })
})

test('a call that fits its tool has no problems to show', () => {
  const checker = new ToolChecker([{ name: 'f', parameters: { required: ['a'] } }])
  const call = { kind: 'call', name: 'f', arguments: { a: 1 }, argumentsText: '', at: [0, 1] } as const
  expect(checker.checked(call)).toBe(call)
  expect(checker.checked({ ...call, arguments: {} })).toMatchObject({ problems: [{ path: 'a', problem: 'is missing' }] })
  expect(checker.checked({ kind: 'code', code: '', raw: '', at: [0, 1] })).not.toHaveProperty('problems')
  expect(checker.problemsOf({ ...call, name: 'g' })).toEqual([{ path: '', problem: expect.stringMatching(/^there is no tool "g": /) }])
  expect(new ToolChecker([]).problemsOf(call)).toEqual([{ path: '', problem: 'there is no tool "f": no tools were given' }])
  expect(
    new ToolChecker([1, {}, { name: 5 }, { type: 'function', function: { name: 'a' } }, { name: 'b', input_schema: false }]).names,
  ).toEqual(['a', 'b'])
})

describe("the user's mistakes are errors", () => {
  const broken = (syntax: Partial<ReplySyntax>): ReplySyntax => ({ name: 'mine', ends: [], turns: [], blocks: [], ...syntax })
  const codeOf = (run: () => unknown) => {
    try {
      run()
    } catch (error) {
      return error instanceof PromptError ? error.code : error
    }
    return undefined
  }

  test('a syntax that does not exist', () => {
    expect(() => new ReplyParser('hermess' as 'hermes')).toThrow('Did you mean "hermes"?')
  })

  test('a syntax that cannot be read', () => {
    expect(codeOf(() => parseExactReply('', broken({ ends: [''] })))).toBe('bad-syntax')
    expect(codeOf(() => parseExactReply('', broken({ blocks: [{ open: ['<a>'] }] })))).toBe('bad-syntax')
    expect(codeOf(() => parseExactReply('', broken({ blocks: [{ open: [], code: { fence: 'none' } }] })))).toBe('bad-syntax')
    const json = { name: 'name', arguments: ['arguments'] }
    expect(
      codeOf(() =>
        parseExactReply(
          '',
          broken({
            blocks: [
              { open: [], json },
              { open: [], json },
            ],
          }),
        ),
      ),
    ).toBe('bad-syntax')
    expect(
      codeOf(() => parseExactReply('', broken({ blocks: [{ open: ['<a>'], named: { separator: ':' }, code: { fence: 'none' } }] }))),
    ).toBe('bad-syntax')
  })

  test('text after the end, and ids without a tokenizer', () => {
    const parser = new ReplyParser('hermes')
    expect(codeOf(() => parser.push([1, 2]))).toBe('no-tokenizer')
    expect(() => parser.push([1, 2])).toThrow(/push: token ids .* tokenizer\. Give \{ tokens/s)
    parser.end()
    expect(parser.end()).toEqual([])
    expect(codeOf(() => parser.push('more'))).toBe('reply-ended')
    expect(() => parser.push('more')).toThrow(/push: the reply has ended\. Make a new parser/)
  })
})

test('a syntax of one’s own is a value', () => {
  const mine: ReplySyntax = {
    name: 'mine',
    ends: ['<end>'],
    turns: [],
    blocks: [{ open: ['<call>'], close: '</call>', json: { name: 'tool', arguments: ['input'], id: 'ref' } }],
  }
  expect(parseExactReply('Hi <call>{"ref": "7", "tool": "now", "input": {}}</call><end>', mine)).toMatchObject({
    text: 'Hi ',
    calls: [{ kind: 'call', name: 'now', id: '7', arguments: {} }],
  })
})

test('a mark in a fence that closed stays code, although a later fence never closes', () => {
  const reply = '<|action_start|><|interpreter|>```\nprint("<|action_end|>")\n```\n```\nx<|action_end|>Done.'
  const { text, calls } = parseExactReply(reply, 'internlm2')
  expect(calls).toMatchObject([{ kind: 'code', code: 'print("<|action_end|>")' }])
  expect(text).toBe('Done.')
})
