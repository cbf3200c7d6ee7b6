import { parseTemplate } from '../../../src/base/jinja/syntax/parser.ts'
import type { ModelConfig } from '../../../src/evaluation/config/config-schema.ts'
import type { Prompt } from '../../../src/prompt/format/format.ts'
import { writtenOf } from './trace.ts'

/** Start and end of some code. */
export type Span = readonly [start: number, end: number]

/** A chat template's source, and for each piece of a prompt the code that wrote it. */
export type TemplateCode = { source: string; spans: readonly (Span | undefined)[] }

/** Which code of a model's chat template wrote each piece; undefined where the prompt is not written by one. */
export function templateCode({ chat_template: template }: ModelConfig, prompt: Prompt): TemplateCode | undefined {
  if (typeof template !== 'string' || prompt.kind !== 'completion') return undefined
  const source = sourceOf(template)
  const written = writtenOf(prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''))
  let at = 0
  const spans = prompt.pieces.map((piece) => {
    const start = at
    if ('text' in piece) at += piece.text.length
    const isOwn = piece.source.by === 'format' && piece.source.span !== undefined
    // A text of the template stands in its source; what it was given is written by a statement.
    return isOwn ? piece.source.span : written.find((one) => one.start <= start && start < one.end)?.span
  })
  return { source, spans }
}

/** As the template is read: `\n` ends lines. */
function sourceOf(template: string): string {
  try {
    return parseTemplate(template, 'chat_template').source
  } catch {
    return template
  }
}

/** The pieces that some code wrote: of statements inside one another, the innermost. */
export function piecesBy(spans: TemplateCode['spans'], offset: number): Set<number> {
  const around = spans.flatMap((span, piece) =>
    span && span[0] <= offset && offset < span[1] ? [{ piece, length: span[1] - span[0] }] : [],
  )
  const least = Math.min(...around.map(({ length }) => length))
  return new Set(around.filter(({ length }) => length === least).map(({ piece }) => piece))
}

/** A source cut wherever something begins or ends. */
export function cutSource(source: string, spans: readonly (Span | undefined)[]): Span[] {
  const bounds = new Set([0, source.length])
  for (const span of spans) for (const bound of span ?? []) if (bound <= source.length) bounds.add(bound)
  const sorted = [...bounds].sort((one, other) => one - other)
  return sorted.slice(1).map((end, index) => [sorted[index]!, end])
}
