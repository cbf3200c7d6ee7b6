import { PromptError } from '../../../base/errors/prompt-error.ts'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  isDict,
  isList,
  JsonSyntaxError,
  type PyDict,
  type PyValue,
  parseJson,
} from '../../../base/python/index.ts'
import { control, plain, type TextPiece, textOf } from '../../../base/text/index.ts'

/** Media of a message, by what they are for a model. */
export type Modality = 'image' | 'audio' | 'video'

/** What a template is given as content: one text, a list of parts, or whatever the client sent. */
export type ContentForm = 'string' | 'parts' | 'as-given'

/** A message before an engine converts it. */
export type GivenMessage = {
  message: PyDict
  /** The texts of its content with their origins; those of a list of parts have the number of their part. */
  pieces: readonly TextPiece[]
  /** Its place: `messages[0]`. */
  path: string
}

/** A message as an engine passes it to the template. */
export type EngineMessage = {
  message: PyDict
  /** The origins of a content that is one text. */
  content?: readonly TextPiece[]
  /** The origins of the text of each part, if the content is a list. */
  parts?: readonly (readonly TextPiece[])[]
}

/** The text of a part, or of the whole content, with its origins. */
export function piecesOfText({ pieces, path }: GivenMessage, text: string, part?: number): readonly TextPiece[] {
  const own = part === undefined ? pieces : pieces.filter((piece) => piece.part === part)
  if (textOf(own) === text) return own
  const first = own.find((piece) => piece.text !== '')
  const source = first?.source ?? ({ by: 'message', path: `${path}.content${part === undefined ? '' : `[${part}]`}` } as const)
  return text === '' ? [] : [plain(text, source)]
}

/** Text that an engine writes between parts. */
export function jointOf(text: string): TextPiece {
  return plain(text, { by: 'format', path: 'parts' })
}

/** Text that an engine writes in place of media: the model's own tokens. */
export function placeholderOf(text: string): TextPiece {
  return control(text, { by: 'format', path: 'parts' })
}

/** Texts joined by a separator, with the origins of each. */
export function joinedBy(separator: string, texts: readonly (readonly TextPiece[])[]): TextPiece[] {
  return texts.flatMap((text, index) => (index === 0 || separator === '' ? [...text] : [jointOf(separator), ...text]))
}

/** A message with one text as content. */
export function withText(fields: readonly [string, PyValue][], content: readonly TextPiece[]): EngineMessage {
  return { message: withContent(fields, textOf(content)), content }
}

/** A part as the template gets it, and the origins of its text. */
export type WrittenPart = { part: PyValue; pieces: readonly TextPiece[] }

/** A message with a list of parts as content. */
export function withParts(fields: readonly [string, PyValue][], parts: readonly WrittenPart[]): EngineMessage {
  return {
    message: withContent(
      fields,
      parts.map(({ part }) => part),
    ),
    parts: parts.map(({ pieces }) => pieces),
  }
}

/** The content comes after the role, as in every engine. */
function withContent(fields: readonly [string, PyValue][], content: PyValue): PyDict {
  const [role, ...others] = fields
  return dictFromEntries([...(role ? [role] : []), ['content', content], ...others])
}

/** The fields of a message that an engine passes on, without null values; the role comes first. */
export function fieldsOf(message: PyDict, keys: readonly string[]): [string, PyValue][] {
  return ['role', ...keys].flatMap((key): [string, PyValue][] => {
    const value = dictGet(message, key)
    return value === undefined || value === null ? [] : [[key, value]]
  })
}

export function textPart(text: string): PyDict {
  return { type: 'text', text }
}

export function isRole({ message }: GivenMessage, role: string): boolean {
  return dictGet(message, 'role') === role
}

/** The value at a path of keys; undefined where something else than a dict is on the way. */
export function valueAt(value: PyValue | undefined, ...keys: readonly string[]): PyValue | undefined {
  return keys.reduce<PyValue | undefined>((at, key) => (isDict(at) ? dictGet(at, key) : undefined), value)
}

/** A part that an engine does not accept. */
export function refusedPart(
  where: string,
  problem: string,
  fix = 'leave it out, or send the message to a server that takes it',
): PromptError {
  return new PromptError('part-refused', { where, problem, fix })
}

/** Calls with their arguments as objects; what cannot be parsed is the engine's error. */
export function withReadArguments(calls: PyValue, engine: string, path: string): PyValue {
  if (!isList(calls)) return calls
  return calls.map((call, index) => {
    const inner = valueAt(call, 'function')
    const given = valueAt(inner, 'arguments')
    if (!isDict(call) || !isDict(inner) || typeof given !== 'string') return call
    const read = readArguments(given)
    if (read === undefined)
      throw refusedPart(`${path}.tool_calls[${index}]`, `${engine} wants arguments that are JSON`, 'correct the arguments of the call')
    return withKey(call, 'function', withKey(inner, 'arguments', read))
  })
}

function readArguments(text: string): PyValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

export function withKey(dict: PyDict, key: string, value: PyValue): PyDict {
  return dictFromEntries(dictEntries(dict).map(([name, old]) => [name, name === key ? value : old] as const))
}
