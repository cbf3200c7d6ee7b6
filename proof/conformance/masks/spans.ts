import { dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { ChatText } from '../../../packages/core/src/masks/chat-text.ts'
import { type ModelTurn, modelTurns } from '../../../packages/core/src/masks/model-turns.ts'
import { type Outcome, outcomeOf, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, unless } from '../verdict.ts'
import { codePoints, conversationOf, templateOf, traitsOf } from './references.ts'

/** What the model writes, in every template: from the end of the generation prompt to the end-of-turn token. */
export const spansByPrefix: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'prefix_holds') && dictHas(vector, 'turns'),
  examine(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    const conversation = conversationOf('masks', dictGet(given, 'conversation'), folder)
    if (template === undefined || conversation === undefined) return failed('the vectors lack its template or conversation')
    const [messages, tools, kwargs] = ['messages', 'tools', 'kwargs'].map((key) => dictGet(conversation, key))
    const write = template.writer(tools, kwargs)
    const ours = outcomeOf(() => {
      const whole = write(messages as PyValue[], false)
      const turns = modelTurns(messages as PyValue[], traitsOf, write, whole, template.end(kwargs))
      return { text: whole.text, turns: turns.map((turn) => shownTurn(turn, whole)) }
    })
    return trial(ours, (result) => judgeTurns(result, given))
  },
}

type Shown = { text: string; turns: Record<string, unknown>[] }

/** A turn in the vectors' terms; offsets count code points. */
function shownTurn(turn: ModelTurn, { text }: ChatText): Record<string, unknown> {
  // Where the texts differ, they are equal up to that point, so its offset can be computed in either.
  if (!turn.isKnown) return { prefix_holds: false, stage: turn.stage, first_difference: codePoints(text.slice(0, turn.at), turn.at) }
  const span = turn.span.map((at) => codePoints(text, at))
  return { prefix_holds: true, span, stop: turn.stop ?? null, stop_at: turn.stopAt, generation_prompt: turn.generationPrompt }
}

function judgeTurns(ours: Outcome, vector: PyDict) {
  if ('error' in ours || dictHas(vector, 'error')) {
    return 'error' in ours && dictHas(vector, 'error') ? identical : failed(`${show(ours)}, expected ${String(dictGet(vector, 'error'))}`)
  }
  const { text, turns } = ours.value as Shown
  if (text !== dictGet(vector, 'text')) return failed('the text differs')
  const expected = dictGet(vector, 'turns') as PyDict[]
  if (turns.length !== expected.length) return failed(`${turns.length} turns, expected ${expected.length}`)
  return unless(turns.map((turn, index) => differenceOf(turn, expected[index]!, index)).find((found) => found !== undefined))
}

function differenceOf(turn: Record<string, unknown>, expected: PyDict, number: number): string | undefined {
  for (const [key, value] of Object.entries(turn)) {
    const reference = dictGet(expected, key)
    if (reference === undefined || (key === 'first_difference' && reference === null)) continue
    if (JSON.stringify(plainOf(reference)) !== JSON.stringify(value))
      return `turn ${number}: ${key} is ${JSON.stringify(value)}, expected ${JSON.stringify(plainOf(reference))}`
  }
  return undefined
}

function plainOf(value: PyValue): unknown {
  if (Array.isArray(value)) return value.map(plainOf)
  return typeof value === 'bigint' ? Number(value) : value
}
