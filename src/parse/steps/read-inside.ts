import { isSpace, passSpace } from '../json-text.ts'
import type { Reading } from '../reading.ts'
import type { ReplyEvent } from '../reply.ts'

/**
 * Reads a piece of a few characters in which nothing begins or ends that must be told: most pieces of a stream lie inside
 * text, a string or code, and need no more than this look. Hands back what the piece tells; undefined if there is more to it,
 * and then nothing has been read. What it tells is handed over at once: noting it first would cost as much as reading it.
 */
export function readInside(reading: Reading, piece: string): ReplyEvent[] | undefined {
  if (piece.length > maxLength || piece === '' || reading.places !== reading.syntax.inText) return undefined
  if (reading.held !== '') return readInsideMark(reading, piece)
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
      return undefined
  }
}

/** What is held goes on as the start of a mark, and is held as before. */
function readInsideMark(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const held = reading.awaited?.longerStart(reading.held, piece)
  if (held === undefined) return undefined
  reading.held = held
  return []
}

function readInsideText(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { offset } = reading
  if (
    reading.skipsSpace ||
    reading.isAtStart ||
    reading.isInHeading ||
    offset < 0 ||
    (reading.isSaid ? reading.places.said : reading.places.text).mayStartIn(piece)
  )
    return undefined
  reading.offset = offset + piece.length
  reading.collector.say('text', piece, offset, reading.offset)
  return [{ type: 'text', text: piece }]
}

function readInsideObject(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { object, call } = reading
  if (!object.takeInside(piece, reading.blockMarkers)) return undefined
  reading.offset += piece.length
  reading.raw.add(piece)
  return call.isNamed || object.isInWanted ? call.valueInside(piece) : []
}

function readInsideCode(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const told = reading.code.takeInside(piece)
  if (told === undefined) return undefined
  reading.offset += piece.length
  reading.raw.add(piece)
  return told
}

function readInsideValue(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { tagged } = reading
  if (tagged.part !== 'value' || tagged.markers.mayStartIn(piece)) return undefined
  reading.offset += piece.length
  reading.raw.add(piece)
  tagged.text.add(piece)
  return []
}

function readInsideString(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const isTaken = reading.state === 'python' ? reading.objectFrom > 0 && reading.python.takeInside(piece) : reading.quoted.takeInside(piece)
  if (!isTaken) return undefined
  reading.offset += piece.length
  reading.raw.add(piece)
  return []
}

/** White space waits for what follows it. */
function readInsideThought(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { offset } = reading
  if (reading.skipsSpace || offset < 0 || reading.thoughtMarkers!.mayStartIn(piece)) return undefined
  if (isSpace(piece.charCodeAt(piece.length - 1))) {
    if (passSpace(piece, 0) < piece.length) return undefined
    reading.offset = offset + piece.length
    reading.pendingSpace += piece
    return []
  }
  const said = reading.pendingSpace === '' ? piece : reading.takePendingSpace() + piece
  reading.offset = offset + piece.length
  reading.collector.say('reasoning', said, reading.offset - said.length, reading.offset)
  return [{ type: 'reasoning', text: said }]
}

const maxLength = 8
