import type { Note } from '../../../base/errors/note.ts'
import type { ServedModel } from '../served-model.ts'

/** What a request says about thinking, whatever its protocol calls it. */
export type Thinking = {
  /** Whether the model is to think before it answers. */
  isOn?: boolean | undefined
  /** How long: `low`, `medium`, `high`, …; `none` turns thinking off. */
  effort?: string | undefined
}

/** The names that chat templates have for the switch. */
const switches = ['enable_thinking', 'thinking', 'think']

/**
 * The variables of the chat template by which a request's wish about thinking comes true. What the request sets itself stays as it is;
 * a wish that the template has no variable for is noted.
 */
export function thinkingKwargs(
  { maker: { format } }: ServedModel,
  given: object | undefined,
  { isOn: asked, effort }: Thinking,
): { kwargs: object | undefined; notes: Note[] } {
  if (asked === undefined && effort === undefined) return { kwargs: given, notes: [] }
  const { variables = [] } = format
  const isOn = effort === 'none' ? false : asked
  const found: Record<string, unknown> = {}
  const notes: Note[] = []
  const unchanged = (where: string, text: string) => notes.push({ code: 'thinking-unchanged', where, text })
  if (isOn !== undefined) {
    const name = switches.find((one) => variables.includes(one))
    if (name !== undefined) found[name] = isOn
    else if (!isOn) unchanged('thinking', 'the format has no switch for thinking, so it was not turned off')
  }
  if (effort !== undefined && effort !== 'none') {
    if (variables.includes('reasoning_effort')) found.reasoning_effort = effort
    else unchanged('reasoning effort', `the format has no variable for it, so "${effort}" changed nothing`)
  }
  return Object.keys(found).length === 0 ? { kwargs: given, notes } : { kwargs: { ...found, ...given }, notes }
}
