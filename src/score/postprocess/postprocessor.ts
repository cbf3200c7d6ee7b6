import type { z } from 'zod'
import type { PyValue } from '../../python/index.ts'

/** Something done to an answer before it is compared. */
export type Postprocessor<Options = unknown> = {
  /** The names it is known by: OpenCompass's registered name first, then its function's. */
  names: readonly string[]
  /** One sentence for the docs. */
  does: string
  /** What a config may give beside `type`. */
  options: z.ZodType<Options>
  process(text: string, options: Options): PyValue
}

/** Checks that options and function fit each other. */
export function definePostprocessor<Options>(postprocessor: Postprocessor<Options>): Postprocessor<Options> {
  return postprocessor
}
