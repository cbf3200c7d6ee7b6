import type { Reading } from '../reading.ts'
import { passSpace } from '../spaces.ts'
import { readMark } from './read-mark.ts'
import { startBlock } from './start-block.ts'

/** What the model says, up to the next mark. */
export function readText(reading: Reading, text: string, from: number): number {
  let at = from
  if (reading.skipsSpace) {
    at = passSpace(text, at)
    if (at === text.length) return at
    reading.skipsSpace = false
  }
  if (reading.isAtStart && reading.syntax.bare !== undefined) {
    const start = passSpace(text, at)
    reading.say('text', text, at, start)
    if (start === text.length) return start
    at = start
    if (text[at] === '{') {
      reading.isAtStart = false
      startBlock(reading, reading.syntax.bare, at)
      return at
    }
  }
  const markers = reading.places.text
  const found = markers.find(text, at, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  if (stop > at) {
    reading.isAtStart = false
    reading.say('text', text, at, stop)
  }
  if (found === 'none') return stop
  return found === 'partial' ? reading.hold(stop) : readMark(reading, text, stop, markers)
}

/** What was generated after the turn had ended. */
export function readRest(reading: Reading, text: string, at: number): number {
  reading.collector.after(text.slice(at))
  const first = reading.hasProblemAfterEnd ? text.length : passSpace(text, at)
  if (first < text.length) {
    reading.hasProblemAfterEnd = true
    reading.report('the model went on after its turn had ended', reading.offset + first)
  }
  return text.length
}
