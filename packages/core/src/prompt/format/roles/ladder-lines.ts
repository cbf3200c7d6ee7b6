import type { Note } from '../../../base/errors/note.ts'
import { dictEntries, dictFromEntries, dictGet, isDict, type PyValue } from '../../../base/python/index.ts'
import { isText, type Piece, plain, type TextPiece, textOf } from '../../../base/text/index.ts'
import { joinLines } from '../adapt/join-neighbours.ts'
import type { Line } from '../adapt/script.ts'
import type { RolesPolicy } from './roles-setting.ts'

/** Between texts that become one. */
export const emptyLine = { text: '\n\n', control: false }

/** Text that the ladder writes. */
export function ladderText(text: string, rule: string): TextPiece {
  return plain(text, { by: 'format', path: `roles.${rule}` })
}

/** A line with other fields of its message; undefined removes a field. */
export function withFields(line: Line, fields: Readonly<Record<string, PyValue | undefined>>): Line {
  const changed = (entries: readonly (readonly [string, PyValue])[]) => [
    ...entries.filter(([key]) => !Object.hasOwn(fields, key)),
    ...Object.entries(fields).filter((entry): entry is [string, PyValue] => entry[1] !== undefined),
  ]
  if (line.message === undefined) return { ...line, extra: Object.fromEntries(changed(Object.entries(line.extra ?? {}))) }
  return { ...line, message: dictFromEntries(changed(dictEntries(line.message))) }
}

/** A line with this text and nothing but text. */
export function withText(line: Line, content: readonly Piece[]): Line {
  const { parts: _, ...rest } = line
  const said = { ...rest, content }
  return line.message === undefined ? said : withFields(said, { content: textOf(content) })
}

/** A line whose parts of text have nothing but their text: agents send copies of calls and reasoning in them, which some templates print. */
export function withPlainParts(line: Line): Line {
  const { parts, content = [] } = line
  if (parts === undefined) return line
  if (parts.length === 0) return withText(line, [])
  if (parts.every(isPlainPart)) return line
  const plainParts = parts.map((part, index): PyValue => {
    const piece = content.find((written) => written.part === index)
    return piece !== undefined && 'text' in piece && !isPlainPart(part) ? { type: 'text', text: piece.text } : part
  })
  const said = { ...line, parts: plainParts }
  return line.message === undefined ? said : withFields(said, { content: plainParts })
}

function isPlainPart(part: PyValue): boolean {
  if (!isDict(part)) return true
  return dictEntries(part).every(([key]) => key === 'type' || key === 'text') && dictGet(part, 'type') === 'text'
}

/** A line whose parts, if they are all text, are one text; they are joined by newlines, as for any template that takes strings. */
export function asOneText(line: Line): Line {
  const { content = [], parts } = line
  if (parts === undefined || !content.every(isText)) return line
  const pieces = content.flatMap((piece, index): Piece[] => {
    const { part, ...rest } = piece
    const isNext = index > 0 && content[index - 1]!.part !== part
    return isNext ? [{ ...plain('\n', { by: 'format', path: 'parts' }) }, rest as Piece] : [rest as Piece]
  })
  return withText(line, pieces)
}

/** A user's line that says what another role said. */
export function asUser(line: Line, content: readonly Piece[]): Line {
  const { calls: _, callId: __, name: ___, reasoning: ____, extra: _____, parts: ______, message, ...rest } = line
  return { ...rest, role: 'user', content, ...(message === undefined ? {} : { message: { role: 'user', content: textOf(content) } }) }
}

/** The text of a line within the wrapper of a role. */
export function wrapped(line: Line, role: string, { wrapper }: RolesPolicy): Piece[] {
  const [before = '', after = ''] = wrapper.replaceAll('{role}', role).split('{text}')
  const { content = [] } = asOneText(line)
  return [ladderText(before, 'wrapper'), ...content, ladderText(after, 'wrapper')]
}

/** Two lines as one, parts of text as text. */
export function joined(first: Line, second: Line): Line {
  return joinLines(asOneText(first), asOneText(second), emptyLine)
}

/** An empty turn that a template needs between others. */
export function emptyTurn(role: 'user' | 'assistant', path: string): Line {
  return { role, content: [], message: { role, content: '' }, path }
}

export function isResult({ role }: Line): boolean {
  return role === 'tool' || role === 'function' || role === 'environment'
}

export function isSystem({ role }: Line): boolean {
  return role === 'system' || role === 'developer'
}

/** Which rules are in force, and the notes on what they did. */
export type Report = { policy: RolesPolicy; notes: Note[] }
