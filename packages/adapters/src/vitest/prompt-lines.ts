import type { ModelPrompt, Piece } from '@rolecall/core'
import { check } from '@rolecall/core/internal/errors'
import * as z from '@rolecall/core/internal/schema'
import { showMedia } from './show-media.ts'

/** How a prompt is printed. */
export type PromptLinesOptions = {
  /** Says before each stretch who wrote it: `[format round[0].begin]`. */
  origins?: boolean
}

const linesSchema = z.strictObject({ origins: z.optional(z.boolean()) } satisfies {
  readonly [Key in keyof Required<PromptLinesOptions>]: z.FieldSchemas[string]
})

/**
 * A prompt as readable lines: text that may hold control tokens is in «», `⏎` is a line feed. Stops and notes follow.
 *
 * @example
 * promptLines(renderPrompt(defineModel('chatml'), [{ role: 'user', content: 'Hi' }]))
 * // => '«<|im_start|>user⏎»\nHi«<|im_end|>⏎»\n«<|im_start|>assistant⏎»\nstop: <|im_end|>'
 */
export function promptLines(prompt: ModelPrompt, options: PromptLinesOptions = {}): string {
  check(linesSchema, options, 'promptLines › options › ')
  const text = prompt.messages
    ? prompt.messages.map(({ role, content }) => `${role}: ${written(content, options)}`).join('\n')
    : written(prompt.pieces, options)
  const { texts } = prompt.stop
  const stops = texts.length === 0 ? [] : [`stop: ${texts.map(visible).join(' ')}`]
  const notes = prompt.notes.map(({ code, text: note }) => `note: ${code}: ${note}`)
  return [text.replace(/\n$/, ''), ...stops, ...notes].join('\n')
}

type Run = { text: string; isControl: boolean; origin: string }

function written(pieces: readonly Piece[], { origins = false }: PromptLinesOptions): string {
  const runs: Run[] = []
  for (const piece of pieces) {
    const [text, isControl] =
      'text' in piece ? [piece.text, piece.control] : 'ids' in piece ? [`[ids ${piece.ids.join(' ')}]`, true] : [showMedia(piece), false]
    const origin = origins ? `[${piece.source.by} ${piece.source.path}] ` : ''
    const last = runs.at(-1)
    if (last?.isControl === isControl && last.origin === origin) last.text += text
    else if (text !== '') runs.push({ text, isControl, origin })
  }
  const parts = runs.map(({ text, isControl, origin }) => {
    const lines = text.split(/(?<=\n)/).map((line) => {
      const shown = visible(line)
      return `${isControl ? `«${shown}»` : shown}${line.endsWith('\n') ? '\n' : ''}`
    })
    return origin + lines.join('')
  })
  return origins ? parts.map((part) => part.replace(/\n$/, '')).join('\n') : parts.join('')
}

function visible(text: string): string {
  return text.replaceAll('\r', '␍').replaceAll('\n', '⏎')
}
