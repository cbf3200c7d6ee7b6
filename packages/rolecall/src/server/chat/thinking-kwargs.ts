import type { Note } from '@rolecall/core/internal/errors'
import type { PromptModel } from '../served-model.ts'

/** The reasoning settings of a request, independent of the protocol. */
export type Thinking = {
  /** Whether the model thinks before it answers. */
  isOn?: boolean | undefined
  /** `low`, `medium`, `high`, …; `none` turns thinking off. */
  effort?: string | undefined
}

/** Names of the switch in chat templates. */
const switches = ['enable_thinking', 'thinking', 'think']

/**
 * The template variables that implement the reasoning settings. Variables in the request take precedence; settings without a matching
 * variable are noted.
 */
export function thinkingKwargs(
  { maker: { format } }: PromptModel,
  given: object | undefined,
  { isOn: requested, effort }: Thinking,
): { kwargs: object | undefined; notes: Note[] } {
  if (requested === undefined && effort === undefined) return { kwargs: given, notes: [] }
  const { variables = [] } = format
  const isOn = effort === 'none' ? false : requested
  const found: Record<string, unknown> = {}
  const notes: Note[] = []
  const unchanged = (where: string, text: string) => notes.push({ code: 'thinking-unchanged', where, text })
  if (isOn !== undefined) {
    const name = switches.find((one) => variables.includes(one))
    if (name !== undefined) found[name] = isOn
    else if (!isOn) unchanged('thinking', 'not turned off: the format has no switch for thinking')
  }
  if (effort !== undefined && effort !== 'none') {
    if (variables.includes('reasoning_effort')) found.reasoning_effort = effort
    else unchanged('reasoning effort', `"${effort}" has no effect: the format has no variable for it`)
  }
  return Object.keys(found).length === 0 ? { kwargs: given, notes } : { kwargs: { ...found, ...given }, notes }
}
