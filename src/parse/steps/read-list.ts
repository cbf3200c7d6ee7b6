import type { Reading } from '../reading.ts'
import { passSpace } from '../spaces.ts'
import { readMark } from './read-mark.ts'
import { refuse } from './refuse.ts'
import { startCall, startObject } from './start-block.ts'

/** What stands between the calls of a list, and after the list. */
export function readList(reading: Reading, text: string, from: number): number {
  const at = passSpace(text, from)
  if (at === text.length) return at
  const markers = reading.blockMarkers
  const found = markers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at)
  if (found === 'found') {
    if (reading.state === 'list') reportOpenList(reading, at)
    return readMark(reading, text, at, markers)
  }
  const first = text[at]
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
