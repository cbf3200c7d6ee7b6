import type { Note } from '../../../base/errors/note.ts'
import { dictEntries, dictGet, isDict, isList, type PyDict, type PyValue, pyStr } from '../../../base/python/index.ts'
import type { TextPiece } from '../../../base/text/index.ts'
import { thoughtFields } from './earlier-thoughts.ts'
import type { ShownMessage } from './shown-messages.ts'

/** A text that a template was given and did not write. */
export type LostText = Required<Note> & {
  example?: number
  /** All of a text, part of one, reasoning, which templates leave out on purpose, or the name of a speaker, which few know. */
  extent: 'whole' | 'part' | 'reasoning' | 'name'
}

/** A text of a message: where it is, and what it is called in notes. */
type Slot = { path: string; what: string; text: string }

/** What a template wrote of each message: the paths of its texts, which characters of the content, and what it made of the content. */
type Written = { paths: Set<string>; spans: (readonly [start: number, end: number])[]; changed: string }

/**
 * Finds the texts that a template left out, by the origins of what it wrote: contents, reasoning, arguments of calls and results of tools,
 * whole or in part. `pieces` are as rendered, with paths into the messages that the template was shown.
 */
export function lostTexts(pieces: readonly TextPiece[], shown: readonly ShownMessage[]): LostText[] {
  const written = writtenOf(pieces, shown.length)
  let own: string | undefined
  // A filter may lose origins: what it wrote counts as the template's text.
  const isRewritten = (text: string) => {
    own ??= pieces.map((piece) => (piece.source.by === 'message' ? '\u0000' : piece.text)).join('')
    return own.includes(text.trim()) || own.includes(JSON.stringify(text).slice(1, -1))
  }
  return shown.flatMap((message, index) => (isWhole(message, written[index]!) ? [] : lostOf(message, written[index]!, isRewritten)))
}

/** The usual case, decided quickly: one text, written in one stretch, and nothing else. */
function isWhole({ message }: ShownMessage, { spans: [span, ...others], changed }: Written): boolean {
  if (span === undefined || others.length > 0 || changed !== '') return false
  const content = dictGet(message, 'content')
  if (typeof content !== 'string' || content.slice(span[0], span[1]).trim() !== content.trim()) return false
  if (otherFields.some((field) => (dictGet(message, field) ?? null) !== null)) return false
  return dictGet(message, 'tool_calls') === undefined && thoughtFields.every((field) => dictGet(message, field) === undefined)
}

/** Fields with texts that few messages have. */
const otherFields: readonly string[] = ['name', 'refusal', 'function_call']

const list = 'messages['

function writtenOf(pieces: readonly TextPiece[], count: number): Written[] {
  const written = Array.from({ length: count }, (): Written => ({ paths: new Set(), spans: [], changed: '' }))
  for (const { source, text } of pieces) {
    const { path, span } = source
    if (text === '' || !path.startsWith(list)) continue
    const end = path.indexOf(']', list.length)
    const message = written[Number(path.slice(list.length, end))]
    if (message === undefined) continue
    const rest = path.slice(end + 1)
    message.paths.add(rest)
    if (rest !== '.content') continue
    if (span !== undefined && span[1] - span[0] === text.length) message.spans.push(span)
    else message.changed += text
  }
  return written
}

function lostOf({ message, pieces, path, isMessage }: ShownMessage, written: Written, isRewritten: (text: string) => boolean): LostText[] {
  const example = pieces.find(({ source }) => source.example !== undefined)?.source.example
  const place = (rest: string) => (isMessage ? path + rest : path)
  const slots = slotsOf(message)
  const whole = slots.filter((slot) => !isWritten(slot.path, written.paths) && !isRewritten(slot.text))
  const isThoughtShown = slots.some((slot) => slot.what === 'reasoning' && !whole.includes(slot))
  const lost = whole
    .filter(({ what }) => what !== 'reasoning' || !isThoughtShown)
    .map(({ path: rest, what, text }) => lostText(place(rest), what, text, extentOf(what)))
  const said = dictGet(message, 'content')
  const parts = typeof said === 'string' && written.paths.has('.content') ? partsLeftOut(said, written) : []
  const partly = parts.filter((text) => !isRewritten(text)).map((text) => lostText(place('.content'), 'part of the text', text, 'part'))
  return [...lost, ...partly].map((one) => (example === undefined ? one : { ...one, example }))
}

function extentOf(what: string): LostText['extent'] {
  return what === 'reasoning' ? what : what === speaker ? 'name' : 'whole'
}

const speaker = 'the name of the speaker'
const codes = { whole: 'text-left-out', part: 'text-left-out', reasoning: 'thoughts-left-out', name: 'name-left-out' } as const

/** The note on a text that a template does not write. */
export function lostText(where: string, what: string, text: string, extent: LostText['extent'] = 'whole'): LostText {
  const line = text.trim().replace(/\s+/g, ' ')
  const excerpt = line.length > 60 ? `${line.slice(0, 60)}…` : line
  return {
    code: codes[extent],
    extent,
    where,
    text: `the template does not write ${what} (${JSON.stringify(excerpt)}), so the model does not see it`,
  }
}

/** Whether a path, something inside it, or something that contains it was written. */
function isWritten(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true
  for (const other of paths) if (isInside(other, path) || isInside(path, other)) return true
  return false
}

function isInside(inner: string, outer: string): boolean {
  return outer !== '' && inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length))
}

function slotsOf(message: PyValue): Slot[] {
  if (!isDict(message)) return []
  const isResult = ['tool', 'function', 'environment'].includes(String(dictGet(message, 'role')))
  const what = isResult ? 'the result of a tool' : 'the text'
  const content = dictGet(message, 'content')
  const texts = isList(content ?? null)
    ? (content as readonly PyValue[]).map((part, index) =>
        slot(`.content[${index}].text`, what, isDict(part) ? dictGet(part, 'text') : part),
      )
    : [slot('.content', what, content)]
  const thoughts = thoughtFields.map((field) => slot(`.${field}`, 'reasoning', dictGet(message, field)))
  const calls = dictGet(message, 'tool_calls')
  const called = isList(calls ?? null) ? (calls as readonly PyValue[]).flatMap(slotsOfCall) : []
  // The name in a result is that of the tool, which its call has.
  const named = isResult ? undefined : slot('.name', speaker, dictGet(message, 'name'))
  const refused = slot('.refusal', 'the refusal', dictGet(message, 'refusal'))
  const older = dictGet(message, 'function_call')
  const calledOnce = isDict(older ?? null)
    ? [slot('.function_call.arguments', 'the arguments of a call', dictGet(older as PyDict, 'arguments'))]
    : []
  return [...texts, ...thoughts, ...called, ...calledOnce, refused, named].filter((one) => one !== undefined)
}

function slotsOfCall(call: PyValue, index: number): (Slot | undefined)[] {
  const inner = isDict(call) ? (dictGet(call, 'function') ?? call) : call
  if (!isDict(inner)) return []
  const base = `.tool_calls[${index}]${inner === call ? '' : '.function'}`
  const given = dictGet(inner, 'arguments')
  const named = slot(`${base}.name`, 'the name of a call', dictGet(inner, 'name'))
  if (given === undefined || !isDict(given)) return [named, slot(`${base}.arguments`, 'the arguments of a call', given)]
  return [named, ...dictEntries(given).map(([name, value]) => slot(`${base}.arguments.${name}`, `the argument "${name}" of a call`, value))]
}

function slot(path: string, what: string, value: PyValue | undefined): Slot | undefined {
  if (value === undefined || value === null || typeof value === 'boolean' || isList(value) || isDict(value)) return undefined
  const text = typeof value === 'string' ? value : pyStr(value)
  return text.trim() === '' ? undefined : { path, what, text }
}

/** The stretches of a content that were not written, without marks such as `</think>` that a template writes itself. */
function partsLeftOut(content: string, { spans, changed }: Written): string[] {
  // Transformed text has no place in the content: all of it may be there, if its longest word is.
  if (changed !== '' && changed.toLowerCase().includes(longestWord(content))) return []
  // A template that takes a text for a list writes its characters one by one.
  if (spans.length > 3 && spans.every(([start, stop]) => stop - start === 1)) return [content]
  let end = 0
  const left: string[] = []
  for (const [start, stop] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (start > end) left.push(content.slice(end, start))
    end = Math.max(end, stop)
  }
  left.push(content.slice(end))
  return left.filter((text) => /[\p{L}\p{N}]/u.test(text.replace(/<[^<>\s]{1,40}>/g, '')))
}

function longestWord(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest))
}
