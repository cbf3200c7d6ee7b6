import { dictEntries, dictFromEntries, dictGet, dictHas, isDict, isList, type PyDict, type PyValue } from '../../../base/python/index.ts'
import {
  type EngineMessage,
  fieldsOf,
  type GivenMessage,
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

/** Messages as the `apply_chat_template` of a processor passes them on: it renames `image_url`, and nothing else. */
export function asTransformers(messages: readonly GivenMessage[]): EngineMessage[] {
  return messages.map((given) => {
    const { message } = given
    const content = dictGet(message, 'content')
    if (typeof content === 'string') return { message, content: piecesOfText(given, content) }
    if (!isList(content ?? null)) return { message }
    const parts = (content as readonly PyValue[]).map((part, index): WrittenPart => {
      const text = typeof part === 'string' ? part : valueAt(part, 'text')
      return { part: renamed(part), pieces: typeof text === 'string' ? piecesOfText(given, text, index) : [] }
    })
    const others = dictEntries(message).map(([key, value]): [string, PyValue] => [
      key,
      key === 'content' ? parts.map(({ part }) => part) : value,
    ])
    return { message: dictFromEntries(others), parts: parts.map(({ pieces }) => pieces) }
  })
}

function renamed(part: PyValue): PyValue {
  if (!isDict(part) || dictGet(part, 'type') !== 'image_url' || !dictHas(part, 'image_url')) return part
  const given = dictGet(part, 'image_url')!
  return { type: 'image', url: isDict(given) ? (dictGet(given, 'url') ?? '') : given }
}

/** Messages as `transformers serve` passes them to the processor: texts alone for a text model, else parts of the types it knows. */
export function asTransformersServe(messages: readonly GivenMessage[], accepts: readonly Modality[]): EngineMessage[] {
  return messages.map((given) => {
    const { message, path } = given
    const calls = dictGet(message, 'tool_calls')
    const fields = [
      ...fieldsOf(message, []),
      ...(calls === undefined ? [] : [['tool_calls', withReadArguments(calls, 'transformers serve', path)] as [string, PyValue]]),
      ...fieldsOf(message, ['tool_call_id']).slice(1),
    ]
    const content = calls === undefined ? (dictGet(message, 'content') ?? []) : []
    const parts =
      typeof content === 'string'
        ? content === ''
          ? []
          : [{ part: textPart(content), pieces: piecesOfText(given, content) }]
        : isList(content)
          ? content.flatMap((part, index) => readPart(given, part, index, accepts))
          : []
    return accepts.length > 0
      ? withParts(fields, parts)
      : withText(
          fields,
          joinedBy(
            ' ',
            parts.map(({ pieces }) => pieces),
          ),
        )
  })
}

function readPart(given: GivenMessage, part: PyValue, index: number, accepts: readonly Modality[]): WrittenPart[] {
  const where = `${given.path}.content[${index}]`
  const type = isDict(part) ? dictGet(part, 'type') : undefined
  if (type === undefined) throw refusedPart(where, 'transformers serve takes only parts with a type', 'add a type, such as "text"')
  if (type === 'text' || type === 'input_text' || type === 'output_text') {
    const text = valueAt(part, 'text')
    if (typeof text !== 'string') throw refusedPart(where, 'the text of this part is not text', 'write it as a string')
    return [{ part: textPart(text), pieces: piecesOfText(given, text, index) }]
  }
  const found = mediaOf(part as PyDict, String(type))
  // Types that it does not know are dropped without a word.
  if (found === undefined || !accepts.includes(found.type)) return []
  return [{ part: found, pieces: [] }]
}

function mediaOf(part: PyDict, type: string): { type: Modality; url: PyValue } | undefined {
  const value = dictGet(part, type === 'input_image' ? 'image_url' : type)
  const url = isDict(value) ? (dictGet(value, 'url') ?? null) : (value ?? null)
  if (type === 'image_url' || type === 'input_image') return { type: 'image', url }
  if (type === 'video_url') return { type: 'video', url }
  if (type === 'audio_url') return { type: 'audio', url }
  if (type !== 'input_audio') return undefined
  const format = valueAt(value, 'format')
  const data = valueAt(value, 'data') ?? null
  return { type: 'audio', url: isDict(value) ? (format ? `data:audio/${String(format)};base64,${String(data)}` : data) : url }
}
