/** A segment of a template's text; `span` is its range in that text. */
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
 * Parses a template's text into fields, ice tokens and separators. There are no escapes: `{{a}}` is a brace, the field `a`, a brace. The
 * row decides whether `{a}` is a field, since the documents leave unknown fields verbatim.
 */
export function readSegments(text: string, tokens: TemplateTokens): Segment[] {
  const { iceToken, sepToken, columnTokens } = tokens
  const marks = [iceToken, sepToken, ...(columnTokens?.keys() ?? [])].filter((mark): mark is string => mark !== undefined && mark !== '')
  if (marks.length === 0) return readFields(text, 0)
  const segments: Segment[] = []
  let last = 0
  // Tokens come before fields: `\\boxed{</ans>}` contains the column's token, not a field called "</ans>".
  for (const match of text.matchAll(new RegExp(marks.map(escapeRegExp).join('|'), 'g'))) {
    const found = match[0]
    const span = [match.index, match.index + found.length] as const
    segments.push(...readFields(text.slice(last, match.index), last))
    last = span[1]
    if (found === iceToken) segments.push({ kind: 'ice', text: found, span })
    else if (found === sepToken) segments.push({ kind: 'separator', text: found, span })
    else segments.push({ kind: 'field', name: columnTokens!.get(found)!, byToken: true, text: found, span })
  }
  return [...segments, ...readFields(text.slice(last), last)]
}

function readFields(text: string, from: number): Segment[] {
  const segments: Segment[] = []
  let last = 0
  const literal = (end: number) => {
    if (end > last) segments.push({ kind: 'text', text: text.slice(last, end), span: [from + last, from + end] })
  }
  for (const match of text.matchAll(/\{[^{}]*\}/g)) {
    const found = match[0]
    literal(match.index)
    last = match.index + found.length
    segments.push({ kind: 'field', name: found.slice(1, -1), byToken: false, text: found, span: [from + match.index, from + last] })
  }
  literal(text.length)
  return segments
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
