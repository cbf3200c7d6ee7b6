/** How much of a result the model is sent. */
const mostCharacters = 100_000

/** The text of a tool's result; what is no text is named. An error of the tool throws, and the model is told. */
export function readResult(result: Readonly<Record<string, unknown>>): string {
  const { content, structuredContent, isError } = result
  const parts = Array.isArray(content) ? content.map(partText) : []
  const text = parts.length > 0 || structuredContent === undefined ? parts.join('\n') : JSON.stringify(structuredContent)
  const bounded =
    text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}\n[${text.length - mostCharacters} characters left out]`
  if (isError === true) throw new Error(bounded === '' ? 'the tool failed' : bounded)
  return bounded
}

function partText(part: unknown): string {
  const { type, text, resource, uri } = (part ?? {}) as {
    type?: unknown
    text?: unknown
    resource?: { text?: unknown; uri?: unknown }
    uri?: unknown
  }
  if (typeof text === 'string') return text
  if (typeof resource?.text === 'string') return resource.text
  const place = resource?.uri ?? uri
  return `[${typeof type === 'string' ? type.slice(0, 40) : 'content'}${typeof place === 'string' ? ` ${place.slice(0, 500)}` : ''}, which is not text]`
}
