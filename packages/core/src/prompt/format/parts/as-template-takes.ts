import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries, dictGet, isDict, isList, type PyDict, type PyValue } from '../../../base/python/index.ts'
import type { Media } from '../../../base/text/index.ts'
import { contentPart } from '../../conversation/content-part.ts'
import {
  type EngineMessage,
  type GivenMessage,
  joinedBy,
  piecesOfText,
  textPart,
  type WrittenPart,
  withParts,
  withText,
} from './engine-message.ts'
import { type ContentRole, contentRoles, mediaShapes, type TemplateContents } from './template-contents.ts'

/**
 * Messages with contents in the form that the template itself takes, without following a serving stack: strings where it takes strings,
 * parts where it takes parts, media in a shape that it tests for. Every change is noted; media that it does not write are an error.
 */
export function asTemplateTakes(messages: readonly GivenMessage[], contents: TemplateContents, notes: Note[]): EngineMessage[] {
  return messages.map((given) => {
    const content = dictGet(given.message, 'content') ?? null
    const role = roleOf(given.message)
    if (typeof content === 'string') return asString(given, content, role, contents, notes)
    return isList(content) ? asParts(given, content, role, contents, notes) : { message: given.message }
  })
}

function roleOf(message: PyDict): ContentRole {
  const role = dictGet(message, 'role')
  return contentRoles.find((known) => known === role) ?? (role === 'developer' ? 'system' : role === 'function' ? 'tool' : 'user')
}

function asString(given: GivenMessage, text: string, role: ContentRole, contents: TemplateContents, notes: Note[]): EngineMessage {
  const pieces = piecesOfText(given, text)
  if (contents.text(role, 'string') === 'shown' || contents.text(role, 'part') !== 'shown')
    return { message: given.message, content: pieces }
  notes.push({
    code: 'text-as-part',
    where: `${given.path}.content`,
    text: 'the template takes only parts, so the text became a list of one part',
  })
  return withParts(fieldsOf(given.message), [{ part: textPart(text), pieces }])
}

type Read = { part: PyValue; pieces: WrittenPart['pieces']; media?: Media }

function asParts(
  given: GivenMessage,
  parts: readonly PyValue[],
  role: ContentRole,
  contents: TemplateContents,
  notes: Note[],
): EngineMessage {
  const fields = fieldsOf(given.message)
  const read = parts.map((part, index): Read => {
    const found = contentPart(part)
    if (found === undefined || 'text' in found) {
      const text = found?.text ?? ''
      return { part: isPlainText(part) ? part : textPart(text), pieces: piecesOfText(given, text, index) }
    }
    return { part, pieces: [], media: found.media }
  })
  const isTexts = read.every(({ media }) => media === undefined)
  if (isTexts && !takesList(role, read.length, contents)) {
    if (read.length > 1)
      notes.push({
        code: 'parts-joined',
        where: `${given.path}.content`,
        text: `the template takes texts, so ${read.length} parts were joined by a newline, as vLLM and llama.cpp do`,
      })
    return withText(
      fields,
      joinedBy(
        '\n',
        read.map(({ pieces }) => pieces),
      ),
    )
  }
  const written = read.map((one, index): WrittenPart => {
    if (one.media === undefined) return one
    const where = `${given.path}.content[${index}]`
    return { part: shapeFor(one.part, one.media, where, role, contents, notes), pieces: [] }
  })
  return withParts(fields, written)
}

/** A template that writes only the first part, and no string, gets the list: what it leaves out is noted. */
function takesList(role: ContentRole, length: number, contents: TemplateContents): boolean {
  if (contents.text(role, length > 1 ? 'parts' : 'part') === 'shown') return true
  return contents.text(role, 'string') !== 'shown' && contents.text(role, 'part') === 'shown'
}

function isPlainText(part: PyValue): boolean {
  return isDict(part) && dictGet(part, 'type') === 'text'
}

/** Media in the shape that was given if the template writes something for it, else in the first shape for which it does. */
function shapeFor(part: PyValue, media: Media, where: string, role: ContentRole, contents: TemplateContents, notes: Note[]): PyValue {
  const shapes = Object.keys(mediaShapes).filter((shape) => mediaShapes[shape]!.kind === media.kind)
  const given = shapes.find((shape) => isShape(part, shape))
  const found = [...(given === undefined ? [] : [given]), ...shapes].find((shape) => contents.media(role, shape).fate === 'shown')
  if (found === undefined) throw notWritten(media.kind, where, role, contents)
  if (found === given) return part
  const type = isDict(part) ? dictGet(part, 'type') : undefined
  notes.push({
    code: 'part-renamed',
    where,
    text: `the part${typeof type === 'string' ? ` of the type "${type}"` : ''} was shown to the template as ${found}, which it tests for`,
  })
  return mediaShapes[found]!.part(media.url)
}

/** Whether a part has the keys of a shape. */
function isShape(part: PyValue, shape: string): boolean {
  const wanted = mediaShapes[shape]!.part('')
  if (!isDict(part)) return false
  return dictGet(part, 'type') === dictGet(wanted, 'type') && dictEntries(wanted).every(([key]) => dictGet(part, key) !== undefined)
}

function notWritten(kind: Media['kind'], where: string, role: ContentRole, contents: TemplateContents): PromptError {
  const what = kind === 'image' ? 'images' : kind === 'video' ? 'videos' : kind === 'file' ? 'files' : 'audio'
  const takesParts = contents.text(role, 'part') === 'shown'
  return new PromptError('part-not-written', {
    where,
    problem: takesParts
      ? `the chat template writes nothing for ${what} in a ${role} message, so the model would not know of this one`
      : `the chat template takes only text in a ${role} message, and this is ${kind === 'image' ? 'an image' : kind === 'audio' ? 'audio' : `a ${kind}`}`,
    fix: `leave it out, use a template that takes ${what}, or set parts to a serving stack (vllm, sglang, llama.cpp, transformers) to see what it would send`,
  })
}

/** The fields besides the content, unchanged; the role comes first. */
function fieldsOf(message: PyDict): [string, PyValue][] {
  const entries = dictEntries(message).filter(([key]) => key !== 'content')
  return [...entries.filter(([key]) => key === 'role'), ...entries.filter(([key]) => key !== 'role')]
}
