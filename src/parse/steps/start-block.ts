import { CallInProgress } from '../call-in-progress.ts'
import { ObjectScanner } from '../object-scanner.ts'
import type { Reading } from '../reading.ts'
import type { Block } from '../syntax.ts'

/** A block opens at `at` in the current text. */
export function startBlock(reading: Reading, block: Block, at: number): void {
  reading.block = block
  reading.blockMarkers = reading.places.blocks.get(block)!
  reading.isInList = false
  reading.lead = ''
  if (block.open.length > 0) reading.collector.close()
  reading.state = 'body'
  startCall(reading, reading.offset + at)
}

/** A call in the current block starts at the reply's position `from`. */
export function startCall(reading: Reading, from: number): void {
  const { json, open } = reading.block
  reading.blockFrom = from
  reading.call = new CallInProgress(reading.calls, json, open.length > 0, reading.events)
  reading.raw.clear()
  reading.rawFrom = from
  reading.objectFrom = 0
  reading.refusal = undefined
  reading.wrongFrom = undefined
  reading.found = undefined
  reading.ticksLeft = 0
}

export function startObject(reading: Reading): void {
  reading.state = 'object'
  reading.object = new ObjectScanner(!reading.isStrict, reading.call)
}
