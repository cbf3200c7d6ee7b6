import type { Note } from '../../../base/errors/note.ts'
import type { InternLM2Layout } from './internlm2-layout.ts'

/** One turn of a transcript, with its text unchanged. */
export type TranscriptTurn = {
  role: string
  name?: string
  content: string
  /** Whether it has an end marker; otherwise it ends where the next one starts, as in document 004's examples. */
  terminated: boolean
}

export type SplitTranscript = { turns: TranscriptTurn[]; hasBos: boolean; notes: Note[] }

/** Splits a transcript into turns. Newlines are content, as in document 004, except the one after the end marker. */
export function splitTranscript(text: string, layout: InternLM2Layout): SplitTranscript {
  const { bos, turn: marks, action } = layout
  const hasBos = text.startsWith(bos)
  const notes: Note[] = []
  const turns: TranscriptTurn[] = []
  const outside = (between: string) => {
    if (between.trim() !== '')
      notes.push({ code: 'text-outside-turns', text: `text outside any turn: ${JSON.stringify(excerpt(between.trim()))}` })
  }
  const body = hasBos ? text.slice(bos.length) : text
  const [before, ...stretches] = body.split(marks.start)
  outside(before!)
  for (const stretch of stretches) {
    const { role, name, length } = readHead(stretch, action)
    const end = stretch.indexOf(marks.end, length)
    const content = end < 0 ? stretch.slice(length) : stretch.slice(length, end)
    turns.push({ role, ...(name === undefined ? {} : { name }), content, terminated: end >= 0 })
    if (end >= 0) outside(stretch.slice(end + marks.end.length))
  }
  return { turns, hasBos, notes }
}

/** `role name=…` and its newline, which some pages omit after a name that is a token. */
function readHead(text: string, action: InternLM2Layout['action']): { role: string; name?: string; length: number } {
  const role = /^[^\s<]*/.exec(text)![0]
  const rest = text.slice(role.length)
  const named = / name=/y.exec(rest)
  if (!named) return { role, length: role.length + newlineAt(text, role.length) }
  const from = role.length + named[0].length
  for (const kind of ['plugin', 'interpreter'] as const) {
    const token = action?.[kind]
    if (token !== undefined && text.startsWith(token, from)) {
      const end = from + token.length
      return { role, name: kind, length: end + newlineAt(text, end) }
    }
  }
  const name = /^[^\n]*/.exec(text.slice(from))![0]
  return { role, name, length: from + name.length + newlineAt(text, from + name.length) }
}

function newlineAt(text: string, at: number): number {
  return text[at] === '\n' ? 1 : 0
}

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
