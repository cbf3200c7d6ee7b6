import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet } from '../../../base/python/index.ts'
import { isText, type Piece } from '../../../base/text/index.ts'
import type { LooseText } from '../../conversation/conversation.ts'
import type { Line } from './script.ts'
import type { Alternation, Traits } from './traits.ts'

/** Joins consecutive turns of one role for formats that require alternation. The input is not changed. */
export function joinNeighbours<Spoken extends Line | LooseText>(
  lines: readonly Spoken[],
  traits: Pick<Traits, 'alternates' | 'formatName'>,
  notes: Note[],
): readonly Spoken[] {
  if (!('alternates' in traits)) return lines
  // Probing whether a chat template alternates is expensive, so only conversations that need it are probed.
  if (!lines.some((line, index) => index > 0 && areNeighbours(lines[index - 1]!, line))) return lines
  const { alternates } = traits
  if (!alternates) return lines
  const joined: Spoken[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last === undefined || !areNeighbours(last, line) || !mayJoin(last as Line, line as Line, alternates)) {
      joined.push(line)
      continue
    }
    tell(line as Line, alternates, traits.formatName, notes)
    joined[joined.length - 1] = joinLines(last as Line, line as Line, alternates.joint) as Spoken
  }
  return joined
}

/** Joins two lines by the joint, unless the dataset has text between them. */
export function joinLines(first: Line, second: Line, joint: Alternation['joint']): Line {
  const example = 'endExample' in first ? first.endExample : first.example
  const isInExample = example !== undefined && example === second.example
  const piece: Piece = { ...joint, source: { by: 'format', path: 'merge', ...(isInExample ? { example } : {}) } }
  const between = first.end || second.begin ? [...(first.end ?? []), ...(second.begin ?? [])] : [piece]
  const { begin: _, end, example: __, ...last } = second
  const parts = first.parts || second.parts ? { parts: [...(first.parts ?? []), ...(second.parts ?? [])] } : {}
  const moved = (piece: Piece): Piece => (piece.part === undefined ? piece : { ...piece, part: piece.part + (first.parts?.length ?? 0) })
  const { begin, example: start, name = second.name } = first
  return {
    ...last,
    name,
    ...(begin ? { begin } : {}),
    ...(end ? { end } : {}),
    example: start,
    endExample: second.example,
    content: [...(first.content ?? []), ...between, ...(first.parts ? (second.content ?? []).map(moved) : (second.content ?? []))],
    ...parts,
    ...(first.answer ? { answer: true as const } : {}),
    path: first.path,
  }
}

function areNeighbours(first: Line | LooseText, second: Line | LooseText): boolean {
  return 'role' in first && 'role' in second && first.role === second.role
}

function mayJoin(first: Line, second: Line, { roles }: Alternation): boolean {
  return (!roles || roles.includes(first.role)) && isWords(first) && isWords(second)
}

/** Only text can be joined: a call or non-text content would be lost. */
function isWords({ calls, message, content = [], role }: Line): boolean {
  if (message === undefined) return true
  const isHeader = role === 'assistant' && (dictGet(message, 'content') ?? null) === null
  return !calls && !isHeader && content.every(isText)
}

function tell({ role, path }: Line, { policy }: Alternation, formatName: string, notes: Note[]): void {
  if (policy === 'error')
    throw new PromptError('roles-must-alternate', {
      where: path,
      problem: `${formatName} expects user and assistant to alternate, but "${role}" speaks twice in a row`,
      fix: 'join the two turns, or set neighbours_policy: "merge" on the model',
    })
  if (policy === 'note')
    notes.push({
      code: 'neighbours-merged',
      where: path,
      text: `${formatName} wants turns to alternate, so what "${role}" says was joined`,
    })
}
