import { PromptError } from '../../../../base/errors/prompt-error.ts'
import { stringifyJson } from '../../../../base/python/index.ts'
import { typedTexts } from '../../values/typed-value.ts'
import { isSpace } from '../json-text.ts'
import { readPythonCall } from '../python-call.ts'
import { PythonScanner } from '../python-scanner.ts'
import type { Reading } from '../reading.ts'
import { finishCall } from './finish-call.ts'
import { becomeText, endsEarly, refuse, reportOpenList } from './read-block.ts'
import { readMark, startCall } from './read-mark.ts'

/** Python's calls, one after the other: `[f(a=1), g()]`, or one a line. */
export function readPython(reading: Reading, text: string, from: number): number {
  return reading.objectFrom > 0 ? readArguments(reading, text, from) : readName(reading, text, from)
}

function readName(reading: Reading, text: string, from: number): number {
  const { raw } = reading
  let at = from
  if (raw.length === 0) {
    while (at < text.length && (isSpace(text.charCodeAt(at)) || text[at] === ',' || text[at] === ';')) at++
    if (at === text.length) return addLead(reading, text, from, at)
    const found = reading.blockMarkers.match(text, at, reading.isFinal)
    if (found === 'partial') return reading.hold(at, reading.blockMarkers)
    if (found === 'found') {
      if (reading.isInList) reportOpenList(reading, at)
      return readMark(reading, text, at, reading.blockMarkers)
    }
    if (text[at] === ']' && reading.isInList) {
      if (reading.callsInBlock === 0 && reading.isTentative) return becomeText(reading, at)
      reading.state = 'list-end'
      return at + 1
    }
    if (text[at] === '[' && !reading.isInList && reading.callsInBlock === 0) {
      reading.isInList = true
      return at + 1
    }
    addLead(reading, text, from, at)
    if (reading.callsInBlock > 0) startCall(reading, reading.offset + at)
    reading.rawFrom = reading.offset + at
    if (!isNameCharacter(text.charCodeAt(at))) return notPython(reading, text, at)
  }
  const start = at
  while (at < text.length && isNameCharacter(text.charCodeAt(at))) at++
  raw.addPart(text, start, at)
  if (at === text.length) return at
  if (text[at] !== '(') return notPython(reading, text, at)
  const name = raw.toString().trim()
  const isKnown = reading.tools?.has(name) ?? reading.block.python!.list !== 'opened'
  if (reading.isTentative && reading.callsInBlock === 0 && !isKnown) return becomeText(reading, at)
  reading.call.start(reading.calls, undefined, true)
  reading.call.startNamed(name, undefined)
  reading.objectFrom = raw.length
  reading.python = new PythonScanner(!reading.isStrict)
  return at
}

/** What stands before what may be no call is text then. */
function addLead(reading: Reading, text: string, from: number, to: number): number {
  if (reading.isTentative && reading.callsInBlock === 0) reading.lead += text.slice(from, to)
  return to
}

function notPython(reading: Reading, text: string, at: number): number {
  if (reading.isTentative && reading.callsInBlock === 0) return becomeText(reading, at)
  const found = reading.blockMarkers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at, reading.blockMarkers)
  return refuse(
    reading,
    found === 'found' ? 'truncated' : 'malformed',
    found === 'found' ? endsEarly : 'expected a call',
    at,
    found === 'none',
  )
}

function readArguments(reading: Reading, text: string, from: number): number {
  const { python, raw } = reading
  const stop = python.scan(text, from, reading.blockMarkers, reading.isFinal)
  if (stop > from) raw.addPart(text, from, stop)
  switch (python.status) {
    case 'more':
      return stop
    case 'partial':
      return reading.hold(stop, reading.blockMarkers)
    case 'marker':
      return refuse(reading, 'truncated', endsEarly, stop)
    case 'end':
      break
    default:
      python.status satisfies never
  }
  try {
    const { name, given: written } = readPythonCall(raw.toString())
    const given = reading.block.python!.texts ? typedTexts(written, reading.tools?.schemaOf(name)) : written
    const argumentsText = stringifyJson(given, { ensureAscii: false })
    reading.call.addArguments(argumentsText)
    reading.found = { name, arguments: given, argumentsText }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    reading.found = { error: 'malformed', problem: error.problem }
  }
  reading.rawLength = raw.length
  finishCall(reading, reading.offset + stop, false)
  reading.objectFrom = 0
  reading.lead = ''
  if (!reading.isInList && reading.block.close === undefined) reading.state = 'text'
  return stop
}

export function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2e ||
    code === 0x2d ||
    code > 0x7f
  )
}
