import { suggestName } from '../../../base/errors/nearest.ts'
import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet, isDict, type PyValue, parseJson, stringifyJson } from '../../../base/python/index.ts'
import type { ChatMessage, ChatToolCall } from '../../conversation/chat-message.ts'
import type { Ask } from '../format.ts'
import { presets } from '../presets/index.ts'
import type { InternLM2Layout } from './internlm2-layout.ts'
import { splitTranscript, type TranscriptTurn } from './split-transcript.ts'
import { writeCall } from './write-call.ts'

/** A chat read from its text; `renderChat(chat, format, { want })` writes the text again. */
export type ReadTranscript = {
  messages: ChatMessage[]
  /** How the text ends: where the model speaks, in the middle of its answer, or after a whole turn. */
  want: Ask['want'] & ('generate' | 'continue' | 'complete')
  /** Whether the text starts with BOS. */
  hasBos: boolean
  notes: readonly Note[]
}

/**
 * Reads a text in a format of the InternLM2 family back into messages, as document 004 shows them, its slips included: a turn
 * without end marker ends where the next one starts. Markers that a user typed are indistinguishable from real ones in a text, so
 * read only what you trust.
 *
 * @example
 * const { messages } = readTranscript('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n')
 * messages // => [{ role: 'user', content: 'Hi' }]
 */
export function readTranscript(text: string, format = 'internlm2'): ReadTranscript {
  const layout = layoutOf(format)
  const { turns, hasBos, notes } = splitTranscript(text, layout)
  const last = turns.at(-1)
  const isOpen = last !== undefined && !last.terminated && last.role === 'assistant'
  const want = !isOpen ? 'complete' : last.content === '' ? 'generate' : 'continue'
  const said = want === 'generate' ? turns.slice(0, -1) : turns
  const unended = said.flatMap(({ terminated, role }, index): Note[] =>
    terminated || (isOpen && index === turns.length - 1)
      ? []
      : [{ code: 'no-turn-end', where: `messages[${index}]`, text: `the turn of "${role}" has no end marker` }],
  )
  return { messages: said.map((turn) => readTurn(turn, layout)), want, hasBos, notes: [...notes, ...unended] }
}

function layoutOf(format: string): InternLM2Layout {
  const layout = Object.hasOwn(presets, format) ? presets[format]!.internlm2 : undefined
  if (layout) return layout
  const known = Object.keys(presets).filter((name) => presets[name]!.internlm2)
  throw new PromptError('unknown-format', {
    where: format,
    problem: 'transcripts are read in the formats of the InternLM2 family only',
    fix: suggestName(format, known),
  })
}

function readTurn({ role, name, content }: TranscriptTurn, { action }: InternLM2Layout): ChatMessage {
  const named = name === undefined ? {} : { name }
  const parts = action && role === 'assistant' ? splitCalls(content, action) : { before: content, calls: [] }
  return { role, ...named, content: parts.before, ...(parts.calls.length > 0 ? { tool_calls: parts.calls } : {}) }
}

/** The text before the first call, then each call with the text after it. */
function splitCalls(text: string, action: NonNullable<InternLM2Layout['action']>): { before: string; calls: ChatToolCall[] } {
  const calls: ChatToolCall[] = []
  const starts = { plugin: action.start + action.plugin, interpreter: action.start + action.interpreter }
  const nextStart = (from: number) => {
    const found = (['plugin', 'interpreter'] as const).map((kind) => ({ kind, at: text.indexOf(starts[kind], from) }))
    return found.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0]
  }
  const first = nextStart(0)
  for (let next = first; next; ) {
    const from = next.at + starts[next.kind].length
    const bodyStart = from + (text[from] === '\n' ? 1 : 0)
    const end = text.indexOf(action.end, bodyStart)
    const body = text.slice(bodyStart, end < 0 ? text.length : end)
    const following: typeof next | undefined = end < 0 ? undefined : nextStart(end)
    const after = end < 0 ? '' : text.slice(end + action.end.length, following?.at ?? text.length)
    calls.push({ ...(next.kind === 'plugin' ? readPlugin(body) : readCode(body)), ...(after === '' ? {} : { after }) })
    next = following
  }
  return { before: text.slice(0, first?.at ?? text.length), calls }
}

/** A call that would be written differently, or is malformed, is kept verbatim. */
function withRaw(call: ChatToolCall, written: string, body: string): ChatToolCall {
  return written === body ? call : { ...call, raw: body }
}

function readPlugin(body: string): ChatToolCall {
  const json = tryJson(body)
  const name = isDict(json) ? dictGet(json, 'name') : undefined
  if (!isDict(json) || typeof name !== 'string') return { name: '', raw: body }
  const value = dictGet(json, 'parameters') ?? dictGet(json, 'arguments') ?? {}
  // Arguments that are a string would be taken for JSON.
  const given = typeof value === 'string' ? stringifyJson(value) : value
  return withRaw({ name, arguments: given }, writeCall({ name, arguments: given, path: '' }, 'parameters'), body)
}

function readCode(body: string): ChatToolCall {
  const input = /^```python\n([\s\S]*?)\n?```$/.exec(body)?.[1] ?? body
  const call: ChatToolCall = { type: 'code_interpreter', code_interpreter: { input } }
  return withRaw(call, writeCall({ name: '', arguments: {}, code: input, path: '' }, 'parameters'), body)
}

function tryJson(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
