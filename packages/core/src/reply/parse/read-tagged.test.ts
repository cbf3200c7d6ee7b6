import { describe, expect, test } from 'vitest'
import type { SyntaxName } from '../families/reply-syntaxes.ts'
import type { ReplySyntax } from '../syntax.ts'
import { parseExactReply, ReplyParser } from './reply-parser.ts'

const properties = { a: { type: 'string' }, n: { type: 'integer' }, l: { type: 'array', items: { type: 'integer' } } }
const tools = ['f', 'g', 'x.h'].map((name) => ({ name, parameters: { type: 'object', properties } }))

/** Each call with its arguments, or its error; `…` if its closing mark is missing. */
function callsIn(text: string, syntax: SyntaxName | ReplySyntax = 'qwen3-coder') {
  const whole = parseExactReply(text, syntax, { tools })
  const parser = new ReplyParser(syntax, { tools })
  for (const character of text) parser.push(character)
  parser.end()
  expect(parser.reply).toEqual(whole)
  const { calls, problems, text: said } = whole
  const shown = calls.map((call) => {
    const end = call.unterminated ? '…' : ''
    if (call.kind === 'call') return `${call.name}${call.id === undefined ? '' : `#${call.id}`}${call.argumentsText}${end}`
    return call.kind === 'malformed' ? `${call.name ?? '?'}: ${call.error}: ${call.problem}${end}` : 'code'
  })
  return { shown, said, problems: problems.map(({ problem }) => problem) }
}

const cut = 'truncated: the call ends before its JSON does'
const value = (key: string, text: string) => `<parameter=${key}>\n${text}\n</parameter>`

describe('a call with tagged arguments', () => {
  test.each([
    ['without arguments', '<function=f></function>', ['f{}']],
    ['with white space between its marks', `<function= f >\n${value(' a ', 'x')}\n</function>`, ['f{"a": "x"}']],
    ['with values by their types', `<function=f>${value('a', '1')}${value('n', '1')}</function>`, ['f{"a": "1", "n": 1}']],
    ['whose padding is one line break on each side', `<function=f>${value('a', '\nx\n')}</function>`, ['f{"a": "\\nx\\n"}']],
    ['without padding', '<function=f><parameter=a>x</parameter></function>', ['f{"a": "x"}']],
    ['without a name', '<function= ></function>', ['?: no-name: the call has no name']],
    ['with JSON in place of arguments', '<function=f>{"a": "x", "n": 1}</function>', ['f{"a": "x", "n": 1}']],
    ['with JSON before arguments', `<function=f>{"a": "x"}${value('n', '2')}</function>`, ['f{"a": "x", "n": 2}']],
    [
      'with JSON after arguments',
      `<function=f>${value('n', '2')}{"a": "x"}</function>`,
      [`f: malformed: expected an argument, found '{"a": "x"}'`],
    ],
    ['with broken JSON', '<function=f>{"a": </function>', [`f: malformed: expected an argument, found '{"a":'`]],
    ['with a JSON list', '<function=f>[1]</function>', [`f: malformed: expected an argument, found '[1]'`]],
    [
      'with words among its arguments',
      `<function=f>junk${value('a', 'x')}</function>`,
      [`f: malformed: expected an argument, found 'junk'`],
    ],
    ['with long words', `<function=f>${'j'.repeat(50)}</function>`, [`f: malformed: expected an argument, found '${'j'.repeat(40)}'`]],
  ])('%s', (_, text, expected) => {
    expect(callsIn(text).shown).toEqual(expected)
  })

  test.each([
    ['is text with marks', '<![CDATA[a</param></function>b]]>', ['f{"a": "a</param></function>b"}']],
    ['keeps its white space, not that around it', ' <![CDATA[\n x ]]>\n', ['f{"a": "\\n x "}']],
    ['may be empty', '<![CDATA[]]>', ['f{"a": ""}']],
    ['counts only at the start of a value', 'see <![CDATA[x]]>', ['f{"a": "see <![CDATA[x]]>"}']],
    ['that does not end ends with its argument', '<![CDATA[x', ['f{"a": "<![CDATA[x"}']],
  ])('with a CDATA section, which %s', (_, written, expected) => {
    expect(callsIn(`<function name="f"><param name="a">${written}</param></function>`, 'minicpm5').shown).toEqual(expected)
  })

  test('with a CDATA section elsewhere has it as text', () => {
    expect(callsIn(`<function=f>${value('a', '<![CDATA[x]]>')}</function>`).shown).toEqual(['f{"a": "<![CDATA[x]]>"}'])
  })

  test('whose argument has no value loses it, which is reported', () => {
    expect(callsIn('<function=f><parameter=a</function>')).toMatchObject({
      shown: ['f{}'],
      problems: ['the argument a of f has no value'],
    })
    const glm = '<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value><arg_key>n</arg_key></tool_call>'
    expect(callsIn(glm, 'glm')).toMatchObject({ shown: ['f{"a": "x"}'], problems: ['the argument n of f has no value'] })
  })

  test('that is cut is usable if it lacks only closing marks', () => {
    expect(callsIn('<function=f>').shown).toEqual(['f{}…'])
    expect(callsIn(`<function=f>\n${value('a', 'x')}`).shown).toEqual(['f{"a": "x"}…'])
    expect(callsIn('<function=f').shown).toEqual([`?: ${cut}…`])
    expect(callsIn('<function=f><parameter=a').shown).toEqual([`f: ${cut}…`])
    expect(callsIn('<function=f><parameter=a>\nx').shown).toEqual([`f: ${cut}…`])
    expect(callsIn('<tool_call>f', 'glm').shown).toEqual(['f{}…'])
    expect(callsIn('<tool_call>', 'glm').shown).toEqual([`?: ${cut}…`])
  })

  test('ends at a mark of another call, of a section or of the turn', () => {
    expect(callsIn(`<function=f>${value('a', 'x')}\n<function=g></function>`).shown).toEqual(['f{"a": "x"}…', 'g{}'])
    expect(callsIn(`<tool_call><function=f>${value('a', 'x')}</tool_call>\nbye`)).toMatchObject({ shown: ['f{"a": "x"}…'], said: '\nbye' })
    expect(callsIn('<function=f><|im_end|>').shown).toEqual(['f{}…'])
    expect(callsIn(`<function=f>${value('a', 'x')}junk<|im_end|>`).shown).toEqual([`f: malformed: expected an argument, found 'junk'…`])
    expect(callsIn('<function=f<function=g></function>').shown).toEqual(['f{}…', 'g{}'])
  })

  test('may quote marks in a value, as long as the value closes', () => {
    expect(callsIn(`<function=f>${value('a', 'x <parameter=n> <|im_end|> </function>')}</function>`).shown).toEqual([
      'f{"a": "x <parameter=n> <|im_end|> </function>"}',
    ])
    expect(callsIn('<function=f><parameter=a>\nx\n</function>\nThen.')).toMatchObject({ shown: ['f{"a": "x"}'], said: '\nThen.' })
    expect(callsIn('<function=f><parameter=a>\nx<|im_end|>').shown).toEqual([`f: ${cut}…`])
    expect(callsIn(`<function=f><parameter=a>\nx\n${value('n', '3')}</function>`).shown).toEqual(['f{"a": "x", "n": 3}'])
  })
})

test('a declared type counts, whatever the schema says', () => {
  const invoke = (inner: string) => `<｜DSML｜invoke name="f">${inner}</｜DSML｜invoke>`
  const given = (key: string, attributes: string, text: string) =>
    `<｜DSML｜parameter name="${key}"${attributes}>${text}</｜DSML｜parameter>`
  const read = (...inner: string[]) => callsIn(invoke(inner.join('')), 'deepseek-dsml').shown[0]
  expect(read(given('n', ' string="true"', '1'), given('a', ' string="false"', '1'))).toBe('f{"n": "1", "a": 1}')
  expect(read(given('n', '', '1'), given('a', '', '1'))).toBe('f{"n": 1, "a": "1"}')
  // An attribute counts for one argument.
  expect(read(given('a', ' string="false"', '1'), given('a', '', '2'))).toBe('f{"a": 1, "a": "2"}')
  expect(read(given('a', ' string="false"', 'no JSON'))).toBe('f{"a": "no JSON"}')
  const kimi = '<|open|>call tool="f"<|sep|><|open|>argument key="n" type="string"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|>'
  expect(callsIn(kimi, 'kimi-k3').shown).toEqual(['f{"n": "1"}'])
})

test('names in attributes are unescaped, others are not', () => {
  const call = '<invoke name="a&amp;b"><parameter name="&lt;k&gt;&quot;&apos;&#39;">1</parameter></invoke>'
  expect(callsIn(call, 'minimax-m2').shown[0]).toBe(`a&b{"<k>\\"''": 1}`)
  expect(callsIn('<function=a&amp;b></function>').shown).toEqual(['a&amp;b{}'])
})

test('a namespace is dropped only if the tool was given without it', () => {
  const read = (name: string) => callsIn(`<atem:invoke name="${name}"></atem:invoke>`, 'muse-glimmer').shown
  expect(read('weather.f')).toEqual(['f{}'])
  expect(read('x.h')).toEqual(['x.h{}'])
  expect(read('weather.unknown')).toEqual(['weather.unknown{}'])
  expect(callsIn('<function=weather.f></function>').shown).toEqual(['weather.f{}'])
})

test('an id may precede the name, and a prefix', () => {
  const syntax: ReplySyntax = {
    name: 'ids',
    ends: [],
    turns: [],
    blocks: [
      {
        open: ['<do id="'],
        close: '</do>',
        tagged: { prefix: 'fn:', nameAfter: '" name="', nameEnd: '">', parameter: { open: '<k ', keyEnd: '>', close: '</k>', json: true } },
      },
    ],
  }
  expect(callsIn('<do id=" c1 " name="fn:f"><k a>"x"</k></do>', syntax).shown).toEqual(['f#c1{"a": "x"}'])
  expect(callsIn('<do id="f"></do>', syntax).shown).toEqual(['f{}'])
})

test('elements are arguments, and nested ones lists and objects', () => {
  const [open, close] = [']<]minimax[>[<', ']<]minimax[>[</']
  const element = (key: string, inner: string) => `${open}${key}>${inner}${close}${key}>`
  const call = (inner: string) => `${open}invoke name="f">${inner}${close}invoke>`
  expect(callsIn(call(element('a', '1') + element('l', element('item', '1') + element('item', '2'))), 'minimax-m3').shown).toEqual([
    'f{"a": "1", "l": [1, 2]}',
  ])
  expect(callsIn(call(`${open}a>x`), 'minimax-m3').shown[0]).toMatch(/^f: malformed: expected an argument, found/)
})

describe('ids of a call with tagged arguments', () => {
  const marks = ['<|im_end|>', '</parameter>', '<tool_call>']
  const tokens = {
    idOf: (token: string) => (marks.includes(token) ? 0x110000 + marks.indexOf(token) : undefined),
    decode: (ids: readonly number[]) => ids.map((id) => marks[id - 0x110000] ?? String.fromCodePoint(id)).join(''),
  }
  const typed = (text: string) => Array.from(text, (character) => character.codePointAt(0)!)
  const read = (...parts: (string | readonly [mark: string])[]) => {
    const ids = parts.flatMap((part) => (typeof part === 'string' ? typed(part) : [tokens.idOf(part[0])!]))
    const { calls, text } = parseExactReply(ids, 'qwen3-coder', { tools, tokens })
    return [...calls.map((call) => (call.kind === 'call' ? call.argumentsText : call.kind === 'malformed' && call.error)), text]
  }
  const open = '<function=f><parameter=a>\nx'

  test('a token that is a mark ends the call, even inside a value', () => {
    expect(read(open, ['<|im_end|>'], '\n</parameter></function>')).toEqual(['truncated', ''])
    expect(read(open, ['<tool_call>'], '<function=g></function>')).toEqual(['truncated', '{}', ''])
  })

  test('typed as characters, it is part of the value', () => {
    expect(read(open, '<|im_end|>\n</parameter></function> ok')).toEqual(['{"a": "x<|im_end|>"}', ' ok'])
  })

  test('a token that closes the value only closes the value', () => {
    expect(read(open, '\n', ['</parameter>'], '<parameter=n>\n1 <|im_end|>\n', ['</parameter>'], '</function>')).toEqual([
      '{"a": "x", "n": "1 <|im_end|>"}',
      '',
    ])
  })
})
