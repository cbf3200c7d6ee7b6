import type { JsonBody } from '../../syntax.ts'
import { endOfPlainJson } from '../plain-json.ts'
import type { ReadCall } from '../read-call.ts'
import type { Reading } from '../reading.ts'
import { maxShort } from '../unread-call.ts'
import { readWholeCall } from '../whole-call.ts'

/**
 * The JSON of a call, or of its arguments, where all of it is there and plain: most replies that come whole. Hands back where it
 * ends; -1 if there is more to it, and then nothing has been read or told.
 */
export function readWholeObject(reading: Reading, text: string, from: number): number {
  const { call, block, blockMarkers: markers } = reading
  // A string that never closed may have swallowed marks: then all of them count.
  const marks = markers.startsInJson
  if (text.length - from < minLength || reading.isStrict || marks === 'anywhere') return -1
  const isMark =
    marks === 'never'
      ? undefined
      : (at: number) => markers.startsWith(text.charCodeAt(at)) && markers.match(text, at, reading.isFinal) !== 'none'
  return call.isNamed ? takeArguments(reading, text, from, isMark) : isSimple(block.json) ? takeCall(reading, text, from, isMark) : -1
}

type IsMark = ((at: number) => boolean) | undefined

function takeArguments(reading: Reading, text: string, from: number, isMark: IsMark): number {
  const { call, raw } = reading
  const end = endOfPlainJson(text, from, isMark)
  if (end < 0) return -1
  const argumentsText = text.slice(from, end)
  raw.addPart(text, from, end)
  call.addArguments(argumentsText)
  reading.found = { name: call.name!, argumentsText, id: call.id }
  reading.rawLength = raw.length
  return end
}

function takeCall(reading: Reading, text: string, from: number, isMark: IsMark): number {
  const { call, raw, block } = reading
  const found = readWholeCall(text, from, block.json!, call.isCertain, isMark)
  if (found === undefined || !call.isKnown(found.name)) return -1
  const { name, id, argumentsFrom, argumentsTo, end } = found
  const argumentsText = text.slice(argumentsFrom, argumentsTo)
  raw.addPart(text, from, end)
  call.takeWhole(name, argumentsText)
  reading.found = { name, argumentsText, id }
  reading.rawLength = raw.length
  return end
}

/** What a long object says that came in pieces and is all there now, if it is plain: its arguments are read when somebody asks. */
export function readLong({ raw, objectFrom, object, call, block }: Reading): ReadCall | undefined {
  if (raw.length - objectFrom <= maxShort || !object.isPlain) return undefined
  const text = raw.toString()
  if (call.isNamed) {
    const isPlain = endOfPlainJson(text, objectFrom) === text.length
    return isPlain ? { name: call.name!, argumentsText: text.slice(objectFrom), id: call.id } : undefined
  }
  const found = isSimple(block.json) ? readWholeCall(text, objectFrom, block.json, true, undefined) : undefined
  return found && { name: found.name, argumentsText: text.slice(found.argumentsFrom, found.argumentsTo), id: found.id }
}

/** Name and arguments stand in the object itself, each under its key. */
function isSimple(json: JsonBody | undefined): json is JsonBody {
  return json !== undefined && json.name !== null && json.inside === undefined && !json.asText
}

/** What comes in pieces is read piece by piece. */
const minLength = 16
