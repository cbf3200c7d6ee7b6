import { webLlmRules } from '../../src/base/fidelity/web-llm-fidelity.ts'
import { dictGet, dictHas, isDict, type PyDict, type PyValue, parseJson } from '../../src/base/python/index.ts'
import { readChat } from '../../src/prompt/conversation/read-chat.ts'
import { functionString } from '../../src/prompt/format/mlc/function-string.ts'
import { newSegments } from '../../src/prompt/format/mlc/new-segments.ts'
import type { Verdict } from '../judge.ts'
import { type Outcome, outcomeOf, sameValue } from '../outcome.ts'
import { joined, newConversation, newPromptSubject, saidIn } from './new-prompt.ts'
import type { MlcVector } from './vector.ts'
import { NotWritten, type Ways, writeAsWebLlm } from './web-llm-writer.ts'

type Way = Parameters<Ways['has']>[0]
const none: Ways = new Set()
const ways = [...Object.keys(webLlmRules), 'system-without-slot'] as Way[]

/**
 * WebLLM writes the templates of MLC-LLM in its own way, and Rolecall in MLC-LLM's. Where the two differ, three things must hold: ours is
 * MLC-LLM's way, written independently; with all that WebLLM does differently it is WebLLM's; and one of these things, taken back, matters.
 */
export function judgeWebLlm(vector: MlcVector): Verdict {
  if (vector.mode === 'function-usage') return judgeFunctions(vector)
  const expected = vector.expected === undefined ? undefined : flatten(vector.expected)
  const ours = outcomeOf(() => oursOf(vector))
  if (isSame(ours, expected)) return { kind: 'passed' }
  const plain = written(vector, none)
  if (!isSame(ours, plain)) return { kind: 'failed', why: `ours ${show(ours)}, and MLC-LLM's way ${JSON.stringify(plain)}` }
  const theirs = written(vector, new Set(ways))
  if (!sameValue(theirs, expected))
    return { kind: 'failed', why: `WebLLM's way ${JSON.stringify(theirs)}, expected ${JSON.stringify(expected)}` }
  const rule = ways.find((way) => !sameValue(written(vector, new Set(ways.filter((other) => other !== way))), theirs))
  // Where two ways come to the same thing, one of them alone makes the difference.
  return { kind: 'deviation', rule: rule ?? ways.find((way) => !sameValue(written(vector, new Set([way])), plain))! }
}

/** The prompt as the ways have it; undefined where it is refused. */
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
  return joined(newSegments(newConversation(given), saidIn(given), { from: 'last-round' }).flat())
}

/** The system message that a vector sets is what a config would say; so is the text of the tools. */
function asNew({ override_system_message: system, function_string: functions, config, ...vector }: MlcVector): MlcVector {
  const changes = {
    ...(system === undefined ? {} : { system_message: system }),
    ...(functions === undefined ? {} : { function_string: functions }),
  }
  return { ...vector, config: { ...(config as object), ...changes } }
}

/** What the tools of a request are to the model; nothing where none may be called. */
function judgeFunctions({ messages, tools, tool_choice: choice, expected }: MlcVector): Verdict {
  const ours = outcomeOf(() => {
    const chat = readChat({ messages: messages as never, ...(tools ? { tools } : {}) })
    return functionString(tools ? (chat.kind === 'dialogue' ? (chat.tools ?? []) : []) : undefined, choice ?? 'auto') ?? ''
  })
  if (isSame(ours, expected)) return { kind: 'passed' }
  const listed = typeof expected === 'string' && expected !== '' ? parseJson(expected) : undefined
  const shown = 'value' in ours && typeof ours.value === 'string' && ours.value !== '' ? parseJson(ours.value) : undefined
  const isAlike = listed !== undefined && shown !== undefined && sameValue(functionsIn(listed), functionsIn(shown))
  return isAlike
    ? { kind: 'deviation', rule: 'web-llm-function-list' }
    : { kind: 'failed', why: `ours ${show(ours)}, expected ${JSON.stringify(expected)}` }
}

/** Functions as both list them, without descriptions that are not given. */
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

function show(ours: Outcome): string {
  return 'error' in ours ? `${ours.error.code} (${ours.error.message})` : JSON.stringify(ours.value)
}

/** Both write segments; the prompt is what they come to together. */
function flatten(value: PyValue): unknown[] {
  const parts: unknown[] = []
  for (const part of (value as unknown[]).flat(2)) {
    if (typeof part === 'string' && typeof parts.at(-1) === 'string') parts[parts.length - 1] += part
    else if (part !== '') parts.push(part)
  }
  return parts
}
