import type { Reading } from '../reading.ts'
import { passSpace } from '../spaces.ts'
import { endCode, startCode } from './read-code.ts'
import { refuse } from './refuse.ts'
import { startObject } from './start-block.ts'

/** What follows the mark that opens a block: its first character decides what the block is. */
export function readBody(reading: Reading, text: string, from: number): number {
  const at = passSpace(text, from)
  if (at === text.length) return at
  const { json, named, code } = reading.block
  reading.rawFrom = reading.offset + at
  const found = reading.blockMarkers.match(text, at, reading.isFinal)
  if (found === 'partial') return reading.hold(at)
  if (found === 'found') {
    if (code === undefined) return refuse(reading, 'malformed', 'the call is empty', at)
    startCode(reading)
    return endCode(reading, text, at)
  }
  const first = text[at]
  if (json !== undefined && first === '{') startObject(reading)
  else if (json?.list && first === '[') {
    reading.state = 'list'
    reading.isInList = true
    return at + 1
  } else if (named !== undefined) reading.state = 'header'
  else if (code !== undefined) startCode(reading)
  else return refuse(reading, 'malformed', "expected '{'", at, true)
  return at
}
