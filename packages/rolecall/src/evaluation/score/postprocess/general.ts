import { strip } from '@rolecall/core/internal/python'
import { substitute } from '../../../python/regex/index.ts'
import { definePostprocessor } from './postprocessor.ts'

/**
 * OpenCompass's `general` postprocessor: up to the first newline, period or comma, without punctuation and articles.
 *
 * @example
 * generalPostprocess('The cat, of course.') // => 'cat'
 */
export function generalPostprocess(text: string): string {
  const [first = ''] = text.split(/[\n.,]/, 1)
  const words = substitute(String.raw`[^\w\s]`, '', first)
  return strip(substitute(String.raw`\s+`, ' ', substitute(String.raw`\b(a|an|the)\b`, '', words, { ignoreCase: true })))
}

export const general = definePostprocessor({
  names: ['general', 'general_postprocess'],
  does: 'Up to the first newline, period or comma, without punctuation and articles.',
  example: { answer: 'The Eiffel Tower, in Paris.', becomes: 'Eiffel Tower' },
  process: generalPostprocess,
})
