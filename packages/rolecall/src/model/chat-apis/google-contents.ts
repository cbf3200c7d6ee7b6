import type { Note } from '@rolecall/core/internal/errors'
import { dictGet, isDict, type PyDict, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { MessagesPrompt } from '../openai/wire-api.ts'
import type { RememberedCalls } from './remembered-calls.ts'
import { SentCalls } from './sent-calls.ts'
import { type MessagePart, onlyText, partsOf } from './sent-parts.ts'
import { splitChat } from './system-turns.ts'

const api = "Gemini's API"

/** What a call of an earlier reply had beside its name and arguments. */
export type GoogleCall = { signature: string | undefined; hasId: boolean }

type Content = { role: 'user' | 'model'; parts: PyValue[]; isResult: boolean }

/** In place of the signature of a call that another model, or another process, has made. */
const foreignSignature = 'skip_thought_signature_validator'

/** A chat as the fields `contents`, `systemInstruction` and `tools`. */
export function googleChat(
  prompt: MessagesPrompt,
  model: string,
  known: RememberedCalls<GoogleCall>,
): { said: string; notes: readonly Note[] } {
  const { system, turns, notes } = splitChat(prompt.messages, api)
  const calls = new SentCalls()
  const contents: Content[] = []
  for (const { message, role, where } of turns) {
    if (role === 'tool') {
      const { id, name } = calls.answered(message)
      const result = { ...idOf(id), name, response: { output: onlyText(message, api) } }
      const last = contents.at(-1)
      // Results of calls that were made together are one turn.
      if (last?.isResult) last.parts.push({ functionResponse: result })
      else contents.push({ role: 'user', parts: [{ functionResponse: result }], isResult: true })
      continue
    }
    const made = role === 'assistant' ? calls.of(message, where) : []
    const parts = [...partsOf(message).map(partOf), ...made.map(({ id, name, input }, index) => callOf(id, name, input, index))]
    contents.push({ role: role === 'assistant' ? 'model' : 'user', parts: parts.length > 0 ? parts : [{ text: '' }], isResult: false })
  }
  const instructions = system.map((message) => onlyText(message, api)).filter((text) => text !== '')
  const fields: [string, PyValue][] = [
    ['contents', contents.map(({ role, parts }) => ({ role, parts }))],
    ...(instructions.length === 0 ? [] : [['systemInstruction', { parts: instructions.map((text) => ({ text })) }] as [string, PyValue]]),
    ...(prompt.tools && prompt.tools.length > 0
      ? [['tools', [{ functionDeclarations: prompt.tools.map(({ schema }) => declarationOf(schema)) }]] as [string, PyValue]]
      : []),
  ]
  const said = fields.map(([key, value]) => `"${key}":${stringifyJson(value, compact)}`).join(',')
  return { said, notes: [...notes, ...calls.notes] }

  function callOf(id: string, name: string, args: PyDict, index: number): PyDict {
    const kept = known.of(id)
    // Newer models refuse a turn whose first call is not signed.
    const signature = kept ? kept.signature : index === 0 && /gemini-(?:[3-9]|\d\d)/.test(model) ? foreignSignature : undefined
    return { functionCall: { ...idOf(id), name, args }, ...(signature === undefined ? {} : { thoughtSignature: signature }) }
  }

  /** The ids that the API has given; ours only link results to calls here. */
  function idOf(id: string): { id?: string } {
    return known.of(id)?.hasId ? { id } : {}
  }
}

const compact = { ensureAscii: false, separators: [',', ':'] } as const

function partOf(part: MessagePart): PyDict {
  if ('text' in part) return { text: part.text }
  const { source } = part
  return 'url' in source ? { fileData: { fileUri: source.url } } : { inlineData: { mimeType: source.type, data: source.data } }
}

function declarationOf(schema: PyDict): PyDict {
  const [name, description, parameters] = ['name', 'description', 'parameters'].map((key) => dictGet(schema, key))
  return {
    name: name ?? '',
    ...(typeof description === 'string' ? { description } : {}),
    ...(isDict(parameters) ? { parametersJsonSchema: parameters } : {}),
  }
}
