import { expect, test } from 'vitest'
import type { Note } from '../../../base/errors/note.ts'
import { control, plain, textOf } from '../../../base/text/index.ts'
import { joinNeighbours } from './join-neighbours.ts'
import type { Line } from './script.ts'
import type { Alternation } from './traits.ts'

const line = (role: string, text: string, given: Partial<Line> = {}): Line => ({
  role,
  content: [plain(text, { by: 'field', path: text })],
  path: text,
  ...given,
})
const newline: Alternation = { joint: { text: '\n', control: true } }
const join = (lines: readonly Line[], alternates: Alternation | undefined = newline, notes: Note[] = []) =>
  joinNeighbours(lines, { alternates, formatName: 'the format' }, notes)
const show = (lines: readonly Line[]) => lines.map(({ role, content }) => [role, textOf(content ?? [])])

test('consecutive turns of one role become one line, with the joint between them', () => {
  const lines = [line('user', 'a'), line('user', 'b'), line('user', ''), line('assistant', 'c'), line('user', 'd')]
  expect(show(join(lines))).toEqual([
    ['user', 'a\nb\n'],
    ['assistant', 'c'],
    ['user', 'd'],
  ])
})

test('the joint is the format’s, and the input is not changed', () => {
  const lines = [line('user', 'a'), line('user', 'b')]
  expect(join(lines)[0]!.content!.map((piece) => piece.source)).toEqual([
    { by: 'field', path: 'a' },
    { by: 'format', path: 'merge' },
    { by: 'field', path: 'b' },
  ])
  expect(lines).toEqual([line('user', 'a'), line('user', 'b')])
})

test('the joint belongs to an example if both lines do', () => {
  const joint = (first?: number, second?: number) => {
    const given = (example: number | undefined) => (example === undefined ? {} : { example })
    const [joined] = join([line('user', 'a', given(first)), line('user', 'b', given(second))])
    return { example: joined!.content![1]!.source.example, start: joined!.example, end: joined!.endExample }
  }
  expect(joint(1, 1)).toEqual({ example: 1, start: 1, end: 1 })
  expect(joint(1, 2)).toEqual({ example: undefined, start: 1, end: 2 })
  expect(joint(1)).toEqual({ example: undefined, start: 1, end: undefined })
})

test('the dataset’s text between two turns replaces the joint, its text around both stays', () => {
  const affix = (text: string) => [control(text, { by: 'template', path: text })]
  const first = line('user', 'a', { begin: affix('<'), end: affix('>') })
  const [joined] = join([first, line('user', 'b', { end: affix('!') })])
  expect([textOf(joined!.begin!), textOf(joined!.content!), textOf(joined!.end!)]).toEqual(['<', 'a>b', '!'])
})

test('a joined answer stays an answer', () => {
  expect(join([line('assistant', 'a', { answer: true }), line('assistant', 'b')])[0]).toMatchObject({ answer: true })
})

test('calls and null replies are not joined, since they would be lost', () => {
  const calls = [{ name: 'f', arguments: {}, path: 'c' }]
  const message = { role: 'assistant', content: 'b' }
  expect(join([line('assistant', 'a'), line('assistant', 'b', { message, calls })])).toHaveLength(2)
  expect(join([line('assistant', 'a'), line('assistant', 'b', { message })])).toHaveLength(1)
  expect(join([line('assistant', 'a'), line('assistant', '', { message: { role: 'assistant', content: null } })])).toHaveLength(2)
})

test('a format may require only some roles to alternate; joining is noted, or an error', () => {
  const lines = [line('user', 'a'), line('user', 'b'), line('tool', 'c'), line('tool', 'd')]
  const notes: Note[] = []
  expect(show(join(lines, { ...newline, roles: ['user'], policy: 'note' }, notes)).map(([role]) => role)).toEqual(['user', 'tool', 'tool'])
  expect(notes).toMatchObject([{ code: 'neighbours-merged', where: 'b' }])
  expect(() => join(lines, { ...newline, policy: 'error' })).toThrow(expect.objectContaining({ code: 'roles-must-alternate', where: 'b' }))
})

test('a format that does not alternate gets the lines unchanged', () => {
  const lines = [line('user', 'a'), line('user', 'b')]
  expect(joinNeighbours(lines, { formatName: 'f' }, [])).toBe(lines)
})
