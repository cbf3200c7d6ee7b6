import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries, dictFromEntries, dictGet, type PyDict, type PyValue } from '../../../base/python/index.ts'
import { isText, type MediaPiece, type Piece, type TextPiece, textOf } from '../../../base/text/index.ts'
import type { Line } from '../adapt/script.ts'
import { sentParts } from '../flatten.ts'
import { normalizeMessage } from './normalize-message.ts'

/** A message as a template sees it, and the origins of its parts. */
export type ShownMessage = {
  message: PyDict
  /** The origin of the content, if it is one text. */
  content?: readonly TextPiece[] | undefined
  /** The origins of the text of each part, if the content is a list that was prepared for the template. */
  parts?: readonly (readonly TextPiece[])[]
  /** The texts of the content as given, and its media. */
  pieces: readonly TextPiece[]
  media: readonly MediaPiece[]
  path: string
  /** The message is the user's, so that other fields can be found under `path`. */
  isMessage: boolean
  /** Its text is what the model must produce. */
  isAnswer: boolean
}

/** A line as the message for the template; changes by serving stacks are noted. */
export function shownMessage(line: Line, normalizes: boolean, notes: Note[]): ShownMessage {
  const { role, content = [], message: given, path, answer: isAnswer = false } = line
  if (given === undefined) return { ...messageOfTurn(line), path, isMessage: false, isAnswer }
  const { message, changed } = normalizes ? normalizeMessage(given) : { message: given, changed: [] as const }
  if (changed.includes('arguments'))
    notes.push({ code: 'arguments-parsed', where: path, text: 'arguments of tool calls that were JSON text were read' })
  if (changed.includes('content')) notes.push({ code: 'null-content', where: path, text: 'a content of null became empty text' })
  const named = role === dictGet(message, 'role') ? message : withKey(message, 'role', role)
  const { pieces, media } = textsAndMedia(content)
  // A joined line has more text than its original message.
  const said = 'endExample' in line ? withKey(named, 'content', line.parts ? sentParts(content, line.parts) : textOf(pieces)) : named
  const isOne = typeof dictGet(said, 'content') === 'string'
  return { message: said, path, isMessage: true, isAnswer, pieces, media, content: isOne ? pieces : undefined }
}

function messageOfTurn({ role, content = [], parts, name, extra = {}, path }: Line): Omit<ShownMessage, 'path' | 'isMessage' | 'isAnswer'> {
  if (content.some((piece) => 'ids' in piece))
    throw new PromptError('not-text', { where: path, problem: 'token ids cannot stand in a chat template’s turn', fix: 'use text' })
  const { pieces, media } = textsAndMedia(content)
  const entries: [string, PyValue][] = [
    ['role', role],
    ['content', parts ? sentParts(content, parts) : textOf(content)],
    ...(name === undefined ? [] : [['name', name] as [string, PyValue]]),
    ...Object.entries(extra),
  ]
  return { message: normalizeMessage(dictFromEntries(entries)).message, pieces, media, content: parts ? undefined : pieces }
}

const noMedia: readonly MediaPiece[] = []

function textsAndMedia(content: readonly Piece[]): Pick<ShownMessage, 'pieces' | 'media'> {
  if (content.every(isText)) return { pieces: content, media: noMedia }
  return { pieces: content.filter(isText), media: content.filter((piece) => 'media' in piece) }
}

function withKey(dict: PyDict, key: string, value: PyValue): PyDict {
  return dictFromEntries(dictEntries(dict).map(([name, old]) => [name, name === key ? value : old] as const))
}
