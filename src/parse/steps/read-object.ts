import type { Reading } from '../reading.ts'
import { stretch } from '../spaces.ts'
import { finishCall } from './finish-call.ts'
import { endsEarly, refuse } from './refuse.ts'

/** The JSON of a call, or of its arguments. */
export function readObject(reading: Reading, text: string, at: number): number {
  const { object, call } = reading
  const stop = object.scan(text, at, reading.blockMarkers, reading.isFinal)
  if (stop > at) {
    const piece = stretch(text, at, stop)
    reading.raw.add(piece)
    if (reading.objectFrom > 0) call.addArguments(piece)
  }
  switch (object.status) {
    case 'more':
      return stop
    case 'partial':
      return reading.hold(stop)
    case 'stop':
      return becomeText(reading, stop)
    case 'marker':
      return call.isCertain ? refuse(reading, 'truncated', endsEarly, stop) : becomeText(reading, stop)
    case 'end':
      return call.isCertain ? endObject(reading, stop) : becomeText(reading, stop)
    default:
      return object.status satisfies never
  }
}

/** JSON without a mark that turns out to be no call. */
export function becomeText(reading: Reading, at: number): number {
  reading.sayHeld(reading.lead + reading.raw.toString(), reading.rawFrom - reading.lead.length)
  reading.raw.clear()
  reading.state = 'text'
  return at
}

function endObject(reading: Reading, at: number): number {
  const { block, isInList } = reading
  reading.found = reading.call.read(reading.raw.toString(), reading.objectFrom, reading.object.isPlain)
  reading.rawLength = reading.raw.length
  if (block.close !== undefined && !isInList) {
    reading.state = 'after'
    return at
  }
  finishCall(reading, reading.offset + at, false)
  reading.lead = ''
  reading.hasSeparator = false
  reading.state = isInList ? 'list' : block.json?.separator === undefined ? 'text' : 'between'
  return at
}
