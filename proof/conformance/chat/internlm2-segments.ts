import { dictEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { compileChat } from '../../../packages/core/src/internal/compile.ts'
import type { ChatMessage, ChatToolCall, Tokenizer } from '../../../packages/rolecall/src/index.ts'
import { tokenize } from '../../../packages/rolecall/src/tokenizers.ts'
import { agrees, outcomeOf, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, unless } from '../verdict.ts'

/** Document 004: the ids and text runs of a chat, for any user and tool input. */
export const internlm2Segments: Suite = {
  name: 'chat',
  recognises: (vector) => dictGet(vector, 'group') === 'internlm2-segments',
  examine(vector) {
    if (!isDict(vector)) return failed('no vector')
    const expected = dictGet(vector, 'expected')
    // Vectors without a list are about names that must be rejected.
    const wanted = isList(expected) ? { value: expected } : undefined
    return trial(
      outcomeOf(() => segmentsOf(vector)),
      (ours) => unless(agrees(ours, wanted) ? undefined : `we give ${show(ours)}, expected ${JSON.stringify(expected)}`),
    )
  },
}

function segmentsOf(vector: PyDict): (number | string)[] {
  const options = dictGet(vector, 'options')
  const given = dictGet(vector, 'messages')
  if (!isDict(options) || !isList(given)) throw new Error('the vector has no options or messages')
  const bos = dictGet(options, 'bos') === true ? 'in-prompt' : 'none'
  const { format, render } = compileChat({ format: 'internlm2', format_options: { bos } })
  const want = dictGet(options, 'add_generation_prompt') === true ? 'generate' : 'complete'
  const prompt = render({ messages: given.filter(isDict).map(readMessage) }, { want })
  if (prompt.kind !== 'completion') throw new Error('not a completion')
  const { ids } = tokenize(prompt, documentedTokenizer, { markers: format.markers, tokens: format.tokens })
  const segments: (number | string)[] = []
  for (const id of ids) {
    const last = segments.at(-1)
    if (id < firstCharacter) segments.push(id)
    else if (typeof last === 'string') segments[segments.length - 1] = last + String.fromCharCode(id - firstCharacter)
    else segments.push(String.fromCharCode(id - firstCharacter))
  }
  return segments
}

/** `actions` holds the assistant's calls as text. */
function readMessage(message: PyDict): ChatMessage {
  const actions = dictGet(message, 'actions')
  const given = Object.fromEntries(dictEntries(message).filter(([key]) => key !== 'actions')) as ChatMessage
  return isList(actions) ? { ...given, tool_calls: actions.map(readAction) } : given
}

function readAction(action: PyValue): ChatToolCall {
  const text = isDict(action) ? String(dictGet(action, 'text')) : ''
  if (isDict(action) && dictGet(action, 'kind') === 'interpreter') return { type: 'code_interpreter', code_interpreter: { input: text } }
  return { name: '', raw: text }
}

const firstCharacter = 1_000_000
const tokens: Record<string, number> = {
  '<unk>': 0,
  '<s>': 1,
  '</s>': 2,
  '<|plugin|>': 92_538,
  '<|interpreter|>': 92_539,
  '<|action_end|>': 92_540,
  '<|action_start|>': 92_541,
  '<|im_end|>': 92_542,
  '<|im_start|>': 92_543,
}

/** The documented ids, plus one id per character so that runs can be decoded from the ids. */
const documentedTokenizer: Tokenizer = {
  name: 'the documented ids',
  size: 92_544,
  addedTokens: Object.entries(tokens).map(([content, id]) => ({ id, content, special: true, lstrip: false, rstrip: false })),
  idOf: (token) => tokens[token],
  tokenOf: (id) => Object.keys(tokens).find((token) => tokens[token] === id),
  bytesOf: () => new Uint8Array(),
  before: [1],
  after: [],
  bos: 1,
  eos: 2,
  encodeRun(text) {
    const starts = Array.from({ length: text.length }, (_, index) => index)
    const ids = starts.map((index) => firstCharacter + text.charCodeAt(index))
    return { ids, starts, ends: starts.map((index) => index + 1), partial: new Set() }
  },
}
