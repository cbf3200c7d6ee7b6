import type { Reading } from '../reading.ts'
import { passSpace } from '../spaces.ts'
import { finishCall } from './finish-call.ts'
import { readMark } from './read-mark.ts'
import { refuse } from './refuse.ts'
import { startBlock } from './start-block.ts'

/** A call is complete: nothing but its closing mark, or the end of its fence, should follow. */
export function readAfterCall(reading: Reading, text: string, from: number): number {
  let at = passSpace(text, from)
  while (reading.ticksLeft > 0 && at < text.length && text.charCodeAt(at) === 0x60) {
    reading.ticksLeft--
    at = reading.ticksLeft === 0 ? passSpace(text, at + 1) : at + 1
  }
  if (at > from) reading.raw.add(text.slice(from, at))
  if (at === text.length) return at
  const markers = reading.blockMarkers
  const found = markers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at)
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
  } else {
    reading.sayHeld(lead, reading.offset + at - lead.length)
    reading.state = 'text'
  }
  return at
}
