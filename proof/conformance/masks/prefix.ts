import { dictGet, dictHas, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { type ChatText, growthOf, type WriteChat } from '../../../packages/core/src/masks/chat-text.ts'
import { modelTurn } from '../../../packages/core/src/masks/model-turns.ts'
import { agrees, type Outcome, outcomeOf, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, unless, type Verdict } from '../verdict.ts'
import { codePoints, conversationOf, type KnownTemplate, templateOf, traitsOf } from './references.ts'

/** Whether a template only ever appends to its previous output. */
export const prefixPreserved: Suite = {
  name: 'masks',
  recognises: (vector) => ['grow', 'stability'].includes(String(dictGet(vector, 'group'))) && !dictHas(vector, 'messages'),
  examine(vector, folder) {
    const given = vector as PyDict
    const group = String(dictGet(given, 'group'))
    const template = templateOf(dictGet(given, 'template'), folder)
    const conversation = conversationOf(group, dictGet(given, 'conversation'), folder)
    if (template === undefined || conversation === undefined) return failed('the vectors lack its template or conversation')
    const ours = outcomeOf(() => (group === 'grow' ? growing(given, conversation, template) : stable(given, conversation, template)))
    return trial(ours, (result) => judgeGrowth(result, given))
  },
}

function judgeGrowth(ours: Outcome, vector: PyDict): Verdict {
  if (dictHas(vector, 'error')) return 'error' in ours ? identical : failed('the reference raises an error')
  const steps = dictGet(vector, 'steps') as PyDict[] | undefined
  const wanted = { value: steps ? { steps: steps.map(wantedStep) } : wantedGrowth(vector) }
  return unless(agrees(ours, wanted) ? undefined : `${show(ours)}, expected ${show(wanted)}`)
}

/** What the reference says about two prompts: where they differ, if the longer one does not start with the shorter one. */
function wantedGrowth(expected: PyDict): Record<string, unknown> {
  const isAppended = dictGet(expected, 'append_only')
  if (isAppended === false) return { append_only: false, first_difference: Number(dictGet(expected, 'first_difference')) }
  return { append_only: isAppended, ...(isAppended && dictHas(expected, 'length') ? { length: Number(dictGet(expected, 'length')) } : {}) }
}

function wantedStep(step: PyDict): Record<string, unknown> {
  const compared = ['prompt', 'history', 'answer', 'turn'].filter((name) => isDict(dictGet(step, name) ?? null))
  return Object.fromEntries(compared.map((name) => [name, wantedGrowth(dictGet(step, name) as PyDict)]))
}

type ShownGrowth = { append_only: boolean; first_difference?: number }

function shownGrowth(shorter: string, longer: string): ShownGrowth {
  const growth = growthOf(shorter, longer)
  return growth.isAppended ? { append_only: true } : { append_only: false, first_difference: codePoints(shorter, growth.at) }
}

function stable(vector: PyDict, conversation: PyDict, template: KnownTemplate): ShownGrowth {
  const kwargs = dictGet(vector, 'kwargs') ?? dictGet(conversation, 'kwargs')
  const write = template.writer(dictGet(conversation, 'tools'), kwargs)
  const messages = dictGet(conversation, 'messages') as PyValue[]
  const added = [dictGet(conversation, 'append')].flat() as PyValue[]
  return shownGrowth(write(messages, false).text, write([...messages, ...added], false).text)
}

function growing(vector: PyDict, conversation: PyDict, template: KnownTemplate): { steps: unknown[] } {
  const kwargs = dictGet(conversation, 'kwargs')
  const write = oncePerPrefix(template.writer(dictGet(conversation, 'tools'), kwargs))
  const messages = dictGet(conversation, 'messages') as PyValue[]
  const steps = dictGet(vector, 'steps') as PyDict[] | undefined
  if (steps !== undefined) return { steps: steps.map((step) => shownStep(step, messages, write, template, kwargs)) }
  // A conversation that cannot be rendered fails at one of its steps.
  for (const count of dictGet(conversation, 'steps') as PyValue[]) write(messages.slice(0, Number(count)), true)
  return { steps: [] }
}

/** Renders each prefix of one conversation once: consecutive steps share them. */
function oncePerPrefix(write: WriteChat<PyValue>): WriteChat<PyValue> {
  const known = new Map<number, ChatText>()
  return (messages, isAsked) => {
    const key = 2 * messages.length + Number(isAsked)
    const found = known.get(key) ?? write(messages, isAsked)
    known.set(key, found)
    return found
  }
}

function shownStep(
  step: PyDict,
  messages: readonly PyValue[],
  write: WriteChat<PyValue>,
  template: KnownTemplate,
  kwargs: PyValue | undefined,
): Record<string, unknown> {
  const [from, to] = [Number(dictGet(step, 'from')), Number(dictGet(step, 'to'))]
  const text = (count: number, isAsked: boolean) => write(messages.slice(0, count), isAsked).text
  const compares = (name: string) => isDict(dictGet(step, name) ?? null)
  const longer = text(to, true)
  return {
    ...(compares('prompt') ? { prompt: shownGrowth(text(from, true), longer) } : {}),
    ...(compares('history') ? { history: shownGrowth(text(from, false), text(to, false)) } : {}),
    ...(compares('answer') ? { answer: shownGrowth(text(from + 1, false), longer) } : {}),
    ...(compares('turn') ? { turn: shownTurn(dictGet(step, 'turn') as PyDict, messages.slice(0, to), from, write, template, kwargs) } : {}),
  }
}

/** The prompt plus the model's turn, compared with the next prompt. */
function shownTurn(
  expected: PyDict,
  given: readonly PyValue[],
  from: number,
  write: WriteChat<PyValue>,
  template: KnownTemplate,
  kwargs: PyValue | undefined,
): Record<string, unknown> {
  const whole = write(given, true)
  const { hasCalls } = traitsOf(given[from]!)
  const turn = modelTurn({ given, message: from, hasCalls, write, whole, end: template.end(kwargs) })
  if (turn.isSilent) return { append_only: null }
  if (!turn.isKnown)
    return turn.stage === 'history' ? { append_only: false, first_difference: codePoints(whole.text, turn.at) } : { append_only: null }
  // A token that appears only with the next message is not part of what the model wrote.
  const end = turn.span[1] - (turn.stopAt === 'text' ? 0 : (turn.stop?.length ?? 0))
  return { append_only: true, ...(dictHas(expected, 'length') ? { length: codePoints(whole.text, end) } : {}) }
}
