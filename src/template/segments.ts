/** A stretch of a template's text; `span` is where it stands in that text. */
export type Segment = { span: readonly [start: number, end: number]; text: string } & (
  | { kind: 'text' }
  /** `{name}`, or the token that `column_token_map` gives the column; it is text when the row has no such field. */
  | { kind: 'field'; name: string; byToken: boolean }
  /** The place of the examples. */
  | { kind: 'ice' }
  /** Separates context and answer. */
  | { kind: 'separator' }
)

export type TemplateTokens = {
  iceToken?: string
  sepToken?: string
  /** Token → column. */
  columnTokens?: ReadonlyMap<string, string>
}

/**
 * Reads a template's text: its fields, the place of its examples, its separators.
 *
 * There are no escapes: `{{a}}` is a brace, the field `a`, a brace. Whether `{a}` is a field is decided by the row, since
 * the documents leave unknown fields as they are.
 */
export function readSegments(text: string, { iceToken, sepToken, columnTokens }: TemplateTokens): Segment[] {
  const marks = [iceToken, sepToken, ...(columnTokens?.keys() ?? [])].filter((mark): mark is string => mark !== undefined && mark !== '')
  const pattern = new RegExp([...marks.map(escapeRegExp), '\\{[^{}]*\\}'].join('|'), 'g')
  const segments: Segment[] = []
  let last = 0
  const literal = (end: number) => {
    if (end > last) segments.push({ kind: 'text', text: text.slice(last, end), span: [last, end] })
  }
  for (const match of text.matchAll(pattern)) {
    const found = match[0]
    const span = [match.index, match.index + found.length] as const
    literal(match.index)
    last = span[1]
    if (found === iceToken) segments.push({ kind: 'ice', text: found, span })
    else if (found === sepToken) segments.push({ kind: 'separator', text: found, span })
    else {
      const column = columnTokens?.get(found)
      segments.push({ kind: 'field', name: column ?? found.slice(1, -1), byToken: column !== undefined, text: found, span })
    }
  }
  literal(text.length)
  return segments
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
