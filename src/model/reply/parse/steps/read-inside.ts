import type { ReplyEvent } from '../../reply.ts'
import { isSpace, passSpace } from '../json-text.ts'
import type { MarkerSet } from '../marker-set.ts'
import type { Reading } from '../reading.ts'
import { isNameCharacter } from './read-python.ts'

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
    case 'header':
      return readInsideName(reading, piece)
    case 'head':
      return readInsideHead(reading, piece)
    case 'body':
    case 'after':
    case 'list':
    case 'list-end':
    case 'message':
      return readSpace(reading, piece)
    default:
      return undefined
  }
}

/** What begins a mark waits for the rest of it, and tells nothing. */
function holdStart(reading: Reading, piece: string, markers: MarkerSet<unknown>): ReplyEvent[] | undefined {
  const start = piece.length === 1 ? markers.longerStart('', piece) : undefined
  if (start === undefined) return undefined
  reading.held = start
  reading.awaited = markers
  return []
}

/** White space between the parts of a call. */
function readSpace(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { state } = reading
  if (state === 'after' && reading.blockMarkers.startsWith(piece.charCodeAt(0))) return holdStart(reading, piece, reading.blockMarkers)
  if (passSpace(piece, 0) < piece.length || (state === 'body' && reading.isTentative)) return undefined
  reading.offset += piece.length
  if (state === 'after') reading.raw.add(piece)
  return []
}

function readInsideName(reading: Reading, piece: string): ReplyEvent[] | undefined {
  if (piece.includes('{') || reading.blockMarkers.mayStartIn(piece)) return undefined
  reading.offset += piece.length
  reading.raw.add(piece)
  return []
}

function readInsideHead(reading: Reading, piece: string): ReplyEvent[] | undefined {
  if (!reading.isHeadCertain) return undefined
  if (reading.places.head.mayStartIn(piece)) return holdStart(reading, piece, reading.places.head)
  reading.offset += piece.length
  reading.head.add(piece)
  return []
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
  if (reading.skipsSpace && offset >= 0) return readSpace(reading, piece)
  if (reading.isAtStart || reading.isInHeading || offset < 0) return undefined
  const markers = reading.isSaid ? reading.places.said : reading.places.text
  if (markers.mayStartIn(piece)) return holdStart(reading, piece, markers)
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
  const { markers } = tagged
  if (markers.mayStartIn(piece)) return holdStart(reading, piece, markers)
  reading.offset += piece.length
  reading.raw.add(piece)
  tagged.text.add(piece)
  return []
}

function readInsideString(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const markers = reading.blockMarkers
  const isTaken =
    reading.state === 'quoted'
      ? reading.quoted.takeInside(piece, markers)
      : reading.objectFrom > 0
        ? reading.python.takeInside(piece, markers)
        : isInsideName(reading, piece)
  if (!isTaken) return reading.state === 'quoted' ? holdStartOfQuote(reading, piece) : undefined
  reading.offset += piece.length
  reading.raw.add(piece)
  return []
}

/** Inside a text only the mark that ends it counts. */
function holdStartOfQuote(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { quote } = reading.block.quoted!
  return piece === quote[0] ? holdStart(reading, piece, reading.syntax.quotes.get(reading.block)!) : undefined
}

/** The name of a Python call that has begun goes on. */
function isInsideName({ raw }: Reading, piece: string): boolean {
  return raw.length > 0 && piece.length === 1 && isNameCharacter(piece.charCodeAt(0))
}

/** White space waits for what follows it. */
function readInsideThought(reading: Reading, piece: string): ReplyEvent[] | undefined {
  const { offset } = reading
  if (reading.skipsSpace || offset < 0) return undefined
  if (reading.thoughtMarkers!.mayStartIn(piece)) return holdStart(reading, piece, reading.thoughtMarkers!)
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
