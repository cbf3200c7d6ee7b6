import { PromptError } from '../../src/base/errors/prompt-error.ts'
import { dictGet, dictHas, isDict, type PyDict, type PyValue } from '../../src/base/python/index.ts'
import type { WriteChat } from '../../src/workbench/training/chat-text.ts'
import { type Growth, growthOf } from '../../src/workbench/training/chat-text.ts'
import { modelTurn } from '../../src/workbench/training/model-turns.ts'
import type { Suite } from '../suite.ts'
import { codePoints, conversationOf, type KnownTemplate, templateOf, traitsOf } from './references.ts'
import { failed, writeOrFail } from './spans.ts'

/** Whether a template only ever appends to its previous output. */
export const prefixPreserved: Suite = {
  name: 'masks',
  recognises: (vector) => ['grow', 'stability'].includes(String(dictGet(vector, 'group'))) && !dictHas(vector, 'messages'),
  judge(vector, folder) {
    const given = vector as PyDict
    const group = String(dictGet(given, 'group'))
    const template = templateOf(dictGet(given, 'template'), folder)
    const conversation = conversationOf(group, dictGet(given, 'conversation'), folder)
    if (template === undefined || conversation === undefined) return { kind: 'failed', why: 'its template or conversation is not there' }
    const why = writeOrFail(() => (group === 'grow' ? growing(given, conversation, template) : stable(given, conversation, template)))
    if (why instanceof PromptError) return failed(dictHas(given, 'error') ? undefined : why.message)
    return failed(why ?? (dictHas(given, 'error') ? 'the reference raises an error' : undefined))
  },
}

function stable(vector: PyDict, conversation: PyDict, template: KnownTemplate): string | undefined {
  const kwargs = dictGet(vector, 'kwargs') ?? dictGet(conversation, 'kwargs')
  const write = template.writer(dictGet(conversation, 'tools'), kwargs)
  const messages = dictGet(conversation, 'messages') as PyValue[]
  const added = [dictGet(conversation, 'append')].flat() as PyValue[]
  const shorter = write(messages, false).text
  return differenceOf('it', growthOf(shorter, write([...messages, ...added], false).text), shorter, vector)
}

function growing(vector: PyDict, conversation: PyDict, template: KnownTemplate): string | undefined {
  const kwargs = dictGet(conversation, 'kwargs')
  const write = template.writer(dictGet(conversation, 'tools'), kwargs)
  const messages = dictGet(conversation, 'messages') as PyValue[]
  const steps = dictGet(vector, 'steps') as PyDict[] | undefined
  if (steps === undefined) {
    // A conversation that cannot be rendered fails at one of its steps.
    for (const count of dictGet(conversation, 'steps') as PyValue[]) write(messages.slice(0, Number(count)), true)
    return undefined
  }
  for (const step of steps) {
    const [from, to] = [Number(dictGet(step, 'from')), Number(dictGet(step, 'to'))]
    const why = stepDifference(step, messages, from, to, write, template, kwargs)
    if (why !== undefined) return `${from} to ${to}: ${why}`
  }
  return undefined
}

function stepDifference(
  step: PyDict,
  messages: readonly PyValue[],
  from: number,
  to: number,
  write: WriteChat<PyValue>,
  template: KnownTemplate,
  kwargs: PyValue | undefined,
): string | undefined {
  const text = (count: number, isAsked: boolean) => write(messages.slice(0, count), isAsked).text
  const [shorter, longer] = [text(from, true), text(to, true)]
  const compared = (name: string, one: string, other: string) => {
    const expected = dictGet(step, name)
    return isDict(expected) ? differenceOf(name, growthOf(one, other), one, expected) : undefined
  }
  return (
    compared('prompt', shorter, longer) ??
    (dictHas(step, 'history') ? compared('history', text(from, false), text(to, false)) : undefined) ??
    (dictHas(step, 'answer') ? compared('answer', text(from + 1, false), longer) : undefined) ??
    turnDifference(step, messages, from, to, write, template, kwargs)
  )
}

/** The prompt plus the model's turn, compared with the next prompt. */
function turnDifference(
  step: PyDict,
  messages: readonly PyValue[],
  from: number,
  to: number,
  write: WriteChat<PyValue>,
  template: KnownTemplate,
  kwargs: PyValue | undefined,
): string | undefined {
  const expected = dictGet(step, 'turn')
  if (!isDict(expected)) return undefined
  const given = messages.slice(0, to)
  const whole = write(given, true)
  const { hasCalls } = traitsOf(given[from]!)
  const turn = modelTurn({ given, message: from, hasCalls, write, whole, end: template.end(kwargs) })
  const ours = turn.isSilent ? null : turn.isKnown ? true : turn.stage === 'history' ? false : null
  const reference = dictGet(expected, 'append_only')
  if (ours !== reference) return `turn: ${String(ours)} (${JSON.stringify(turn)}), expected ${String(reference)}`
  const length = dictGet(expected, 'length')
  // A token that appears only with the next message is not part of what the model wrote.
  const end = turn.isKnown ? turn.span[1] - (turn.stopAt === 'text' ? 0 : (turn.stop?.length ?? 0)) : 0
  if (turn.isKnown && length !== undefined && codePoints(whole.text, end) !== Number(length))
    return `turn: its length is ${codePoints(whole.text, end)}, expected ${String(length)}`
  const at = dictGet(expected, 'first_difference')
  if (ours === false && codePoints(whole.text, turn.isKnown ? 0 : turn.at) !== Number(at))
    return `turn: differs at ${turn.isKnown ? '' : turn.at}, expected ${String(at)}`
  return undefined
}

function differenceOf(name: string, growth: Growth, shorter: string, expected: PyDict): string | undefined {
  if (growth.isAppended !== dictGet(expected, 'append_only')) return `${name}: ${JSON.stringify(growth)}`
  if (growth.isAppended) return undefined
  const at = codePoints(shorter, growth.at)
  const reference = dictGet(expected, 'first_difference')
  return at === Number(reference) ? undefined : `${name}: differs at ${at}, expected ${String(reference)}`
}
