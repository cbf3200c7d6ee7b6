import { CodeScanner } from '../code-scanner.ts'
import type { Reading } from '../reading.ts'
import { stretch } from '../spaces.ts'
import { finishCode } from './finish-call.ts'
import { readMark } from './read-mark.ts'

export function startCode(reading: Reading, hidesMarkers = !reading.isStrict): void {
  reading.state = 'code'
  reading.code = new CodeScanner(reading.block.code!.fence, hidesMarkers, reading.calls, reading.events)
}

/** A block of code, up to the mark that ends it. */
export function readCode(reading: Reading, text: string, at: number): number {
  const { code } = reading
  const stop = code.scan(text, at, reading.blockMarkers, reading.isFinal)
  if (stop > at) reading.raw.add(stretch(text, at, stop))
  if (code.status === 'more') return stop
  if (code.status === 'partial') return reading.hold(stop)
  return endCode(reading, text, stop)
}

/** The code ends with the mark that was just found. */
export function endCode(reading: Reading, text: string, at: number): number {
  const markers = reading.blockMarkers
  const isClosed = markers.meaning!.kind === 'close'
  finishCode(reading, reading.offset + at + (isClosed ? markers.length : 0), reading.block.close !== undefined && !isClosed)
  return readMark(reading, text, at, markers)
}
