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
    default:
      return false
  }
}

function readInsideText(reading: Reading, piece: string): boolean {
  const { offset } = reading
  if (reading.skipsSpace || reading.isAtStart || offset < 0 || reading.places.text.mayStartIn(piece)) return false
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
  if (reading.objectFrom > 0) call.addArguments(piece)
  else if (object.isWanted) call.value(piece)
  return true
}

function readInsideCode(reading: Reading, piece: string): boolean {
  if (!reading.code.takeInside(piece)) return false
  reading.offset += piece.length
  reading.raw.add(piece)
  return true
}

const maxLength = 8
