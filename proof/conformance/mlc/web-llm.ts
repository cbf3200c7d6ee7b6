import { dictGet, dictHas, isDict, type PyDict, type PyValue, parseJson } from '../../../packages/core/src/base/python/index.ts'
import { readChat } from '../../../packages/core/src/prompt/conversation/read-chat.ts'
import { functionString } from '../../../packages/core/src/prompt/format/mlc/function-string.ts'
import { newSegments } from '../../../packages/core/src/prompt/format/mlc/new-segments.ts'
import { type Outcome, outcomeOf, sameValue, show } from '../outcome.ts'
import { webLlmRules } from '../rules/web-llm.ts'
import { type Trial, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { joined, newConversation, newPromptSubject, saidIn, thoughtIn } from './new-prompt.ts'
import type { MlcVector } from './vector.ts'
import { NotWritten, type Ways, writeAsWebLlm } from './web-llm-writer.ts'

type Way = Parameters<Ways['has']>[0]
const none: Ways = new Set()
const ways = [...Object.keys(webLlmRules), 'system-without-slot'] as Way[]

/**
 * WebLLM renders MLC-LLM templates differently; Rolecall follows MLC-LLM. Where the two differ, three things must hold: our result
 * equals an independent MLC-LLM rendering; with all WebLLM deviations it equals WebLLM's; and removing one of them changes the result.
 */
export function examineWebLlm(vector: MlcVector): Trial {
  if (vector.mode === 'function-usage') return examineFunctions(vector)
  const expected = vector.expected === undefined ? undefined : flatten(vector.expected)
  return trial(
    outcomeOf(() => oursOf(vector)),
    (ours) => judgePrompt(vector, ours, expected),
  )
}

function judgePrompt(vector: MlcVector, ours: Outcome, expected: unknown[] | undefined): Verdict {
  if (isSame(ours, expected)) return identical
  const plain = written(vector, none)
  if (!isSame(ours, plain)) return failed(`ours ${show(ours)}, and MLC-LLM's way ${JSON.stringify(plain)}`)
  const theirs = written(vector, new Set(ways))
  if (!sameValue(theirs, expected)) return failed(`WebLLM's way ${JSON.stringify(theirs)}, expected ${JSON.stringify(expected)}`)
  const rule = ways.find((way) => !sameValue(written(vector, new Set(ways.filter((other) => other !== way))), theirs))
  // If two deviations have the same effect, either one alone makes the difference.
  return { kind: 'rule', rule: rule ?? ways.find((way) => !sameValue(written(vector, new Set([way])), plain))! }
}

/** The prompt with these deviations; undefined if it is rejected. */
function written(vector: MlcVector, chosen: Ways): unknown[] | undefined {
  try {
    return writeAsWebLlm(vector, chosen)
  } catch (error) {
    if (error instanceof NotWritten) return undefined
    throw error
  }
}

function oursOf(vector: MlcVector): unknown[] {
  const given = asNew(vector)
  if (vector.mode !== 'last_round') return flatten((newPromptSubject(given).produce() as { prompt: PyValue }).prompt)
  return joined(newSegments(newConversation(given), saidIn(given), { from: 'last-round', ...thoughtIn(given) }).flat())
}

/** A vector's system message acts like one in a config; so does the tools text. */
function asNew({ override_system_message: system, function_string: functions, config, ...vector }: MlcVector): MlcVector {
  const changes = {
    ...(system === undefined ? {} : { system_message: system }),
    ...(functions === undefined ? {} : { function_string: functions }),
  }
  return { ...vector, config: { ...(config as object), ...changes } }
}

/** The tools of a request as the model sees them; empty if no call is allowed. */
function examineFunctions({ messages, tools, tool_choice: choice, expected }: MlcVector): Trial {
  const produce = () => {
    const chat = readChat({ messages: messages as never, ...(tools ? { tools } : {}) })
    return functionString(tools ? (chat.kind === 'dialogue' ? (chat.tools ?? []) : []) : undefined, choice ?? 'auto') ?? ''
  }
  return trial(outcomeOf(produce), (ours) => {
    if (isSame(ours, expected)) return identical
    const listed = typeof expected === 'string' && expected !== '' ? parseJson(expected) : undefined
    const shown = 'value' in ours && typeof ours.value === 'string' && ours.value !== '' ? parseJson(ours.value) : undefined
    const isAlike = listed !== undefined && shown !== undefined && sameValue(functionsIn(listed), functionsIn(shown))
    return isAlike ? { kind: 'rule', rule: 'web-llm-function-list' } : failed(`ours ${show(ours)}, expected ${JSON.stringify(expected)}`)
  })
}

/** Functions as both list them, without missing descriptions. */
function functionsIn(value: PyValue): unknown[] {
  return [value].flat().map((one) => {
    const entry = one as PyDict
    const given = isDict(entry)
      ? ['name', 'description', 'parameters'].filter((key) => dictHas(entry, key) && dictGet(entry, key) !== null)
      : []
    return Object.fromEntries(given.map((key) => [key, dictGet(entry, key)]))
  })
}

function isSame(ours: Outcome, expected: unknown): boolean {
  return 'error' in ours ? expected === undefined : expected !== undefined && sameValue(ours.value, expected)
}

/** Both return segments; their concatenation is the prompt. */
function flatten(value: PyValue): unknown[] {
  const parts: unknown[] = []
  for (const part of (value as unknown[]).flat(2)) {
    if (typeof part === 'string' && typeof parts.at(-1) === 'string') parts[parts.length - 1] += part
    else if (part !== '') parts.push(part)
  }
  return parts
}
