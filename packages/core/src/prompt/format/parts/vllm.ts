import { contentLoops } from '../../../base/jinja/analyse/content-loops.ts'
import {
  dictEntries,
  dictFromEntries,
  dictGet,
  dictHas,
  isDict,
  isList,
  type PyDict,
  type PyValue,
  pyRepr,
} from '../../../base/python/index.ts'
import { type TextPiece, textOf } from '../../../base/text/index.ts'
import {
  type ContentForm,
  type EngineMessage,
  fieldsOf,
  type GivenMessage,
  isRole,
  joinedBy,
  type Modality,
  piecesOfText,
  placeholderOf,
  refusedPart,
  textPart,
  valueAt,
  type WrittenPart,
  withParts,
  withReadArguments,
  withText,
} from './engine-message.ts'

/** What a model writes for media in a template that takes strings: `{i}` is the number of the item, null: nothing. */
export type Placeholders = Readonly<Partial<Record<Modality, string | null>>>

/** How vLLM prepares messages for one model. */
export type VllmOptions = {
  form: ContentForm
  /** The media the model accepts, and their placeholders; undefined: all, without placeholders. */
  placeholders?: Placeholders | undefined
  /** `--interleave-mm-strings`: placeholders stay where the media are, instead of before all text. */
  interleave?: boolean | undefined
}

/** Whether vLLM takes a template for one that loops over parts. */
export function vllmForm(template: string): ContentForm {
  return contentLoops(template).tracked ? 'parts' : 'string'
}

/** Messages as vLLM passes them to the template. */
export function asVllm(messages: readonly GivenMessage[], options: VllmOptions): EngineMessage[] {
  const counts: Record<Modality, number> = { image: 0, audio: 0, video: 0 }
  return messages.map((given) => {
    const content = dictGet(given.message, 'content') ?? []
    const parts = isList(content) ? content : [content]
    const read = parts.flatMap((part, index) => readPart(given, part, isList(content) ? index : undefined, options, counts))
    const fields = fieldsSeen(given)
    if (options.form !== 'parts') return withText(fields, asOneText(given, read, options))
    const isTexts = read.every(({ modality, reference }) => modality === undefined && reference === undefined)
    // Templates seldom accept a list as the result of a tool.
    if (isRole(given, 'tool') && isTexts)
      return withText(
        fields,
        joinedBy(
          '\n',
          read.map(({ pieces }) => pieces),
        ),
      )
    return withParts(fields, read.map(written))
  })
}

/** A part as vLLM reads it: text, media, or a reference to a tool. */
type ReadPart = {
  pieces: readonly TextPiece[]
  modality?: Modality
  placeholder?: string | null | undefined
  reference?: string
  /** Keys that vLLM does not know, which are passed on. */
  others: readonly [string, PyValue][]
}

function written({ pieces, modality, reference, others }: ReadPart): WrittenPart {
  if (reference !== undefined) return { part: { type: 'tool_reference', name: reference }, pieces: [] }
  const own: [string, PyValue][] = modality === undefined ? dictEntries(textPart(textOf(pieces))) : [['type', modality]]
  return { part: dictFromEntries([...own, ...others]), pieces }
}

const texts: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
  thinking: 'thinking',
}

const media: Readonly<Record<string, Modality>> = {
  image_url: 'image',
  input_image: 'image',
  audio_url: 'audio',
  input_audio: 'audio',
  video_url: 'video',
}

/** The keys of vLLM's and OpenAI's own types of parts. */
const knownKeys: ReadonlySet<string> = new Set(
  'type text image_url input_audio file refusal audio_url video_url image_embeds audio_embeds data image_pil uuid name thinking closed'.split(
    ' ',
  ),
)

function readPart(
  given: GivenMessage,
  part: PyValue,
  index: number | undefined,
  options: VllmOptions,
  counts: Record<Modality, number>,
): ReadPart[] {
  const where = `${given.path}.content${index === undefined ? '' : `[${index}]`}`
  if (typeof part === 'string') return [{ pieces: piecesOfText(given, part, index), others: [] }]
  if (!isDict(part)) throw refusedPart(where, `vLLM takes text and objects as parts, not ${pyRepr(part).slice(0, 60)}`)
  const type = typeOf(part, where)
  const others = dictEntries(part).filter(([key]) => !knownKeys.has(key))
  const key = texts[type]
  if (key !== undefined) {
    const text = dictGet(part, key) ?? null
    if (typeof text === 'string') return [{ pieces: piecesOfText(given, text, index), others }]
    if (text === null && (type === 'text' || type === 'refusal')) return []
    throw refusedPart(where, `the "${key}" of this ${type} part is not text`, 'write the text as a string')
  }
  if (type === 'tool_reference') return [{ pieces: [], reference: String(dictGet(part, 'name') ?? ''), others }]
  const modality = media[type]
  if (modality === undefined) throw refusedPart(where, `vLLM does not take parts of the type "${type}"`)
  const { placeholders } = options
  if (placeholders !== undefined && !(modality in placeholders))
    throw refusedPart(where, `the model does not take ${modality} input`, 'leave it out, or choose a model that takes it')
  if (placeholders === undefined && options.form !== 'parts')
    throw refusedPart(
      where,
      `vLLM writes the model's own text for ${modality} input here, and the model is not known`,
      'set parts.architecture or parts.placeholders',
    )
  const placeholder = placeholders?.[modality]?.replaceAll('{i}', String(++counts[modality]))
  return [{ pieces: [], modality, placeholder, others }]
}

/** The type of a part; without one, or with a `uuid`, it is decided by the keys. */
function typeOf(part: PyDict, where: string): string {
  const type = dictGet(part, 'type') ?? null
  const isByKey = type === null || (dictGet(part, 'uuid') ?? null) !== null
  if (!isByKey) {
    if (typeof type !== 'string') throw refusedPart(where, 'the type of this part is not text')
    const isUrl = type === 'image_url' || type === 'audio_url' || type === 'video_url'
    if (isUrl && typeof valueAt(part, type, 'url') !== 'string')
      throw refusedPart(where, `vLLM wants { "${type}": { "url": … } }`, 'give the url in an object')
    return type
  }
  const found = ['image_url', 'audio_url', 'input_audio', 'video_url'].find((key) => dictHas(part, key))
  if (found === undefined) throw refusedPart(where, 'this part has no type', 'add a type, such as "text" or "image_url"')
  return found
}

/** Texts and placeholders in one text: those that the user did not write come first, one per line. */
function asOneText(given: GivenMessage, parts: readonly ReadPart[], { interleave = false }: VllmOptions): TextPiece[] {
  const shown = parts.flatMap(({ pieces, modality, placeholder, reference }): (readonly TextPiece[])[] => {
    if (reference !== undefined) return reference === '' ? [] : [piecesOfText(given, reference)]
    if (modality === undefined) return pieces.length === 0 ? [] : [pieces]
    // Where a model has no placeholder, vLLM's internal one stays in the text.
    return interleave ? [[placeholderOf(placeholder ?? `<##${modality.toUpperCase()}##>`)]] : []
  })
  const text = joinedBy('\n', shown)
  const wanted = wantedPlaceholders(parts)
  const missing = [...wanted].flatMap(([placeholder, count]) => {
    const found = textOf(text).split(placeholder).length - 1
    if (found > count)
      throw refusedPart(
        `${given.path}.content`,
        `the text contains ${JSON.stringify(placeholder)} ${found} times, but there ${count === 1 ? 'is 1 item' : `are ${count} items`} of media`,
        'remove it from the text, or add the media it stands for',
      )
    return Array.from({ length: count - found }, () => [placeholderOf(placeholder)])
  })
  return joinedBy('\n', textOf(text) === '' ? missing : [...missing, text])
}

/** Placeholder → how many are needed, grouped by modality in order of first appearance. */
function wantedPlaceholders(parts: readonly ReadPart[]): Map<string, number> {
  const order = [...new Set(parts.flatMap(({ modality }) => (modality === undefined ? [] : [modality])))]
  const wanted = new Map<string, number>()
  for (const modality of order) {
    for (const part of parts) {
      if (part.modality === modality && part.placeholder) wanted.set(part.placeholder, (wanted.get(part.placeholder) ?? 0) + 1)
    }
  }
  return wanted
}

/** The fields besides the content: the rest of a message is not passed on. */
function fieldsSeen({ message, path }: GivenMessage): [string, PyValue][] {
  const role = dictGet(message, 'role')
  if (role === 'tool') return fieldsOf(message, ['tool_call_id', 'name'])
  if (role !== 'assistant') return fieldsOf(message, ['name'])
  const reasoning = dictGet(message, 'reasoning') ?? dictGet(message, 'reasoning_content') ?? null
  const calls = dictGet(message, 'tool_calls')
  const isCalling = isList(calls) && calls.length > 0
  return [
    ...fieldsOf(message, []),
    ...(isCalling ? [['tool_calls', withReadArguments(calls, 'vLLM', path)] as [string, PyValue]] : []),
    ...(reasoning === null ? [] : [['reasoning', reasoning] as [string, PyValue], ['reasoning_content', reasoning] as [string, PyValue]]),
    ...fieldsOf(message, ['name']).slice(1),
  ]
}
