import type { Reading } from '../reading.ts'
import { isSpace, passSpace, stretch } from '../spaces.ts'
import { readMark } from './read-mark.ts'

/** What the model thinks. White space beside the marks is not part of it, so that it waits for what follows. */
export function readReasoning(reading: Reading, text: string, from: number): number {
  const at = reading.skipsSpace ? passSpace(text, from) : from
  if (at === text.length) return at
  reading.skipsSpace = false
  const markers = reading.places.reasoning.get(reading.span!)!
  const found = markers.find(text, at, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  let last = stop
  while (last > at && isSpace(text.charCodeAt(last - 1))) last--
  if (last > at) {
    reading.say('reasoning', text, at, last, reading.pendingSpace)
    reading.pendingSpace = ''
  }
  if (stop > last) reading.pendingSpace += stretch(text, last, stop)
  if (found === 'none') return stop
  return found === 'partial' ? reading.hold(stop) : readMark(reading, text, stop, markers)
}
