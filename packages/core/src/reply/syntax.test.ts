import { describe, expect, test } from 'vitest'
import { PromptError } from '../base/errors/prompt-error.ts'
import { unmarkedCalls } from './families/plain-replies.ts'
import { replySyntax, replySyntaxes } from './families/reply-syntaxes.ts'
import { readCall } from './parse/call-in-progress.ts'
import { compileSyntax } from './parse/compile-syntax.ts'
import { readNameAndId } from './parse/read-block.ts'
import { openedInPrompt } from './parse/reply-parser.ts'
import { type Block, offeredSyntax, type ReplySyntax } from './syntax.ts'

const json = { name: 'name', arguments: ['arguments'] }
const code = { fence: 'none' } as const
const named = { separator: ':' }
const syntaxWith = (blocks: Block[], more: Partial<ReplySyntax> = {}): ReplySyntax => ({
  name: 'mine',
  ends: [],
  turns: [],
  blocks,
  ...more,
})

describe('only what a model was offered is read', () => {
  const both: Block = { open: ['<a>'], close: '</a>', json, code }
  const open: Block = { open: ['<b>'], json, code }
  const calls: Block = { open: ['<c>'], named }
  const program: Block = { open: ['<d>'], close: '</d>', code }
  const sections = [{ open: '<s>', close: '</s>' }]
  const offered = (functions: boolean, interpreter: boolean, blocks: Block[] = [both, open, calls, program]) =>
    offeredSyntax(syntaxWith(blocks, { sections, callsWithoutMarks: true }), { functions, interpreter })

  test('both', () => {
    expect(offered(true, true)).toEqual(syntaxWith([both, open, calls, program], { sections, callsWithoutMarks: true }))
  })
  test('functions alone', () => {
    expect(offered(true, false)).toEqual(
      syntaxWith([{ open: ['<a>'], close: '</a>', json }, { open: ['<b>'], json }, calls], { sections, callsWithoutMarks: true }),
    )
  })
  test('the interpreter alone', () => {
    expect(offered(false, true)).toEqual(
      syntaxWith([{ open: ['<a>'], close: '</a>', code }, { open: ['<b>'], code }, program], { sections: [] }),
    )
    expect(Object.keys(offered(false, true).blocks[1]!), 'no key without a value').toEqual(['open', 'code'])
  })
  test('neither', () => {
    expect(offered(false, false)).toEqual(syntaxWith([], { sections: [] }))
  })
  test('without sections there are none, and calls with marks stay so', () => {
    const { sections: none, ...rest } = offeredSyntax(syntaxWith([both]), { functions: true, interpreter: true })
    expect(none).toEqual([])
    expect(rest).not.toHaveProperty('callsWithoutMarks')
    expect(offeredSyntax(unmarkedCalls, { functions: true, interpreter: false })).toHaveProperty('callsWithoutMarks', true)
  })
})

describe('a syntax by its name', () => {
  test('its own name is the one it is found by', () => {
    for (const [name, syntax] of Object.entries(replySyntaxes)) expect([name, replySyntax(name)]).toEqual([syntax.name, syntax])
  })
  test.each([
    ['hermess', 'did you mean "hermes"?'],
    ['nothing like it', `use one of ${Object.keys(replySyntaxes).join(', ')}`],
    ['toString', `use one of ${Object.keys(replySyntaxes).join(', ')}`],
  ])('%s is none', (name, fix) => {
    expect(errorOf(() => replySyntax(name))).toMatchObject({
      code: 'unknown-syntax',
      where: 'syntax',
      problem: `there is no syntax "${name}"`,
      fix,
    })
  })
})

describe('a syntax that cannot be read', () => {
  const span = { open: '<t>', close: '</t>' }
  const cases: [string, ReplySyntax, RegExp][] = [
    ['an empty end', syntaxWith([], { ends: [''] }), /a mark is empty/],
    ['an empty opening mark', syntaxWith([{ open: [''], json }]), /a mark is empty/],
    ['an empty closing mark', syntaxWith([{ open: ['<a>'], close: '', json }]), /a mark is empty/],
    ['an empty mark of reasoning', syntaxWith([], { reasoning: [{ ...span, close: '' }] }), /a mark is empty/],
    ['an empty mark of a section', syntaxWith([], { sections: [{ ...span, open: '' }] }), /a mark is empty/],
    ['a block of nothing', syntaxWith([{ open: ['<a>', '<b>'] }]), /the block <a><b> does not say what it holds/],
    ['a block of two', syntaxWith([{ open: ['<a>'], named, code }]), /the block <a> holds both/],
    ['code without a mark', syntaxWith([{ open: [], code }]), /the block without a mark can only hold JSON/],
    ['code or JSON without a mark', syntaxWith([{ open: [], json, code }]), /the block without a mark can only hold JSON/],
    ['a named call without a mark', syntaxWith([{ open: [], json, named }]), /the block without a mark can only hold JSON/],
    [
      'two blocks without a mark',
      syntaxWith([
        { open: [], json },
        { open: [], json },
      ]),
      /two blocks have no mark/,
    ],
  ]
  test.each(cases)('%s', (_, syntax, problem) => {
    expect(errorOf(() => compileSyntax(syntax))).toMatchObject({
      code: 'bad-syntax',
      where: 'syntax "mine"',
      problem: expect.stringMatching(problem),
      fix: expect.stringMatching(/give|leave/),
    })
  })
  test.each<[string, ReplySyntax]>([
    ['a named call or JSON', syntaxWith([{ open: ['<a>'], json, named }])],
    ['JSON or code', syntaxWith([{ open: ['<a>'], json, code }])],
    [
      'one block without a mark',
      syntaxWith(
        [
          { open: [], json },
          { open: ['<a>'], code },
        ],
        { ends: ['<e>'], reasoning: [span], sections: [span] },
      ),
    ],
  ])('%s is fine', (_, syntax) => expect(compileSyntax(syntax).syntax).toBe(syntax))

  test('the block without a mark is known', () => {
    const bare: Block = { open: [], json }
    expect(compileSyntax(syntaxWith([{ open: ['<a>'], json }, bare])).bare).toBe(bare)
    expect(compileSyntax(syntaxWith([{ open: ['<a>'], json }])).bare).toBeUndefined()
  })

  test('it is prepared once', () => {
    const syntax = syntaxWith([{ open: ['<a>'], json }])
    expect(compileSyntax(syntax)).toBe(compileSyntax(syntax))
    expect(compileSyntax(syntax, () => true)).not.toBe(compileSyntax(syntax))
  })
})

describe('what the prompt has opened', () => {
  const syntax = syntaxWith([], { turns: ['<turn>', '<t>'], ends: ['<end>'] })
  test.each([
    ['', ''],
    ['all of it', 'all of it'],
    ['<turn>user<end><turn>bot ', 'bot '],
    ['<turn>user<end>', ''],
    ['<end>x<turn>y<t>z', 'z'],
    ['<t>x<turn>', ''],
    ['a<turn>', ''],
  ])('%s', (prompt, opened) => expect(openedInPrompt(prompt, syntax)).toBe(opened))
})

describe('the header of a call whose name precedes its arguments', () => {
  const plain = { separator: '[ARGS]', id: '[CALL_ID]' }
  const fenced = { separator: '<sep>', fenced: true } as const
  test.each([
    ['f[ARGS]', plain, { name: 'f', isFenced: false }],
    [' f ', plain, { name: 'f', isFenced: false }],
    ['f[CALL_ID]7[ARGS]', plain, { name: 'f', id: '7', isFenced: false }],
    ['f [CALL_ID] 7 [ARGS] ', plain, { name: 'f', id: '7', isFenced: false }],
    ['f[CALL_ID][ARGS]', plain, { name: 'f', isFenced: false }],
    ['[CALL_ID]7[ARGS]', plain, { error: 'no-name', problem: "'' is not a tool name" }],
    ['[ARGS]', plain, { error: 'no-name', problem: "'' is not a tool name" }],
    ['f g[ARGS]', plain, { error: 'no-name', problem: "'f g' is not a tool name" }],
    ['f[ARGS]x', plain, { error: 'malformed', problem: "expected '{' after [ARGS], found 'x'" }],
    ['f<sep>', fenced, { name: 'f', isFenced: false }],
    ['function<sep>f\n```json\n', fenced, { name: 'f', isFenced: true }],
    ['function<sep>f \n ```\n', fenced, { name: 'f', isFenced: true }],
    ['function<sep>f', fenced, { error: 'malformed', problem: "expected a name and a JSON fence, found 'f'" }],
    ['function<sep>f\n```python\n', fenced, { error: 'malformed', problem: "expected a name and a JSON fence, found 'f\n```python'" }],
    [`f[ARGS]${'x'.repeat(40)}`, plain, { error: 'malformed', problem: `expected '{' after [ARGS], found '${'x'.repeat(40)}'` }],
    [`f[ARGS]${'x'.repeat(41)}`, plain, { error: 'malformed', problem: `expected '{' after [ARGS], found '${'x'.repeat(40)}…'` }],
  ] as const)('%s', (header, body, expected) => expect(readNameAndId(header, body)).toEqual(expected))
})

describe('the object of a call', () => {
  const body = { name: 'name', arguments: ['parameters', 'arguments'], id: 'id' }
  test.each([
    ['{"name": "f"}', { name: 'f', arguments: {}, argumentsText: '{}' }],
    ['{"name": "f", "id": "7", "arguments": [1]}', { name: 'f', arguments: [1], argumentsText: '{}', id: '7' }],
    ['{"name": "f", "id": 7, "arguments": null}', { name: 'f', arguments: null, argumentsText: '{}' }],
    ['{"name": "f", "arguments": 1, "parameters": 2}', { name: 'f', arguments: 2, argumentsText: '{}' }],
    ['{"arguments": {}}', { error: 'no-name', problem: 'there is no "name"' }],
    ['{"name": ""}', { error: 'no-name', problem: '"name" is not a name: ""' }],
    ['{"name": null}', { error: 'no-name', problem: '"name" is not a name: null' }],
    [`{"name": [${'1,'.repeat(40)}1]}`, { error: 'no-name', problem: `"name" is not a name: [${'1, '.repeat(16)}1` }],
    ['[1]', { error: 'malformed', problem: 'expected a JSON object' }],
    ['{"name"', { error: 'malformed', problem: expect.stringMatching(/^not JSON: /) }],
  ])('%s', (raw, expected) => {
    expect(readCall(raw, body)).toEqual(expected)
  })
  test('an id is read only where the syntax has one', () => {
    expect(readCall('{"name": "f", "id": "7"}', { name: 'name', arguments: [] })).not.toHaveProperty('id')
  })
})

function errorOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
  return undefined
}
