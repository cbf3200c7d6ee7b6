import type { Reading } from '../reading.ts'
import { finishCall, finishCode, finishRefusal } from './finish-call.ts'
import { becomeText, endsEarly, refuse, reportOpenList, startCode } from './read-block.ts'
import { headIsText } from './read-head.ts'
import { endReasoning } from './read-mark.ts'
import { endTagged } from './read-tagged.ts'

/** Closes what is open at the end of the reply; false if there is more to read. */
export function endReply(reading: Reading): boolean {
  const { block, object, code } = reading
  const hasClose = block?.close !== undefined
  switch (reading.state) {
    case 'text':
    case 'done':
    case 'list-end':
      return true
    case 'reasoning':
      endReasoning(reading, true, 0)
      break
    case 'body':
      if (reading.isTentative) {
        becomeText(reading, 0)
        return false
      }
      if (block.code === undefined || block.json !== undefined) {
        refuse(reading, 'truncated', endsEarly, 0)
        return false
      }
      startCode(reading)
      finishCode(reading, reading.offset, hasClose)
      break
    case 'object':
      if (!reading.call.isCertain) becomeText(reading, 0)
      else {
        refuse(reading, 'truncated', endsEarly, 0)
        if (object.isInString) goBack(reading, reading.objectFrom + object.stringFrom)
      }
      return false
    case 'tagged':
      if (endTagged(reading)) {
        finishCall(reading, reading.offset, true)
        break
      }
      if (readValueAgain(reading)) return false
      refuse(reading, 'truncated', endsEarly, 0)
      return false
    case 'python':
    case 'quoted':
      return endLiteral(reading)
    case 'bare-list':
      if (reading.isTentative) becomeText(reading, 0)
      else refuse(reading, 'truncated', endsEarly, 0)
      return false
    case 'head':
      if (reading.isHeadCertain) reading.report('the reply ends in the head of a message', reading.offset)
      else headIsText(reading, 0)
      break
    case 'message':
    case 'header':
      refuse(reading, 'truncated', endsEarly, 0)
      return false
    case 'after':
      finishCall(reading, reading.offset, true)
      break
    case 'skip':
      finishRefusal(reading, reading.offset, hasClose)
      break
    case 'code':
      if (code.fenceFrom !== undefined && goBack(reading, code.fenceFrom)) {
        readCodeAgain(reading)
        return false
      }
      finishCode(reading, reading.offset, hasClose)
      break
    case 'list':
      reportOpenList(reading, 0)
      break
    case 'between':
      reading.sayHeld(reading.lead, reading.offset - reading.lead.length)
      break
    default:
      reading.state satisfies never
  }
  reading.state = 'text'
  return true
}

/** A call that is cut in its name or in its arguments. */
function endLiteral(reading: Reading): boolean {
  const scanner = reading.state === 'python' ? reading.python : reading.quoted
  if (reading.state === 'python' && reading.objectFrom === 0) {
    if (reading.isTentative && reading.callsInBlock === 0) becomeText(reading, 0)
    else if (reading.raw.length > 0) refuse(reading, 'truncated', endsEarly, 0)
    else {
      if (reading.isInList) reportOpenList(reading, 0)
      reading.state = 'text'
    }
    return false
  }
  refuse(reading, 'truncated', endsEarly, 0)
  if (scanner.isInString) goBack(reading, reading.objectFrom + scanner.stringFrom)
  return false
}

/** A value that never closes has swallowed what follows: it is read again, once, and from there on all marks count in values. */
function readValueAgain(reading: Reading): boolean {
  const { tagged, block } = reading
  if (reading.isStrict || tagged.part !== 'value' || block.tagged!.elements) return false
  const raw = reading.raw.toString()
  tagged.seesMarks = true
  const { markers } = tagged
  if (markers.find(raw, tagged.valueFrom, true) !== 'found') return false
  reading.isStrict = true
  reading.held = raw.slice(markers.at)
  reading.offset -= reading.held.length
  reading.raw.clear()
  reading.raw.add(raw.slice(0, markers.at))
  tagged.text.clear()
  tagged.text.add(raw.slice(tagged.valueFrom, markers.at))
  return true
}

/** A real token ends a call even inside a string or fence: as text, it would have other ids. */
export function endByToken(reading: Reading, token: string): void {
  if (reading.state === 'tagged') {
    if (isWholeMark(reading, token) && reading.tagged.markers.match(token, 0, true) !== 'found') reading.tagged.seesMarks = true
    return
  }
  if (reading.state === 'python' || reading.state === 'quoted') {
    const scanner = reading.state === 'python' ? reading.python : reading.quoted
    if (scanner?.isInString && isWholeMark(reading, token)) refuse(reading, 'truncated', endsEarly, 0)
    return
  }
  if (reading.state !== 'object' && reading.state !== 'code') return
  const markers = reading.blockMarkers
  if (markers.match(token, 0, true) !== 'found' || markers.length !== token.length) return
  if (reading.state === 'code') reading.code.seeMarkers()
  else if (reading.object.isInString) refuse(reading, 'truncated', endsEarly, 0)
}

function isWholeMark({ blockMarkers }: Reading, token: string): boolean {
  return blockMarkers.match(token, 0, true) === 'found' && blockMarkers.length === token.length
}

/**
 * A string or fence that never closes has swallowed what follows. If there was a mark in it, the block ended there: the
 * rest is read again, once, and from now on marks count wherever they stand.
 */
function goBack(reading: Reading, from: number): boolean {
  if (reading.isStrict) return false
  const markers = reading.blockMarkers
  const raw = reading.raw.toString()
  if (markers.find(raw, from, true) !== 'found') return false
  reading.isStrict = true
  reading.held = raw.slice(markers.at)
  reading.offset -= reading.held.length
  reading.raw.clear()
  reading.raw.add(raw.slice(0, markers.at))
  return true
}

/** Up to the fence that never closed marks were rightly code; from there on they count. */
function readCodeAgain(reading: Reading): void {
  reading.events.tell({ type: 'reset', index: reading.calls })
  startCode(reading, true)
  reading.code.scan(reading.raw.toString(), 0, reading.blockMarkers, true)
  reading.code.seeMarkers()
}
