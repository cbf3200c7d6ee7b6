/** The state of the playground: three texts and the mode. All of it fits into a link. */
export type Playground = { model: string; dataset: string; row: string; mode: '' | 'gen' | 'ppl' }

export const panes = ['row', 'dataset', 'model'] as const
export type Pane = (typeof panes)[number]

/** Encodes the state for an address: deflated, in URL-safe characters. */
export async function packState(state: Playground): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'))
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Decodes the state of a link; undefined if it is damaged. */
export async function unpackState(packed: string): Promise<Playground | undefined> {
  try {
    const text = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
    const read: unknown = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))))
    return isState(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Larger states cannot come from this page. */
const mostBytes = 4_000_000

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (length > mostBytes) throw new Error('too long')
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

function isState(value: unknown): value is Playground {
  if (typeof value !== 'object' || value === null) return false
  const { model, dataset, row, mode } = value as Record<string, unknown>
  return [model, dataset, row].every((text) => typeof text === 'string') && ['', 'gen', 'ppl'].includes(mode as string)
}
