import type { Reading } from '../reading.ts'
import { readAfterCall, readBetweenCalls } from './read-after-call.ts'
import { readBody } from './read-body.ts'
import { readCode } from './read-code.ts'
import { readList } from './read-list.ts'
import { readName } from './read-name.ts'
import { readObject } from './read-object.ts'
import { readReasoning } from './read-reasoning.ts'
import { readRest, readText } from './read-text.ts'
import { skipRefused } from './refuse.ts'

/** Reads on from `at`, as the state says, and hands back where it stopped. */
export function readStep(reading: Reading, text: string, at: number): number {
  switch (reading.state) {
    case 'text':
      return readText(reading, text, at)
    case 'object':
      return readObject(reading, text, at)
    case 'code':
      return readCode(reading, text, at)
    case 'reasoning':
      return readReasoning(reading, text, at)
    case 'body':
      return readBody(reading, text, at)
    case 'after':
      return readAfterCall(reading, text, at)
    case 'between':
      return readBetweenCalls(reading, text, at)
    case 'list':
    case 'list-end':
      return readList(reading, text, at)
    case 'header':
      return readName(reading, text, at)
    case 'skip':
      return skipRefused(reading, text, at)
    case 'done':
      return readRest(reading, text, at)
    default:
      return reading.state satisfies never
  }
}
