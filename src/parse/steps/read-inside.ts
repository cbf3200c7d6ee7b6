import { isSpace } from '../json-text.ts'
import type { Reading } from '../reading.ts'

/**
 * Reads a piece of a few characters in which nothing begins or ends that must be told: most pieces of a stream lie inside
 * text, a string or code, and need no more than this look. False if there is more to it; then nothing has been read.
 */
export function readInside(reading: Reading, piece: string): boolean {
  if (piece.length > maxLength || piece === '' || reading.held !== '' || reading.places !== reading.syntax.inText) return false
  switch (reading.state) {
    case 'text':
      return readInsideText(reading, piece)
    case 'object':
      return readInsideObject(reading, piece)
    case 'code':
      return readInsideCode(reading, piece)
    case 'tagged':
      return readInsideValue(reading, piece)
    case 'python':
    case 'quoted':
      return readInsideString(reading, piece)
    case 'reasoning':
      return readInsideThought(reading, piece)
    default:
      return false
  }
}

function readInsideText(reading: Reading, piece: string): boolean {
  const { offset } = reading
  if (
    reading.skipsSpace ||
    reading.isAtStart ||
    reading.isInHeading ||
    offset < 0 ||
    (reading.isSaid ? reading.places.said : reading.places.text).mayStartIn(piece)
  )
    return false
  reading.offset = offset + piece.length
  reading.collector.say('text', piece, offset, reading.offset)
  reading.events.tell({ type: 'text', text: piece })
  return true
}

function readInsideObject(reading: Reading, piece: string): boolean {
  const { object, call } = reading
  if (!object.takeInside(piece, reading.blockMarkers)) return false
  reading.offset += piece.length
  reading.raw.add(piece)
  if (call.isNamed) call.addArguments(piece)
  else if (object.isWanted) call.value(piece)
  return true
}

function readInsideCode(reading: Reading, piece: string): boolean {
  if (!reading.code.takeInside(piece)) return false
  reading.offset += piece.length
  reading.raw.add(piece)
  return true
}

function readInsideValue(reading: Reading, piece: string): boolean {
  const { tagged } = reading
  if (tagged.part !== 'value' || tagged.markers.mayStartIn(piece)) return false
  reading.offset += piece.length
  reading.raw.add(piece)
  tagged.text.add(piece)
  return true
}

function readInsideString(reading: Reading, piece: string): boolean {
  const isTaken = reading.state === 'python' ? reading.objectFrom > 0 && reading.python.takeInside(piece) : reading.quoted.takeInside(piece)
  if (!isTaken) return false
  reading.offset += piece.length
  reading.raw.add(piece)
  return true
}

/** White space waits for what follows it. */
function readInsideThought(reading: Reading, piece: string): boolean {
  const { offset } = reading
  if (reading.skipsSpace || offset < 0 || reading.pendingSpace !== '' || isSpace(piece.charCodeAt(piece.length - 1))) return false
  if (reading.places.reasoning.get(reading.span!)!.mayStartIn(piece)) return false
  reading.offset = offset + piece.length
  reading.collector.say('reasoning', piece, offset, reading.offset)
  reading.events.tell({ type: 'reasoning', text: piece })
  return true
}

const maxLength = 8
