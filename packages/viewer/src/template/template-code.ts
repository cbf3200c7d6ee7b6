import type { Prompt } from '@rolecall/core/internal/format'
import { parseTemplate } from '@rolecall/core/internal/jinja'
import type { ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { writtenOf } from './trace.ts'

/** A range of code. */
export type Span = readonly [start: number, end: number]

/** A chat template's source, and the code that wrote each piece of a prompt. */
export type TemplateCode = { source: string; spans: readonly (Span | undefined)[] }

/** The code of a model's chat template that wrote each piece; undefined if the prompt does not come from one. */
export function templateCode({ chat_template: template }: ModelConfig, prompt: Prompt): TemplateCode | undefined {
  if (typeof template !== 'string' || prompt.kind !== 'completion') return undefined
  const source = sourceOf(template)
  const written = writtenOf(prompt.pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''))
  let at = 0
  const spans = prompt.pieces.map((piece) => {
    const start = at
    if ('text' in piece) at += piece.text.length
    const isOwn = piece.source.by === 'format' && piece.source.span !== undefined
    // Literal text is in the source; inserted values come from a statement.
    return isOwn ? piece.source.span : written.find((one) => one.start <= start && start < one.end)?.span
  })
  return { source, spans }
}

/** With normalized line breaks. */
function sourceOf(template: string): string {
  try {
    return parseTemplate(template, 'chat_template').source
  } catch {
    return template
  }
}

/** The pieces written by some code; of nested statements, the innermost. */
export function piecesBy(spans: TemplateCode['spans'], offset: number): Set<number> {
  const around = spans.flatMap((span, piece) =>
    span && span[0] <= offset && offset < span[1] ? [{ piece, length: span[1] - span[0] }] : [],
  )
  const least = Math.min(...around.map(({ length }) => length))
  return new Set(around.filter(({ length }) => length === least).map(({ piece }) => piece))
}

/** Splits a source at all range borders. */
export function cutSource(source: string, spans: readonly (Span | undefined)[]): Span[] {
  const bounds = new Set([0, source.length])
  for (const span of spans) for (const bound of span ?? []) if (bound <= source.length) bounds.add(bound)
  const sorted = [...bounds].sort((one, other) => one - other)
  return sorted.slice(1).map((end, index) => [sorted[index]!, end])
}
