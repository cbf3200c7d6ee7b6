import { suggestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictGet, isDict, type PyValue } from '../../base/python/index.ts'
import { type Piece, plain, type Source } from '../../base/text/index.ts'
import { contentPart, partTypes } from './content-part.ts'
import type { Turn } from './conversation.ts'

/** The content of a message: a string, or parts of text and media. */
export function readContent(content: unknown, source: Source): Required<Pick<Turn, 'content'>> & Pick<Turn, 'parts'> {
  if (typeof content === 'string') return { content: [plain(content, source)] }
  if (!Array.isArray(content)) throw badPart(source.path, content)
  return {
    parts: content as readonly PyValue[],
    content: content.map((part: PyValue, index) => pieceOfPart(part, index, { ...source, path: `${source.path}[${index}]` })),
  }
}

/** A part as a piece that has its number. */
export function pieceOfPart(value: PyValue, part: number, source: Source): Piece {
  const read = contentPart(value)
  if (read === undefined) throw badPart(source.path, value)
  return 'text' in read ? { ...plain(read.text, source), part } : { media: read.media, source, part }
}

function badPart(where: string, part: unknown): PromptError {
  // Integers of any size are kept; JSON allows them, but JSON.stringify does not.
  const shown = JSON.stringify(part, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  const type = isDict(part) ? dictGet(part, 'type') : undefined
  const isKnown = typeof type === 'string' && partTypes.includes(type)
  return new PromptError('bad-message', {
    where,
    problem: `this content cannot be sent: ${shown?.slice(0, 80) ?? String(part)}`,
    fix:
      typeof type === 'string' && !isKnown
        ? `its type is not known: ${suggestName(type, partTypes)}`
        : 'use a string, { type: "text", text } or { type: "image_url", image_url: { url } }',
  })
}
