import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { readLiteral } from '../../../../rolecall/src/python/syntax/literal.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictFromEntries, stringifyJson } from '../../base/python/index.ts'
import { pythonLiteral, readPythonCall } from './python-call.ts'

const scalars = [
  ...[
    "'a'",
    '"it\'s"',
    '"""x\n"y"""',
    "r'\\n'",
    "'\\x41\\u00e9\\q\\101'",
    "u'z'",
    "f'x'",
    "f'{{x}}'",
    "'a' 'b'",
    "'a\nb'",
    "b'x'",
    "f'{x}'",
  ],
  ...[
    '1',
    '0',
    '-1',
    '- 2',
    '+3',
    '07',
    '1_000',
    '0x1F',
    '0o17',
    '1.0',
    '1.5',
    '.5',
    '1.',
    '1e5',
    '-2.0',
    '12345678901234567890',
    '1j',
    '--1',
  ],
  ...[
    'True',
    'None',
    'x',
    'x.y',
    'set()',
    'f(1)',
    '1 + 2',
    'not 1',
    '...',
    "'a'[0]",
    '# c\n1',
    '\\\n1',
    '1,',
    '1, 2',
    '1\n2',
    ';',
    "'",
    ']',
  ],
]
const { text } = fc.letrec<{ text: string }>((tie) => {
  const some = fc.array(tie('text'), { maxLength: 3 })
  return {
    text: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...scalars),
      some.map((items) => `[${items.join(', ')}]`),
      some.map((items) => `(${items.join(' ,\n')})`),
      some.map((items) => `(${items.map((item) => `${item}, `).join('')})`),
      some.map((items) => `{${items.map((item, index) => `'k${index}': ${item}`).join(', # c\n')}}`),
      fc.tuple(tie('text'), fc.constantFrom(' ', ',', '\n', ';'), tie('text')).map((parts) => parts.join('')),
    ),
  }
})

function literalOr(read: () => unknown): unknown {
  try {
    return stringifyJson(read() as never)
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return 'malformed'
  }
}

test('reads the literals that the parser of Python reads, and no others', () => {
  fc.assert(
    fc.property(text, (literal) => {
      const value = readLiteral(literal)
      expect(literalOr(() => pythonLiteral(literal))).toBe(value === undefined ? 'malformed' : stringifyJson(value))
    }),
    { numRuns: propertyRuns(10_000) },
  )
})

test.each([
  ["f(a='x\ny', b=07)", 'f', { a: 'x\ny', b: 7 }],
  ['weather.get-today(a=(1, 2), b={1, 2, 1}, c=set())', 'weather.get-today', { a: [1, 2], b: [1, 2], c: [] }],
  ["f(\n  a=true,  # really\n  b={'k': null},\n);\n", 'f', { a: true, b: { k: null } }],
  ['f(城市="北京", class=1)', 'f', { 城市: '北京', class: 1 }],
  ['f(a=1, a=2)', 'f', { a: 2 }],
  [`f(a='${'x'.repeat(1_000_000)}')`, 'f', { a: 'x'.repeat(1_000_000) }],
  ["f(a={'2': 1, '1': 2})", 'f', { a: dictFromEntries([['2', 1], ['1', 2]]) }], // biome-ignore format: one line
])('a call in a reply: %.60s', (reply, name, given) => {
  expect(readPythonCall(reply)).toEqual({ name, given })
})

describe('what is wrong with a call', () => {
  test.each([
    ['f(a=1', 'a ")" is missing'],
    ["f(a='x", 'a string is not closed'],
    ["f(a='\\x4')", 'the string has an escape that cannot be read (truncated \\x escape)'],
    ['f(a=1 b=2)', 'an argument is not a plain value'],
    ['f(a==1)', 'an argument has no name: name=value is needed'],
    ["f(a={'x': 1, 2})", 'a dict has an entry without a key'],
    [`f(a=${'['.repeat(101)}`, 'it is nested more than 100 levels deep'],
  ])('%.30s: %s', (reply, problem) => {
    expect(() => readPythonCall(reply)).toThrow(expect.objectContaining({ problem }))
  })
})
