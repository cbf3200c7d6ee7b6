import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../../base/python/index.ts'
import type { SyntaxName } from '../families/reply-syntaxes.ts'
import type { ReplyCall } from '../reply.ts'
import type { ReplySyntax } from '../syntax.ts'
import { type ParseOptions, parseExactReply, ReplyParser } from './reply-parser.ts'

// cases/replies covers the meaning of replies. Here: reported problems, positions, and that no value is lost.

type Syntax = SyntaxName | ReplySyntax

/** Whole, and in chunks of several sizes: all must give the same reply. */
function read(text: string, syntax: Syntax, options: ParseOptions = {}) {
  const whole = parseExactReply(text, syntax, options)
  for (const size of [1, 2, 3, 5, 8]) {
    const parser = new ReplyParser(syntax, options)
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size))
    parser.end()
    expect(parser.reply, `in chunks of ${size}`).toEqual(whole)
  }
  return whole
}

const plugin = '<|action_start|><|plugin|>'
const interpreter = '<|action_start|><|interpreter|>'
const close = '<|action_end|>'

describe('calls that are reported when they are complete', () => {
  const block = (json: object): ReplySyntax => ({
    name: 'mine',
    ends: [],
    turns: [],
    blocks: [{ open: ['<call>'], close: '</call>', json: { name: 'name', arguments: ['arguments'], ...json } }],
  })
  const told = (text: string, syntax: ReplySyntax) => {
    const parser = new ReplyParser(syntax)
    return [...[...text].flatMap((character) => parser.push(character)), ...parser.end()].map((event) => event.type)
  }

  test('in a nested object', () => {
    const text = '<call>{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1.0}}}</call>'
    const syntax = block({ inside: 'function', id: 'id' })
    expect(read(text, syntax).calls).toMatchObject([{ kind: 'call', name: 'f', id: 'a', argumentsText: '{"x": 1.0}' }])
    expect(told(text, syntax)).toEqual(['call-name', 'arguments', 'call-end'])
    expect(read('<call>{"function": {"arguments": {}}}</call>', syntax).calls).toMatchObject([{ kind: 'malformed', error: 'no-name' }])
  })

  test('with arguments that are a text', () => {
    const syntax = block({ asText: true })
    const text = String.raw`<call>{"name": "f", "arguments": "{\"x\": \"a\\nb\"}"}</call>`
    expect(read(text, syntax).calls).toMatchObject([
      { kind: 'call', name: 'f', arguments: { x: 'a\nb' }, argumentsText: String.raw`{"x": "a\nb"}` },
    ])
    expect(told(text, syntax)).toEqual(['call-name', 'arguments', 'call-end'])
    expect(read('<call>{"name": "f", "arguments": ""}</call>', syntax).calls).toMatchObject([{ kind: 'call', arguments: {} }])
    expect(read('<call>{"name": "f", "arguments": {"x": 1}}</call>', syntax).calls).toMatchObject([{ kind: 'call', arguments: { x: 1 } }])
    expect(read('<call>{"name": "f", "arguments": "{"}</call>', syntax).calls).toMatchObject([{ kind: 'malformed', name: 'f' }])
  })
})

test('a value in place of a colon is ignored at any chunking', () => {
  const events = (size: number) => {
    const parser = new ReplyParser('hermes')
    const text = '<tool_call>{"name": "f", "arguments" "abcdef": {"x": 1}}</tool_call>'
    const told = []
    for (let at = 0; at < text.length; at += size) told.push(...parser.push(text.slice(at, at + size)))
    return [...told, ...parser.end()].flatMap((event) => (event.type === 'arguments' ? [event.text] : [])).join('')
  }
  expect(events(1)).toBe(events(1000))
})

describe('a problem says what is wrong and where', () => {
  /** Name, syntax, reply, and problems with the stretch of the reply that they speak of. */
  const cases: [string, Syntax, string, [problem: string, stretch: string][]][] = [
    ['nothing wrong', 'internlm2', `Hi${plugin}{"name": "f", "parameters": {}}${close} there`, []],
    ['text after the end', 'internlm2', 'Hi<|im_end|>\n Hello', [['the model went on after its turn had ended', '']]],
    ['white space after the end is none', 'internlm2', 'Hi<|im_end|> \n', []],
    ['an empty call', 'hermes', 'a<tool_call> </tool_call>b', [['a call cannot be used: the call is empty', '<tool_call> </tool_call>']]],
    [
      'no object',
      'hermes',
      'a<tool_call> xyz</tool_call>b',
      [["a call cannot be used: expected '{', found 'x'", '<tool_call> xyz</tool_call>']],
    ],
    [
      'a character beyond 16 bits is shown whole',
      'hermes',
      '<tool_call>😀</tool_call>',
      [["a call cannot be used: expected '{', found '😀'", '<tool_call>😀</tool_call>']],
    ],
    [
      'something behind the object',
      'hermes',
      '<tool_call>{"name": "f"} and</tool_call>b',
      [["the call of f cannot be used: expected </tool_call>, found 'a'", '<tool_call>{"name": "f"} and</tool_call>']],
    ],
    [
      'cut inside the object',
      'hermes',
      'a<tool_call>{"name": "f", "arguments": {"x"',
      [['the call of f cannot be used: the call ends before its JSON does', '<tool_call>{"name": "f", "arguments": {"x"']],
    ],
    ['cut behind the mark', 'hermes', 'a<tool_call>\n', [['a call cannot be used: the call ends before its JSON does', '<tool_call>\n']]],
    [
      'no name',
      'hermes',
      '<tool_call>{"arguments": {}}</tool_call>',
      [['a call cannot be used: there is no "name"', '<tool_call>{"arguments": {}}</tool_call>']],
    ],
    [
      'a name that is none',
      'hermes',
      '<tool_call>{"name": 5}</tool_call>',
      [['a call cannot be used: "name" is not a name: 5', '<tool_call>{"name": 5}</tool_call>']],
    ],
    ['a list that never closes', 'mistral', '[TOOL_CALLS][{"name": "f", "arguments": {}}, ', [['the list of calls is not closed', '']]],
    [
      'a list that the end of the turn closes',
      'mistral',
      '[TOOL_CALLS][{"name": "f", "arguments": {}}</s>',
      [['the list of calls is not closed', '']],
    ],
    [
      'something else in a list',
      'mistral',
      '[TOOL_CALLS][{"name": "f", "arguments": {}}, g]',
      [["a call cannot be used: expected a call, found 'g'", 'g]']],
    ],
    ['reasoning that never closes', 'think', '<think>\nHm', [['the reply ends before </think>', '']]],
    ['reasoning that the end of the turn closes', 'hermes', '<think>\nHm<|im_end|>', [['the reply ends before </think>', '']]],
    ['reasoning that never opened', 'think', 'Hm</think>So', [['</think> without <think>: was it opened in the prompt?', '</think>']]],
  ]
  test.each(cases)('%s', (_, syntax, text, expected) => {
    const { problems } = read(text, syntax)
    expect(problems.map(({ problem, at }) => [problem, text.slice(...at)])).toEqual(expected)
  })

  test('a position without length is where the parser stopped', () => {
    expect(read('Hi<|im_end|>\n Hello', 'internlm2').problems[0]!.at).toEqual([14, 14])
    expect(read('<think>\nHm', 'think').problems[0]!.at).toEqual([10, 10])
    expect(read('[TOOL_CALLS][{"name": "f", "arguments": {}}</s>', 'mistral').problems[0]!.at).toEqual([43, 43])
  })
})

describe('after a list of calls', () => {
  const bracketed: ReplySyntax = {
    name: 'bracketed',
    ends: [],
    turns: [],
    blocks: [{ open: ['<calls>'], close: '</calls>', json: { name: 'name', arguments: ['arguments'], list: true } }],
  }
  const list = '[{"name": "f", "arguments": {"x": 1}}, {"name": "g", "arguments": {}}]'

  test('the closing mark ends it', () => {
    const text = `a<calls>${list} </calls>b`
    const { calls, text: said, problems } = read(text, bracketed)
    expect({ names: names(calls), said, problems }).toEqual({ names: ['f', 'g'], said: 'ab', problems: [] })
  })

  test('anything else is a call that cannot be used, up to the mark', () => {
    const text = `<calls>${list} or </calls>b`
    const { calls, text: said } = read(text, bracketed)
    expect(calls.slice(2)).toEqual([
      {
        kind: 'malformed',
        error: 'trailing-text',
        raw: 'or ',
        problem: "expected </calls>, found 'o'",
        at: [text.indexOf('or'), text.length - 1],
      },
    ])
    expect(said).toBe('b')
  })

  test('without a closing mark, text follows', () => {
    const { calls, text } = read(`[TOOL_CALLS]${list} Done.`, 'mistral')
    expect({ names: names(calls), text }).toEqual({ names: ['f', 'g'], text: 'Done.' })
  })
})

describe('open blocks at the end are unterminated', () => {
  const cases: [string, Syntax, string, unknown[]][] = [
    ['a whole call', 'hermes', '<tool_call>{"name": "f"}', [{ kind: 'call', unterminated: true, at: [0, 24] }]],
    [
      'a whole call, and the end of the turn',
      'hermes',
      '<tool_call>{"name": "f"}<|im_end|>',
      [{ kind: 'call', unterminated: true, at: [0, 24] }],
    ],
    ['half a call', 'hermes', '<tool_call>{"name": "f"', [{ kind: 'malformed', error: 'truncated', name: 'f', unterminated: true }]],
    ['code', 'internlm2', `${interpreter}x = 1`, [{ kind: 'code', code: 'x = 1', unterminated: true }]],
    [
      'code in a fence',
      'internlm2',
      `${interpreter}\`\`\`python\nx = 1\n`,
      [{ kind: 'code', code: 'x = 1', language: 'python', unterminated: true }],
    ],
    ['no code yet', 'internlm2', `${interpreter}\n`, [{ kind: 'code', code: '', raw: '', unterminated: true }]],
    ['a refused call', 'internlm2', `${plugin}oops`, [{ kind: 'malformed', error: 'malformed', raw: 'oops', unterminated: true }]],
  ]
  test.each(cases)('%s', (_, syntax, text, expected) => expect(read(text, syntax).calls).toMatchObject(expected))

  test('what closes is not', () => {
    for (const body of [`${plugin}{"name": "f"}`, `${plugin}oops`, `${interpreter}x`, interpreter])
      for (const call of read(body + close, 'internlm2').calls) expect(call).not.toHaveProperty('unterminated')
  })
})

describe('arguments are read exactly', () => {
  const values = [
    ['a float stays one', '1.0'],
    ['even a negative one', '-2.0'],
    ['and zero', '0.0'],
    ['a fraction', '0.25'],
    ['fourteen digits', '12345678901234'],
    ['fifteen digits', '123456789012345'],
    ['an integer beyond 2^53', '9007199254740993'],
    ['and far beyond', '123456789012345678901234567890'],
    ['keys that look like integers keep their order', '{"10": 1, "9": 2, "b": 3, "1": 4}'],
    ['the same below a list', '[{"b": 1, "2": 2, "1": 3}]'],
    ['keys from 0 to 9', '{"z": 0, "0": 1, "y": 2, "9": 3}'],
    ['a key that JavaScript would swallow', '{"__proto__": 1, "a": 2}'],
    ['many numbers in a row', '[1, 2.0, 3, 4.5, 10.0, -1]'],
    ['a string of digits', '"1.0"'],
    ['brackets in strings', '{"a": "]}{[", "b": ["}"]}'],
    ['escapes in strings', '{"a\\"b": "\\\\", "c": "\\\\\\""}'],
    ['words', '[true, false, null]'],
    ['empty containers', '{"a": {}, "b": [], "c": ""}'],
  ]
  const syntaxes: [string, Syntax, (argumentsText: string) => string][] = [
    ['below a key', 'hermes', (given) => `<tool_call>{"name": "f", "arguments": ${given}}</tool_call>`],
    ['before the name', 'hermes', (given) => `<tool_call>{"arguments": ${given} , "name": "f"}</tool_call>`],
    [
      'behind a name',
      'deepseek',
      (given) => `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>${given}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
  ]
  for (const [where, syntax, replyOf] of syntaxes)
    test.each(values)(`${where}: %s`, (_, value) => {
      const given = `{"x": ${value}, "y": [${value}, {"z": ${value}}]}`
      const [call] = read(replyOf(given), syntax).calls
      expect(call).toMatchObject({ kind: 'call', name: 'f', argumentsText: given })
      if (call?.kind === 'call') expect(stringifyJson(call.arguments)).toBe(given)
    })

  test.each([
    ['1e2', '100.0'],
    ['1E2', '100.0'],
    ['[5e-1]', '[0.5]'],
    ['-0', '0'],
    ['-0.0', '-0.0'],
    ['{"\\u0031": 1, "a": 2, "0": 3}', '{"1": 1, "a": 2, "0": 3}'],
  ])('%s is %s', (value, expected) => {
    const [call] = read(`<tool_call>{"name": "f", "arguments": {"x": ${value}}}</tool_call>`, 'hermes').calls
    if (call?.kind !== 'call') throw new Error('no call')
    expect(stringifyJson(call.arguments)).toBe(`{"x": ${expected}}`)
  })

  test('a value that is not an object, and one that is missing', () => {
    for (const value of ['1.0', '"text"', 'null', '[1, 2]', 'true'])
      for (const behind of ['', ' ', '\n', ', "id": 1'])
        expect(read(`<tool_call>{"name": "f", "arguments": ${value}${behind}}</tool_call>`, 'hermes').calls).toMatchObject([
          { kind: 'call', argumentsText: value },
        ])
    expect(read('<tool_call>{"name": "f"}</tool_call>', 'hermes').calls).toMatchObject([
      { kind: 'call', arguments: {}, argumentsText: '{}' },
    ])
  })

  test('deep nesting', () => {
    for (const depth of [50, 99, 100, 101, 150]) {
      const given = `{"x": ${'['.repeat(depth)}1.0${']'.repeat(depth)}}`
      expect(read(`<tool_call>{"name": "f", "arguments": ${given}}</tool_call>`, 'hermes').calls).toMatchObject([
        { kind: 'call', argumentsText: given },
      ])
    }
  })
})

describe('code in fences', () => {
  const cases: [string, string, unknown][] = [
    ['the language is the first word of the fence', '```python title="a.py"\nx\n```', { code: 'x', language: 'python' }],
    ['a fence without a language', '```\nx\n```', { code: 'x' }],
    ['a fence of four ticks holds one of three', '````\n```\nx\n```\n````', { code: '```\nx\n```' }],
    ['ticks inside a line are code', '```\na = "```"\n```', { code: 'a = "```"' }],
    ['two ticks are not fence', '``\nx\n``', { code: '``\nx\n``' }],
    ['ticks behind text open no fence', 'See ```\nx\n```', { code: 'See ```\nx\n```' }],
    ['ticks with text behind them on their line are code', '```\nx\n``` y\n```', { code: 'x\n``` y' }],
    ['what stands before the fence is not code', 'Here:\n```py\nx\n```', { code: 'x', language: 'py' }],
    ['only the first fence is code', '```a\nx\n```\n```b\ny\n```', { code: 'x', language: 'a' }],
    ['an indented fence', 'Here:\n  ```py\nx\n  ```', { code: 'x', language: 'py' }],
    ['blank lines and indentation stay', '```\n\n  x\n\n\ty\n\n```', { code: '\n  x\n\n\ty\n' }],
    ['an empty fence', '```\n```', { code: '' }],
    ['ticks too few to close it, right before the mark', '```\nx\n  ``', { code: 'x\n  ``' }],
    ['a fence right before the mark', '```\nx```', { code: 'x' }],
    ['inline code is not a fence', '```x``` y', { code: '```x``` y' }],
    ['a mark in a fence is code', `\`\`\`\nprint("${close}")\n\`\`\``, { code: `print("${close}")` }],
  ]
  test.each(cases)('%s', (_, body, expected) => {
    const text = `Look.${interpreter}${body}${close}Done.`
    const { calls, text: said } = read(text, 'internlm2')
    expect(calls).toEqual([{ kind: 'code', raw: body, at: [5, text.length - 5], ...(expected as object) }])
    expect(said).toBe('Look.Done.')
  })
})

function names(calls: readonly ReplyCall[]): (string | undefined)[] {
  return calls.map((call) => (call.kind === 'call' ? call.name : undefined))
}

test('a call behind what might have been the head of a message is found however the reply is cut', () => {
  const text = ' to=fcommentary json{"name":"<atem:invoke name=""}'
  const callsOf = (pieces: readonly string[]) => {
    const parser = new ReplyParser('muse-glimmer')
    for (const piece of pieces) parser.push(piece)
    parser.end()
    return parser.reply.calls
  }
  const whole = callsOf([text])
  expect(whole).toMatchObject([{ kind: 'malformed', problem: 'the call has no name' }])
  for (let at = 1; at < text.length; at++) expect(callsOf([text.slice(0, at), text.slice(at)])).toEqual(whole)
  expect(callsOf([...text])).toEqual(whole)
})

test('what is wrong behind a separator of calls is reported with the separator', () => {
  const reply = '<tool_call>{};!'
  const [part] = read(reply, 'hermes').parts
  expect(part).toMatchObject({ kind: 'malformed', raw: '{};!', at: [0, reply.length] })
})
