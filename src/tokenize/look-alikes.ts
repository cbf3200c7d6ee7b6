import type { Prompt } from '../format/format.ts'
import type { Note } from '../note.ts'
import { PromptError } from '../prompt-error.ts'

/** What to do about text from data that looks like a marker of the format. */
export type MarkerPolicy = 'allow' | 'reject' | 'report'

/**
 * Finds markers of the format in text that it did not write. Where markers are tokens they are only characters there; where
 * they are plain text (Vicuna's `USER:`) no tokenizer can tell them apart, and a model may take them for a turn.
 */
export function lookAlikes(prompt: Prompt, markers: readonly string[], policy: MarkerPolicy = 'report'): Note[] {
  if (policy === 'allow') return []
  const pieces = prompt.kind === 'completion' ? prompt.pieces : prompt.messages.flatMap(({ content }) => content)
  const telling = markers.filter((marker) => marker.trim().length > 2)
  return pieces.flatMap((piece): Note[] => {
    if (!('text' in piece) || piece.control) return []
    const found = telling.find((marker) => piece.text.includes(marker))
    if (found === undefined) return []
    const where = piece.source.example === undefined ? piece.source.path : `example ${piece.source.example} › ${piece.source.path}`
    const problem = `the text contains ${JSON.stringify(found)}, which marks turns in this format`
    if (policy === 'reject')
      throw new PromptError('marker-in-data', { where, problem, fix: "change the text, or allow it with markerPolicy: 'report'" })
    return [{ code: 'marker-in-data', where, text: problem }]
  })
}
