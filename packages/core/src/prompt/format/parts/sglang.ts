import { contentLoops } from '../../../base/jinja/analyse/content-loops.ts'
import { dictGet, isDict, isList, type PyValue } from '../../../base/python/index.ts'
import {
  type ContentForm,
  type EngineMessage,
  fieldsOf,
  type GivenMessage,
  isRole,
  joinedBy,
  type Modality,
  piecesOfText,
  refusedPart,
  textPart,
  valueAt,
  type WrittenPart,
  withParts,
  withReadArguments,
  withText,
} from './engine-message.ts'

/** Whether SGLang takes a template for one that loops over parts: the mere word "image" is enough. */
export function sglangForm(template: string): ContentForm {
  return /image|audio|video|vision/.test(template) || contentLoops(template).byName ? 'parts' : 'string'
}

/** Messages as SGLang passes them to the template. */
export function asSglang(messages: readonly GivenMessage[], form: ContentForm): EngineMessage[] {
  return messages.map((given) => {
    const content = dictGet(given.message, 'content') ?? ''
    const fields = fieldsSeen(given)
    if (!isList(content)) return withText(fields, piecesOfText(given, String(content)))
    const parts = content.flatMap((part, index) => readPart(given, part, index))
    const texts = parts.filter(({ modality }) => modality === undefined).map(({ pieces }) => pieces)
    const isJoined = form !== 'parts' || (isRole(given, 'tool') && texts.length === parts.length)
    return isJoined ? withText(fields, joinedBy(' ', texts)) : withParts(fields, parts)
  })
}

const media: Readonly<Record<string, Modality>> = { image_url: 'image', audio_url: 'audio', video_url: 'video', input_audio: 'audio' }

/** A part by SGLang's request model, which refuses all other types. */
function readPart(given: GivenMessage, part: PyValue, index: number): (WrittenPart & { modality?: Modality | 'reference' })[] {
  const where = `${given.path}.content[${index}]`
  const type = isDict(part) ? dictGet(part, 'type') : undefined
  if (typeof type !== 'string') throw refusedPart(where, 'SGLang takes only parts with a type', 'add a type, such as "text" or "image_url"')
  if (type === 'text') {
    const text = valueAt(part, 'text')
    if (typeof text !== 'string') throw refusedPart(where, 'the text of this part is not text', 'write it as a string')
    return [{ part: textPart(text), pieces: piecesOfText(given, text, index) }]
  }
  if (type === 'thinking' || type === 'reasoning') {
    if (!isRole(given, 'assistant')) throw refusedPart(where, `SGLang takes ${type} parts only from the assistant`)
    return []
  }
  if (type === 'tool_reference') return [{ part: { type, name: valueAt(part, 'name') ?? null }, pieces: [], modality: 'reference' }]
  const modality = media[type]
  if (modality === undefined) throw refusedPart(where, `SGLang does not take parts of the type "${type}"`)
  const isComplete =
    type === 'input_audio'
      ? typeof valueAt(part, type, 'data') === 'string' && ['wav', 'mp3'].includes(String(valueAt(part, type, 'format')))
      : typeof valueAt(part, type, 'url') === 'string'
  if (!isComplete)
    throw refusedPart(where, `SGLang wants { "${type}": { ${type === 'input_audio' ? '"data": …, "format": "wav"' : '"url": …'} } }`)
  return [{ part: { type: modality }, pieces: [], modality }]
}

/** A user's message has no other fields; those of the rest are listed by SGLang's request model. */
function fieldsSeen({ message, path }: GivenMessage): [string, PyValue][] {
  if (dictGet(message, 'role') === 'user') return fieldsOf(message, [])
  return fieldsOf(message, ['tool_call_id', 'name', 'reasoning_content', 'tool_calls', 'tools']).map(([key, value]) => [
    key,
    key === 'tool_calls' ? callsSeen(withReadArguments(value, 'SGLang', path), path) : value,
  ])
}

/** Calls as its request model writes them out: with an index, which may be null. */
function callsSeen(calls: PyValue, path: string): PyValue {
  if (!isList(calls)) return calls
  return calls.map((call, index) => {
    if (!isDict(valueAt(call, 'function', 'arguments') ?? {}))
      throw refusedPart(`${path}.tool_calls[${index}]`, 'SGLang wants arguments that are an object', 'correct the arguments of the call')
    return {
      id: valueAt(call, 'id') ?? null,
      index: valueAt(call, 'index') ?? null,
      type: 'function',
      function: { name: valueAt(call, 'function', 'name') ?? null, arguments: valueAt(call, 'function', 'arguments') ?? null },
    }
  })
}
