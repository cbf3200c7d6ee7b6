import type { Note } from '../../../base/errors/note.ts'
import type { Media, Piece } from '../../../base/text/index.ts'
import { plain } from '../../../base/text/index.ts'
import type { Line } from '../adapt/script.ts'
import { sentParts } from '../flatten.ts'
import { withFields } from './ladder-lines.ts'

type Rules = { takes(role: string, kind: Media['kind']): boolean; isRefused: boolean }

/** Media that the template or the model does not take, as a text that says so. */
export function withPlaceholders(lines: readonly Line[], { takes, isRefused }: Rules): { lines: readonly Line[]; notes: Note[] } {
  const notes: Note[] = []
  if (isRefused || !lines.some(hasMedia)) return { lines, notes }
  const replaced = lines.map((line) => {
    if (!hasMedia(line)) return line
    const content = (line.content ?? []).map((piece): Piece => {
      if (!('media' in piece) || takes(line.role, piece.media.kind)) return piece
      const { kind } = piece.media
      const text = `[${kind} left out]`
      notes.push({
        code: 'media-replaced',
        where: piece.source.path,
        text: `the ${kind} became the text "${text}": the prompt takes only text here`,
      })
      const { media: _, ...rest } = piece
      return { ...rest, ...plain(text, { by: 'format', path: 'roles.images' }) }
    })
    const parts = (line.parts ?? []).map((part, index) => {
      const piece = content.find((written) => written.part === index)
      return piece !== undefined && 'text' in piece && piece.source.path === 'roles.images' ? { type: 'text', text: piece.text } : part
    })
    const said = { ...line, content, parts }
    return line.message === undefined ? said : withFields(said, { content: sentParts(content, parts) })
  })
  return { lines: replaced, notes }
}

function hasMedia({ content = [] }: Line): boolean {
  return content.some((piece) => 'media' in piece)
}
