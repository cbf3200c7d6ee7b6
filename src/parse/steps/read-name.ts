import { CallInProgress } from '../call-in-progress.ts'
import { readHeader } from '../read-call.ts'
import type { Reading } from '../reading.ts'
import { refuse } from './refuse.ts'
import { startObject } from './start-block.ts'

/** The name of a call whose arguments follow it: all up to their opening brace. */
export function readName(reading: Reading, text: string, from: number): number {
  const markers = reading.blockMarkers
  const brace = text.indexOf('{', from)
  const before = brace < 0 ? text : text.slice(0, brace)
  const found = markers.find(before, from, reading.isFinal || brace >= 0)
  const stop = found === 'none' ? before.length : markers.at
  reading.raw.add(text.slice(from, stop))
  if (found === 'partial') return reading.hold(stop)
  if (found === 'found') return refuse(reading, 'malformed', "expected the arguments' '{', found the end of the call", stop)
  if (brace < 0) return stop
  const header = readHeader(reading.raw.toString(), reading.block.named!)
  if ('error' in header) {
    reading.refusal = header
    reading.state = 'skip'
    return stop
  }
  reading.call = new CallInProgress(reading.calls, undefined, true, reading.events)
  reading.call.startNamed(header.name, header.id)
  reading.ticksLeft = header.isFenced ? 3 : 0
  reading.objectFrom = reading.raw.length
  startObject(reading)
  return stop
}
