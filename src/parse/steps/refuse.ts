import type { Refusal } from '../read-call.ts'
import type { Reading } from '../reading.ts'
import type { CallError } from '../reply.ts'
import { stretch } from '../spaces.ts'
import { finishRefusal } from './finish-call.ts'
import { readMark } from './read-mark.ts'

export const endsEarly = 'the call ends before its JSON does'

/** The rest of the block cannot be read. `showsNext`: what comes next is what is wrong; its character may not be complete yet. */
export function refuse(reading: Reading, error: CallError, problem: string, at: number, showsNext = false): number {
  // What was wrong first is what is told.
  const isFirst = reading.found === undefined || !('error' in reading.found)
  reading.refusal = isFirst ? { error, problem } : (reading.found as Refusal)
  reading.wrongFrom = isFirst && showsNext ? reading.raw.length : undefined
  reading.state = 'skip'
  return at
}

/** Passes the rest of a refused block, up to the next mark. */
export function skipRefused(reading: Reading, text: string, at: number): number {
  const markers = reading.blockMarkers
  const found = markers.find(text, at, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  reading.raw.add(stretch(text, at, stop))
  if (found === 'none') return stop
  if (found === 'partial') return reading.hold(stop)
  const isClosed = markers.meaning!.kind === 'close'
  finishRefusal(reading, reading.offset + stop + (isClosed ? markers.length : 0), reading.block.close !== undefined && !isClosed)
  return readMark(reading, text, stop, markers)
}
