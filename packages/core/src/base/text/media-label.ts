import type { Media } from './piece.ts'

/**
 * Media in words: what they are, their name or type, and their size if they are in the message itself.
 *
 * @example
 * mediaLabel({ kind: 'image', url: 'https://example.org/pictures/cat.png?w=100' }) // => 'image cat.png'
 * mediaLabel({ kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' }) // => 'image image/png, 8 bytes'
 */
export function mediaLabel({ kind, url }: Media): string {
  if (url === '') return kind
  if (!url.startsWith('data:')) return `${kind} ${nameOf(url).slice(0, 60)}`
  const comma = url.indexOf(',')
  const header = url.slice('data:'.length, comma < 0 ? undefined : comma)
  const type = header.split(';')[0] || 'data'
  const body = comma < 0 ? 0 : url.length - comma - 1
  const bytes = header.endsWith(';base64') ? Math.floor((body * 3) / 4) - (url.endsWith('==') ? 2 : url.endsWith('=') ? 1 : 0) : body
  return `${kind} ${type.slice(0, 60)}, ${sizeText(bytes)}`
}

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The file's name in a URL or path. */
function nameOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '')
  return path.split(/[/\\]/).findLast((name) => name !== '') ?? url
}
