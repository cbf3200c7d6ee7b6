import { isSpace, passSpace, sliceOf } from '../json-text.ts'
import type { Reading } from '../reading.ts'
import {
  readAfterCall,
  readBareList,
  readBetweenCalls,
  readBody,
  readCode,
  readList,
  readName,
  readObject,
  skipRefused,
} from './read-block.ts'
import { readHead, readMessageCall, startReplyHead } from './read-head.ts'
import { readMark, startBlock } from './read-mark.ts'
import { readPython } from './read-python.ts'
import { readQuotedCall } from './read-quoted-call.ts'
import { readTagged } from './read-tagged.ts'

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
    case 'tagged':
      return readTagged(reading, text, at)
    case 'python':
      return readPython(reading, text, at)
    case 'quoted':
      return readQuotedCall(reading, text, at)
    case 'bare-list':
      return readBareList(reading, text, at)
    case 'head':
      return readHead(reading, text, at)
    case 'message':
      return readMessageCall(reading, text, at)
    case 'skip':
      return skipRefused(reading, text, at)
    case 'done':
      return readRest(reading, text, at)
    default:
      return reading.state satisfies never
  }
}

/** What the model says, up to the next mark. */
function readText(reading: Reading, text: string, from: number): number {
  let at = from
  if (reading.skipsSpace) {
    at = passSpace(text, at)
    if (at === text.length) return at
    reading.skipsSpace = false
  }
  if (reading.isAtStart && reading.syntax.syntax.messages !== undefined) {
    startReplyHead(reading)
    return at
  }
  if (reading.isAtStart && reading.syntax.bare !== undefined) {
    const start = passSpace(text, at)
    reading.say('text', text, at, start)
    if (start === text.length) return start
    at = start
    const { bare } = reading.syntax
    if ((text[at] === '{' && bare.json) || (text[at] === '[' && (bare.json?.list || bare.python))) {
      reading.isAtStart = false
      startBlock(reading, bare, at)
      return at
    }
  }
  const markers = reading.isSaid ? reading.places.said : reading.places.text
  const found = markers.find(text, at, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  if (stop > at) {
    reading.isAtStart = false
    reading.say('text', text, at, stop)
  }
  if (found === 'none') return stop
  return found === 'partial' ? reading.hold(stop, markers) : readMark(reading, text, stop, markers)
}

/** What was generated after the turn had ended. */
function readRest(reading: Reading, text: string, at: number): number {
  reading.collector.after(text.slice(at))
  const first = reading.hasProblemAfterEnd ? text.length : passSpace(text, at)
  if (first < text.length) {
    reading.hasProblemAfterEnd = true
    reading.report('the model went on after its turn had ended', reading.offset + first)
  }
  return text.length
}

/** What the model thinks. White space beside the marks is not part of it, so that it waits for what follows. */
function readReasoning(reading: Reading, text: string, from: number): number {
  const at = reading.skipsSpace ? passSpace(text, from) : from
  if (at === text.length) return at
  const markers = reading.places.reasoning.get(reading.span!)!
  const found = markers.find(text, at, reading.isFinal)
  const stop = found === 'none' ? text.length : markers.at
  if (stop > at) reading.skipsSpace = false
  let last = stop
  while (last > at && isSpace(text.charCodeAt(last - 1))) last--
  if (last > at) {
    reading.say('reasoning', text, at, last, reading.takePendingSpace())
  }
  if (stop > last) reading.pendingSpace += sliceOf(text, last, stop)
  if (found === 'none') return stop
  return found === 'partial' ? reading.hold(stop, markers) : readMark(reading, text, stop, markers)
}
