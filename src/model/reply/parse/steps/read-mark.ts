import type { Block } from '../../syntax.ts'
import type { Markers, Meaning } from '../compile-syntax.ts'
import type { Reading } from '../reading.ts'

/** Reads the mark that was just found and hands back where it ends. */
export function readMark(reading: Reading, text: string, at: number, { meaning, length }: Markers): number {
  followMark(reading, meaning!, text, at, length)
  // What is part of the JSON is read with it.
  return meaning!.kind === 'open' && meaning!.block.json?.opened ? at : at + length
}

function followMark(reading: Reading, meaning: Meaning, text: string, at: number, length: number): void {
  reading.isInHeading = false
  switch (meaning.kind) {
    case 'open':
      if (reading.state === 'reasoning') endReasoning(reading, false, at)
      reading.isAtStart = false
      startBlock(reading, meaning.block, at)
      if (meaning.block.tentative && !meaning.block.json?.opened) reading.lead = meaning.mark
      return
    case 'wrapper-close':
      if (!reading.isInWrapper) {
        reading.say('text', text, at, at + length)
        return
      }
      reading.collector.close()
      reading.isInSection = false
      reading.isInWrapper = false
      goToText(reading)
      return
    case 'ignored':
      reading.collector.close()
      return
    case 'heading':
      reading.collector.close()
      reading.isInHeading = true
      return
    case 'head':
      if (reading.state === 'reasoning') endReasoning(reading, false, at)
      reading.collector.close()
      reading.head.clear()
      reading.isHeadCertain = true
      reading.state = 'head'
      if (meaning.mark !== reading.syntax.syntax.messages!.start) reading.head.add(meaning.mark)
      return
    case 'message-end':
      if (reading.state === 'reasoning') endReasoning(reading, false, at)
      reading.isSaid = false
      reading.collector.close()
      goToText(reading)
      return
    case 'close':
      goToText(reading)
      return
    case 'end':
      if (reading.state === 'reasoning') endReasoning(reading, true, at)
      reading.state = 'done'
      return
    case 'reasoning':
      if (reading.state === 'reasoning') {
        // A thought that is opened twice is opened once.
        if (!reading.skipsSpace) reading.say('reasoning', text, at, at + length, reading.takePendingSpace())
        return
      }
      reading.startThought(meaning.span)
      reading.collector.close()
      return
    case 'reasoning-close':
      if (reading.state === 'reasoning') {
        endReasoning(reading, false, at)
        goToText(reading)
        reading.skipsSpace = true
        reading.isAtStart = reading.syntax.bare !== undefined
        return
      }
      // A model that does not think may begin by saying so.
      if (reading.isSilent) {
        reading.collector.close()
        return
      }
      reading.say('text', text, at, at + length)
      reading.report(
        `${meaning.span.close} without ${meaning.span.open}: was it opened in the prompt?`,
        reading.offset + at,
        reading.offset + at + length,
      )
      return
    case 'section':
      if (reading.state === 'reasoning') endReasoning(reading, false, at)
      reading.collector.close()
      goToText(reading)
      reading.isInSection = meaning.isOpen
      reading.skipsSpace = meaning.isOpen
      return
    default:
      meaning satisfies never
  }
}

function goToText(reading: Reading): void {
  reading.state = 'text'
  reading.skipsSpace = reading.isInSection
}

export function endReasoning(reading: Reading, isUnterminated: boolean, at: number): void {
  reading.pendingSpace = ''
  reading.collector.close(isUnterminated)
  if (isUnterminated) reading.report(`the reply ends before ${reading.span!.close}`, reading.offset + at)
}

/** A block opens at `at` in the current text. */
export function startBlock(reading: Reading, block: Block, at: number): void {
  reading.block = block
  reading.blockMarkers = reading.places.blocks.get(block)!
  reading.isInList = false
  reading.lead = ''
  reading.leadFrom = reading.offset + at
  reading.hasCalls = false
  reading.callsInBlock = 0
  if (block.open.length > 0 && !block.tentative) reading.collector.close()
  reading.state = 'body'
  startCall(reading, reading.offset + at)
}

/** A call in the current block starts at the reply's position `from`. */
export function startCall(reading: Reading, from: number): void {
  const { json, open, tentative } = reading.block
  reading.blockFrom = from
  reading.call.start(reading.calls, json, (open.length > 0 && !tentative) || reading.hasCalls, json?.opened ? reading.tools : undefined)
  reading.raw.clear()
  reading.rawFrom = from
  reading.objectFrom = 0
  reading.refusal = undefined
  reading.wrongFrom = undefined
  reading.ticksLeft = 0
}

export function startObject(reading: Reading): void {
  reading.state = 'object'
  reading.isObjectNew = true
}
