import { watchTemplate } from '../../../base/jinja/analyse/watch-template.ts'
import { dictFromEntries, dictGet, isDict, isList, type PyDict, type PyValue, stringifyJson, strip } from '../../../base/python/index.ts'
import { type TextPiece, textOf } from '../../../base/text/index.ts'
import {
  type ContentForm,
  type EngineMessage,
  fieldsOf,
  type GivenMessage,
  jointOf,
  piecesOfText,
  placeholderOf,
  refusedPart,
  textPart,
  valueAt,
  withParts,
  withReadArguments,
  withText,
} from './engine-message.ts'

/** What llama.cpp believes that a template supports, found by rendering small chats. */
export type LlamaCppCapabilities = {
  form: ContentForm
  /** Contents that are strings, and contents that are lists; if both or neither, nothing is converted. */
  string: boolean
  typed: boolean
  /** A system message is read; otherwise it is put before the next one. */
  system: boolean
  /** The arguments of a call may be an object. */
  objectArguments: boolean
}

const marker = 'STRING_MARKER'

/** Probes a template as llama.cpp does: it renders strings and watches how they are used. */
export function llamaCppCapabilities(template: string): LlamaCppCapabilities {
  const render = watchTemplate(template)
  const probe = (messages: readonly PyValue[], tools: readonly PyValue[] = []) =>
    render({ messages, tools, bos_token: '', eos_token: '', add_generation_prompt: true })
  const plain = probe([{ role: 'user', content: marker }])
  const typed = plain.asList.has('messages[0].content')
  const string = plain.text !== undefined && (!typed || plain.text.includes(marker))
  const system = probe([
    { role: 'system', content: 'System message' },
    { role: 'user', content: 'User message' },
  ])
  const called = probe(calledMessages, [tool])
  return {
    form: string === typed ? 'as-given' : typed ? 'parts' : 'string',
    string,
    typed,
    system: system.used.has('messages[0].content'),
    objectArguments: called.text !== undefined && called.used.has('messages[1].tool_calls[0].function.arguments.arg'),
  }
}

const calledMessages: readonly PyValue[] = [
  { role: 'user', content: 'User message' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call00001', type: 'function', function: { name: 'tool1', arguments: { arg: 'value' } } }],
  },
  { role: 'tool', content: 'Tool response', tool_call_id: 'call00001' },
  { role: 'assistant', content: "The tool response was 'tool response'" },
  { role: 'user', content: 'User message' },
]

const tool: PyDict = {
  name: 'tool',
  type: 'function',
  function: {
    name: 'tool1',
    description: 'Tool description',
    parameters: { type: 'object', properties: { arg: { type: 'string', description: 'Arg description' } }, required: ['arg'] },
  },
}

export type LlamaCppOptions = {
  capabilities: LlamaCppCapabilities
  /** The template: llama.cpp trims the texts of one family. */
  template: string
  /** The placeholder of media in the prompt; a server chooses a random one, and replaces it by the model's tokens. */
  mediaMarker?: string | undefined
}

/** Messages as llama.cpp's server passes them to the template. */
export function asLlamaCpp(messages: readonly GivenMessage[], options: LlamaCppOptions): EngineMessage[] {
  const { capabilities, template } = options
  const isTrimmed = template.includes('You have access to the following functions in JSONSchema format')
  const seen = messages.map((given) => convert(given, options, isTrimmed))
  const isOwnDeveloper = template.includes('<|channel|>')
  const roles = seen.map((one) =>
    !isOwnDeveloper && dictGet(one.message, 'role') === 'developer'
      ? { ...one, message: { ...asRecord(one.message), role: 'system' } }
      : one,
  )
  return capabilities.system ? roles : withoutSystem(roles, messages)
}

function convert(given: GivenMessage, { capabilities, mediaMarker = '<__media__>' }: LlamaCppOptions, isTrimmed: boolean): EngineMessage {
  const { message } = given
  const content = dictGet(message, 'content') ?? ''
  const fields = fieldsSeen(given, capabilities)
  const trimmed = (text: string) => (isTrimmed ? strip(text) : text)
  const { form } = capabilities
  if (!isList(content)) {
    const pieces = piecesOfText(given, trimmed(String(content)))
    return form === 'parts' ? withParts(fields, [{ part: textPart(textOf(pieces)), pieces }]) : withText(fields, pieces)
  }
  const parts = content.map((part, index) => readPart(given, part, index, mediaMarker, trimmed))
  const hasMedia = parts.some(({ isMedia }) => isMedia)
  if (parts.length > 0 && !hasMedia && form !== 'string')
    return withParts(
      fields,
      parts.map(({ pieces }) => ({ part: textPart(textOf(pieces)), pieces })),
    )
  const text = joined(parts)
  return form === 'parts' ? withParts(fields, [{ part: textPart(textOf(text)), pieces: text }]) : withText(fields, text)
}

type ReadPart = { pieces: readonly TextPiece[]; isMedia: boolean }

function readPart(given: GivenMessage, part: PyValue, index: number, mediaMarker: string, trimmed: (text: string) => string): ReadPart {
  const where = `${given.path}.content[${index}]`
  const type = isDict(part) ? dictGet(part, 'type') : undefined
  if (type === 'image_url' || type === 'input_audio' || type === 'input_video')
    return { pieces: [placeholderOf(mediaMarker)], isMedia: true }
  const text = valueAt(part, 'text')
  if (type !== 'text')
    throw refusedPart(where, `llama.cpp does not take ${typeof type === 'string' ? `parts of the type "${type}"` : 'parts without a type'}`)
  if (typeof text !== 'string') throw refusedPart(where, 'the text of this part is not text', 'write it as a string')
  return { pieces: piecesOfText(given, trimmed(text), index), isMedia: false }
}

/** Texts are joined by a newline, but not beside media, and not before the first text. */
function joined(parts: readonly ReadPart[]): TextPiece[] {
  const text: TextPiece[] = []
  for (const [index, { pieces, isMedia }] of parts.entries()) {
    const isAfterMedia = parts[index - 1]?.isMedia === true
    if (!isMedia && !isAfterMedia && textOf(text) !== '') text.push(jointOf('\n'))
    text.push(...pieces)
  }
  return text
}

/** The system message is put before the next one; both must be one text. */
function withoutSystem(seen: readonly EngineMessage[], given: readonly GivenMessage[]): EngineMessage[] {
  const [first, second, ...others] = seen
  if (first === undefined || dictGet(first.message, 'role') !== 'system') return [...seen]
  if (second === undefined) return []
  const list = [first, second].findIndex(({ content }) => content === undefined)
  if (list >= 0)
    throw refusedPart(
      `${given[list]!.path}.content`,
      'llama.cpp puts the system message before the next one, since the template does not read it, and cannot do that with a list of parts',
      'write the content as one text',
    )
  const content = [...first.content!, jointOf('\n'), ...second.content!]
  return [{ message: { ...asRecord(second.message), content: textOf(content) }, content }, ...others]
}

function asRecord(message: PyDict): Record<string, PyValue> {
  return message instanceof Map ? Object.fromEntries(message) : { ...(message as Record<string, PyValue>) }
}

/** The fields besides the content, in llama.cpp's order; empty ones are left out. */
function fieldsSeen({ message, path }: GivenMessage, { objectArguments }: LlamaCppCapabilities): [string, PyValue][] {
  return fieldsOf(message, ['reasoning_content', 'name', 'tool_call_id', 'tool_calls']).flatMap(([key, value]): [string, PyValue][] => {
    if (value === '' || (isList(value) && value.length === 0)) return []
    if (key !== 'tool_calls' || !isList(value)) return [[key, value]]
    const calls = value.map(callSeen)
    return [[key, objectArguments ? withReadArguments(calls, 'llama.cpp', path) : calls]]
  })
}

/** Arguments are text until the template is known to take objects. */
function callSeen(call: PyValue): PyValue {
  const given = valueAt(call, 'function', 'arguments') ?? {}
  const id = valueAt(call, 'id')
  return dictFromEntries([
    ['type', 'function'],
    [
      'function',
      {
        name: valueAt(call, 'function', 'name') ?? '',
        arguments: typeof given === 'string' ? given : stringifyJson(given, { ensureAscii: false, separators: [',', ':'] }),
      },
    ],
    ...(typeof id === 'string' && id !== '' ? [['id', id] as [string, PyValue]] : []),
  ])
}
