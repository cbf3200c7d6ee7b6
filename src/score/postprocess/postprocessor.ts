import type { z } from 'zod'
import type { PyValue } from '../../python/index.ts'
import type { SplitWords } from '../split-words.ts'

/** Something done to an answer before it is compared. */
export type Postprocessor<Options = unknown> = {
  /** The names it is known by: OpenCompass's registered name first, then its function's. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** What a config may give beside `type`. */
  options: z.ZodType<Options>
  /** It splits Chinese into words, which `process` is given a function for. */
  needsWords?: true
  process(text: string, options: Options, words: SplitWords): PyValue
}

/** Checks that options and function fit each other. */
export function definePostprocessor<Options>(postprocessor: Postprocessor<Options>): Postprocessor<Options> {
  return postprocessor
}
