import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictGet, isDict } from '../../base/python/index.ts'
import { type Piece, plain, type Source } from '../../base/text/index.ts'

/** The content of a message: a string, or parts of text and images. */
export function readContent(content: unknown, source: Source): Piece[] {
  if (typeof content === 'string') return [plain(content, source)]
  if (!Array.isArray(content)) throw badPart(source.path, content)
  return content.map((part: unknown, index) => {
    const at = { ...source, path: `${source.path}[${index}]` }
    const get = (value: unknown, key: string): unknown => (isDict(value) ? dictGet(value, key) : undefined)
    const text = get(part, 'text')
    if (get(part, 'type') === 'text' && typeof text === 'string') return plain(text, at)
    const image = get(part, 'image_url')
    const url = typeof image === 'string' ? image : get(image, 'url')
    if (get(part, 'type') === 'image_url' && typeof url === 'string') return { image: { url }, source: at }
    throw badPart(at.path, part)
  })
}

function badPart(where: string, part: unknown): PromptError {
  // Integers of any size are kept; JSON allows them, but JSON.stringify does not.
  const shown = JSON.stringify(part, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  return new PromptError('bad-message', {
    where,
    problem: `this content cannot be sent: ${shown?.slice(0, 80) ?? String(part)}`,
    fix: 'use a string, { type: "text", text } or { type: "image_url", image_url: { url } }',
  })
}
