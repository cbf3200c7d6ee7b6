import { type ChecksOf, checkOptionsOf, isAnything, isFunction, isList } from '../../../base/errors/check-options.ts'
import type { Note } from '../../../base/errors/note.ts'
import type { Row } from '../../conversation/row.ts'

/** A prompt, or the prompts of all labels of a row, with as many examples as fit. */
export type Fitted<Rendered> = {
  rendered: Rendered
  kept: number
  dropped: number
  /** Whether the result is within the limit; without any example it may still be too long. */
  fits: boolean
  notes: readonly Note[]
}

/** The input of `fitExamples`, and the limit. */
export type FitOptions<Rendered> = {
  examples: readonly Row[]
  /** Maximum number of tokens of a prompt; unlimited if undefined. */
  limit: number | undefined
  /**
   * Renders the row with these examples; receives the original list if none is dropped. For perplexity: the prompts of all labels, so that
   * all keep the same examples.
   */
  render: (examples: readonly Row[]) => Rendered
  /** The number of tokens; for several prompts that of the longest. */
  count: (rendered: Rendered) => number
}

const fitChecks = { examples: isList, limit: isAnything, render: isFunction, count: isFunction } satisfies ChecksOf<FitOptions<unknown>>

/** Drops examples from the end until the prompt fits. The question itself is never cut. */
export function fitExamples<Rendered>(options: FitOptions<Rendered>): Fitted<Rendered> {
  checkOptionsOf(options, fitChecks, 'fitExamples › options')
  const { examples, limit, render, count } = options
  let kept = examples.length
  for (;;) {
    const rendered = render(kept === examples.length ? examples : examples.slice(0, kept))
    const fits = limit === undefined || count(rendered) <= limit
    if (fits || kept === 0)
      return { rendered, kept, dropped: examples.length - kept, fits, notes: notesOf(examples.length - kept, limit, fits) }
    kept--
  }
}

const none: readonly Note[] = []

function notesOf(dropped: number, limit: number | undefined, fits: boolean): readonly Note[] {
  if (dropped === 0 && fits) return none
  const notes: Note[] = []
  if (dropped > 0)
    notes.push({
      code: 'examples-dropped',
      text: `${dropped} ${dropped === 1 ? 'example was' : 'examples were'} dropped to stay within ${limit} tokens`,
    })
  if (!fits) notes.push({ code: 'too-long', text: `the prompt is longer than ${limit} tokens even without examples` })
  return notes
}
