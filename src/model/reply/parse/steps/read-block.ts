import type { CallError } from '../../reply.ts'
import type { QuotedBody } from '../../syntax.ts'
import { CodeScanner } from '../code-scanner.ts'
import { passSpace, sliceOf } from '../json-text.ts'
import { ObjectScanner } from '../object-scanner.ts'
import { type Refusal, readHeader } from '../read-call.ts'
import type { Reading } from '../reading.ts'
import { finishCall, finishCode, finishRefusal } from './finish-call.ts'
import { readMark, startBlock, startCall, startObject } from './read-mark.ts'
import { startQuoted } from './read-quoted-call.ts'
import { startTagged } from './read-tagged.ts'
import { readLong, readWholeObject } from './read-whole-object.ts'

/** What follows the mark that opens a block: its first character decides what the block is. */
export function readBody(reading: Reading, text: string, from: number): number {
  const at = passSpace(text, from)
  const { json, named, tagged, quoted, python, code } = reading.block
  if (reading.isTentative) reading.lead += text.slice(from, at)
  if (at === text.length) return at
  reading.rawFrom = reading.offset + at
  const found = reading.blockMarkers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at, reading.blockMarkers)
  if (found === 'found') {
    if (reading.isTentative) return becomeText(reading, at)
    if (opensAnother(reading)) {
      reading.isInSection = true
      reading.isInWrapper = true
      return readMark(reading, text, at, reading.blockMarkers)
    }
    if (code === undefined) return refuse(reading, 'malformed', 'the call is empty', at)
    startCode(reading)
    return endCode(reading, text, at)
  }
  const first = text[at]
  const likeness = json?.opened ? likenessOfCall(reading, text, at) : 'call'
  if (likeness === 'start') return reading.hold(at)
  if (likeness === 'words') return becomeOpening(reading, text, at)
  if (python?.list === 'opened') {
    reading.state = 'python'
    reading.isInList = true
  } else if (json !== undefined && first === '{') startObject(reading)
  else if ((json?.list || python) && first === '[') {
    reading.state = 'bare-list'
    if (reading.isTentative) reading.lead += '['
    return at + 1
  } else if (named !== undefined || quoted !== undefined) reading.state = 'header'
  else if (tagged !== undefined) startTagged(reading)
  else if (python !== undefined && !python.list) reading.state = 'python'
  else if (code !== undefined) startCode(reading)
  else if (reading.isTentative) return becomeText(reading, at)
  else return refuse(reading, 'malformed', "expected '{'", at, true)
  return at
}

/** What JSON behind words looks like: a call begins with a brace and a quote. Words have braces, too, and are not to wait for their end. */
function likenessOfCall({ isFinal }: Reading, text: string, from: number): 'call' | 'words' | 'start' {
  const brace = text[from] === '[' ? passSpace(text, from + 1) : from
  const quote = text[brace] === '{' ? passSpace(text, brace + 1) : brace
  if (quote === text.length && !isFinal) return 'start'
  return quote > brace && text[quote] === '"' ? 'call' : 'words'
}

/** The character that might have opened a call is text. */
function becomeOpening(reading: Reading, text: string, at: number): number {
  reading.lead += text[at]!
  return becomeText(reading, at + 1)
}

/** A block that begins with another one is only a wrapper around it. */
function opensAnother({ blockMarkers, block }: Reading): boolean {
  const meaning = blockMarkers.meaning!
  return (meaning.kind === 'open' && meaning.block !== block) || (meaning.kind === 'section' && meaning.isOpen)
}

/** A list has opened: calls as JSON, or as Python. */
export function readBareList(reading: Reading, text: string, from: number): number {
  const { json, python } = reading.block
  const at = passSpace(text, from)
  if (reading.isTentative) reading.lead += text.slice(from, at)
  if (at === text.length) return at
  reading.isInList = true
  if (text[at] === '{' && json) {
    startCall(reading, reading.offset + at)
    startObject(reading)
  } else if (reading.isTentative && (text[at] === ']' || !python)) return becomeText(reading, at)
  else reading.state = python && text[at] !== ']' ? 'python' : 'list'
  return at
}

/** The name of a call whose arguments follow it: all up to their opening brace. */
export function readName(reading: Reading, text: string, from: number): number {
  const markers = reading.blockMarkers
  const brace = text.indexOf('{', from)
  const before = brace < 0 ? text : text.slice(0, brace)
  const found = markers.find(before, from, reading.isFinal || brace >= 0)
  const stop = found === 'none' ? before.length : markers.at
  reading.raw.addPart(text, from, stop)
  if (found === 'partial') return reading.hold(stop)
  if (found === 'found') return refuse(reading, 'malformed', "expected the arguments' '{', found the end of the call", stop)
  if (brace < 0) return stop
  if (reading.block.quoted) return startQuotedCall(reading, reading.block.quoted, stop)
  const header = readHeader(reading.raw.toString(), reading.block.named!)
  if ('error' in header) {
    reading.refusal = header
    reading.state = 'skip'
    return stop
  }
  reading.call.start(reading.calls, undefined, true)
  reading.call.startNamed(header.name, header.id)
  reading.ticksLeft = header.isFenced ? 3 : 0
  reading.objectFrom = reading.raw.length
  startObject(reading)
  return stop
}

function startQuotedCall(reading: Reading, { prefix }: QuotedBody, at: number): number {
  const written = reading.raw.toString().trim()
  const name = written.startsWith(prefix) ? written.slice(prefix.length).trim() : written
  if (!/^\S+$/.test(name)) return refuse(reading, 'no-name', `'${name.slice(0, 40)}' is not a tool name`, at)
  reading.call.start(reading.calls, undefined, true)
  reading.call.startNamed(name, undefined)
  reading.objectFrom = reading.raw.length
  startQuoted(reading)
  return at
}

/** The JSON of a call, or of its arguments. */
export function readObject(reading: Reading, text: string, at: number): number {
  const { call } = reading
  if (reading.isObjectNew) {
    reading.isObjectNew = false
    const end = readWholeObject(reading, text, at)
    if (end >= 0) return endObject(reading, end)
    reading.object = new ObjectScanner(!reading.isStrict, call)
  }
  const { object } = reading
  const stop = object.scan(text, at, reading.blockMarkers, reading.isFinal)
  if (stop > at) {
    reading.raw.addPart(text, at, stop)
    if (call.isNamed) call.addArguments(sliceOf(text, at, stop))
  }
  switch (object.status) {
    case 'more':
      return stop
    case 'partial':
      return reading.hold(stop, reading.blockMarkers)
    case 'stop':
      return becomeText(reading, stop)
    case 'marker':
      return call.isCertain ? refuse(reading, 'truncated', endsEarly, stop) : becomeText(reading, stop)
    case 'end':
      return call.isCertain ? endJson(reading, stop) : becomeText(reading, stop)
    default:
      return object.status satisfies never
  }
}

/** JSON without a mark that turns out to be no call. */
export function becomeText(reading: Reading, at: number): number {
  reading.sayHeld(reading.lead + reading.raw.toString(), reading.leadFrom)
  reading.lead = ''
  reading.raw.clear()
  reading.state = 'text'
  return at
}

function endJson(reading: Reading, at: number): number {
  reading.found = readLong(reading) ?? reading.call.read(reading.raw.toString(), reading.objectFrom, reading.object.isPlain)
  reading.rawLength = reading.raw.length
  return endObject(reading, at)
}

/** What the call says has been read; its closing mark should follow, where it has one. */
export function endObject(reading: Reading, at: number): number {
  const { block, isInList } = reading
  if (block.close !== undefined && !isInList) {
    reading.state = 'after'
    return at
  }
  finishCall(reading, reading.offset + at, false)
  reading.lead = ''
  reading.hasSeparator = false
  reading.state = isInList ? 'list' : block.json?.separator === undefined ? 'text' : 'between'
  return at
}

/** What stands between the calls of a list, and after the list. */
export function readList(reading: Reading, text: string, from: number): number {
  const at = passSpace(text, from)
  if (at === text.length) return at
  const markers = reading.blockMarkers
  const found = markers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at, reading.blockMarkers)
  if (found === 'found') {
    if (reading.state === 'list') reportOpenList(reading, at)
    return readMark(reading, text, at, markers)
  }
  const first = text[at]
  if (first !== '{' && reading.state === 'list' && reading.isTentative && !reading.hasCalls) return becomeText(reading, at)
  if (reading.state === 'list-end') {
    if (reading.block.close === undefined) {
      reading.state = 'text'
      return at
    }
    startCall(reading, reading.offset + at)
    return refuse(reading, 'trailing-text', `expected ${reading.block.close}`, at, true)
  }
  if (first === ']') reading.state = 'list-end'
  if (first === ']' || first === ',') return at + 1
  startCall(reading, reading.offset + at)
  if (first !== '{') return refuse(reading, 'malformed', 'expected a call', at, true)
  startObject(reading)
  return at
}

export function reportOpenList(reading: Reading, at: number): void {
  reading.report('the list of calls is not closed', reading.offset + at)
}

/** A call is complete: nothing but its closing mark, or the end of its fence, should follow. */
export function readAfterCall(reading: Reading, text: string, from: number): number {
  let at = passSpace(text, from)
  while (reading.ticksLeft > 0 && at < text.length && text.charCodeAt(at) === 0x60) {
    reading.ticksLeft--
    at = reading.ticksLeft === 0 ? passSpace(text, at + 1) : at + 1
  }
  if (at > from) reading.raw.addPart(text, from, at)
  if (at === text.length) return at
  const markers = reading.blockMarkers
  const found = markers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at, reading.blockMarkers)
  if (found === 'none' && reading.block.json?.several && (text[at] === '{' || text[at] === ',' || text[at] === ';')) {
    if (text[at] !== '{') return at + 1
    finishCall(reading, reading.offset + at, false)
    startCall(reading, reading.offset + at)
    startObject(reading)
    return at
  }
  if (found === 'none') return refuse(reading, 'trailing-text', `expected ${reading.block.close}`, at, true)
  const isClosed = markers.meaning!.kind === 'close'
  finishCall(reading, reading.offset + at + (isClosed ? markers.length : 0), !isClosed)
  return readMark(reading, text, at, markers)
}

/** Between calls without marks: white space and a separator belong to them only if another call follows. */
export function readBetweenCalls(reading: Reading, text: string, from: number): number {
  const { separator } = reading.block.json!
  let at = passSpace(text, from)
  if (!reading.hasSeparator && text[at] === separator) {
    reading.hasSeparator = true
    at = passSpace(text, at + 1)
  }
  reading.lead += text.slice(from, at)
  if (at === text.length) return at
  const { lead } = reading
  reading.lead = ''
  if (text[at] === '{') {
    startBlock(reading, reading.block, at)
    reading.lead = lead
    reading.leadFrom -= lead.length
  } else {
    reading.sayHeld(lead, reading.offset + at - lead.length)
    reading.state = 'text'
  }
  return at
}

export function startCode(reading: Reading, hidesMarkers = !reading.isStrict): void {
  reading.state = 'code'
  reading.code = new CodeScanner(reading.block.code!.fence, hidesMarkers, reading.calls, reading.events)
}

/** A block of code, up to the mark that ends it. */
export function readCode(reading: Reading, text: string, at: number): number {
  const { code } = reading
  const stop = code.scan(text, at, reading.blockMarkers, reading.isFinal)
  if (stop > at) reading.raw.addPart(text, at, stop)
  if (code.status === 'more') return stop
  if (code.status === 'partial') return reading.hold(stop, reading.blockMarkers)
  return endCode(reading, text, stop)
}

/** The code ends with the mark that was just found. */
function endCode(reading: Reading, text: string, at: number): number {
  const markers = reading.blockMarkers
  const isClosed = markers.meaning!.kind === 'close'
  finishCode(reading, reading.offset + at + (isClosed ? markers.length : 0), reading.block.close !== undefined && !isClosed)
  return readMark(reading, text, at, markers)
}

export const endsEarly = 'the call ends before its JSON does'

/** The rest of the block cannot be read. `showsNext`: what comes next is what is wrong; its character may not be complete yet. */
export function refuse(reading: Reading, error: CallError, problem: string, at: number, showsNext = false): number {
  // What was wrong first is what is told.
  const isFirst = reading.found === undefined || !('error' in reading.found)
  reading.refusal = isFirst ? { error, problem } : (reading.found as Refusal)
  reading.wrongFrom = isFirst && showsNext ? reading.raw.length : undefined
  reading.state = 'skip'
  return at
}

/** Passes the rest of a refused block, up to the next mark. */
export function skipRefused(reading: Reading, text: string, at: number): number {
  const markers = reading.blockMarkers
  const found = markers.find(text, at, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  reading.raw.addPart(text, at, stop)
  if (found === 'none') return stop
  if (found === 'partial') return reading.hold(stop, reading.blockMarkers)
  const isClosed = markers.meaning!.kind === 'close'
  finishRefusal(reading, reading.offset + stop + (isClosed ? markers.length : 0), reading.block.close !== undefined && !isClosed)
  return readMark(reading, text, stop, markers)
}
