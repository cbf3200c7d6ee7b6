import type { Row } from '../dataset/row.ts'
import type { PromptMaker } from '../prompt/compile-prompt.ts'
import type { PreparedPrompt } from '../prompt/prepare-prompt.ts'

/**
 * A maker that keeps the prompts of the row it was last asked for: they are rendered to know whether the answer is there
 * already, and then to be sent.
 */
export function rememberPrompt(maker: PromptMaker): PromptMaker {
  let [lastRow, lastExamples]: [Row | undefined, readonly Row[] | undefined] = [undefined, undefined]
  const known = new Map<PreparedPrompt, ReturnType<PreparedPrompt['prompt']>>()
  const remembering = new Map<PreparedPrompt, PreparedPrompt>()
  return {
    ...maker,
    prepare(ask) {
      const prepared = maker.prepare(ask)
      const made = remembering.get(prepared)
      if (made) return made
      const wrapped: PreparedPrompt = {
        ...prepared,
        prompt(row, examples) {
          if (row !== lastRow || examples !== lastExamples) known.clear()
          lastRow = row
          lastExamples = examples
          const found = known.get(prepared) ?? prepared.prompt(row, examples)
          known.set(prepared, found)
          return found
        },
      }
      remembering.set(prepared, wrapped)
      return wrapped
    },
  }
}
