import { PromptError } from '../../src/base/errors/prompt-error.ts'
import { dictGet, dictHas, type PyDict, type PyValue } from '../../src/base/python/index.ts'
import type { ChatText } from '../../src/workbench/training/chat-text.ts'
import { type ModelTurn, modelTurns } from '../../src/workbench/training/model-turns.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { codePoints, conversationOf, templateOf, traitsOf } from './references.ts'

/** What the model writes, in every template: from the end of the generation prompt to the end-of-turn token. */
export const spansByPrefix: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'prefix_holds') && dictHas(vector, 'turns'),
  judge(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    const conversation = conversationOf('masks', dictGet(given, 'conversation'), folder)
    if (template === undefined || conversation === undefined) return { kind: 'failed', why: 'its template or conversation is not there' }
    const [messages, tools, kwargs] = ['messages', 'tools', 'kwargs'].map((key) => dictGet(conversation, key))
    const write = template.writer(tools, kwargs)
    const whole = writeOrFail(() => write(messages as PyValue[], false))
    if (whole instanceof PromptError || dictHas(given, 'error'))
      return whole instanceof PromptError && dictHas(given, 'error')
        ? { kind: 'passed' }
        : {
            kind: 'failed',
            why: `renders ${whole instanceof PromptError ? `not: ${whole.message}` : 'where the reference raises an error'}`,
          }
    if (whole.text !== dictGet(given, 'text')) return { kind: 'failed', why: 'the text differs' }
    const turns = modelTurns(messages as PyValue[], traitsOf, write, whole, template.end(kwargs))
    const expected = dictGet(given, 'turns') as PyDict[]
    if (turns.length !== expected.length) return { kind: 'failed', why: `${turns.length} turns, expected ${expected.length}` }
    const why = turns.map((turn, index) => differenceOf(turn, expected[index]!, whole)).find((found) => found !== undefined)
    return why === undefined ? { kind: 'passed' } : { kind: 'failed', why }
  },
}

function differenceOf(turn: ModelTurn, expected: PyDict, whole: ChatText): string | undefined {
  const message = `message ${turn.message}:`
  if (turn.isKnown !== dictGet(expected, 'prefix_holds')) return `${message} ${JSON.stringify(turn)}`
  if (!turn.isKnown) {
    if (turn.stage !== dictGet(expected, 'stage')) return `${message} the texts differ in ${turn.stage}`
    const at = dictGet(expected, 'first_difference')
    // The texts are equal up to the difference, so its offset can be computed in either.
    return at === undefined || at === null || Number(at) === codePoints(whole.text.slice(0, turn.at), turn.at)
      ? undefined
      : `${message} the texts differ at ${turn.at}, expected ${String(at)}`
  }
  const ours = {
    span: turn.span.map((at) => codePoints(whole.text, at)),
    stop: turn.stop ?? null,
    stop_at: turn.stopAt,
    generation_prompt: turn.generationPrompt,
  }
  for (const [key, value] of Object.entries(ours)) {
    const reference = dictGet(expected, key)
    if (reference !== undefined && JSON.stringify(plainOf(reference)) !== JSON.stringify(value))
      return `${message} ${key} is ${JSON.stringify(value)}, expected ${JSON.stringify(plainOf(reference))}`
  }
  return undefined
}

function plainOf(value: PyValue): unknown {
  if (Array.isArray(value)) return value.map(plainOf)
  return typeof value === 'bigint' ? Number(value) : value
}

export function writeOrFail<Result>(write: () => Result): Result | PromptError {
  try {
    return write()
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
}

export function failed(why: string | undefined): Verdict {
  return why === undefined ? { kind: 'passed' } : { kind: 'failed', why }
}
