import { type CallError, callProblem, type TextRange, type UsableCall } from '../reply.ts'
import type { Block } from '../syntax.ts'
import type { Meaning } from './compile-syntax.ts'
import type { Marker } from './marker-set.ts'
import type { Reading } from './reading.ts'
import type { Scanner } from './scanners.ts'

/** Reads the mark at hand and goes on as it says. */
export function followMark(r: Reading, { text: mark, meaning }: Marker<Meaning>): void {
  const end = r.at + mark.length
  r.isInHeading = false
  switch (meaning.kind) {
    case 'open':
      leaveReasoning(r)
      r.isAtStart = false
      startBlock(r, meaning.block)
      // The first character of bare JSON is read with the JSON.
      if (meaning.block.json?.opened) return
      if (meaning.block.tentative) r.lead = mark
      break
    case 'near-miss': {
      const from = r.position
      r.say('text', end)
      r.report(`${mark} is read as text: a call opens with ${meaning.of}, without a space`, from, r.position)
      break
    }
    case 'close':
      goToText(r)
      break
    case 'wrapper-close':
      if (r.isInWrapper) {
        r.closePart()
        r.isInSection = false
        r.isInWrapper = false
        goToText(r)
      } else r.say('text', end)
      break
    case 'ignored':
      r.closePart()
      break
    case 'heading':
      r.closePart()
      r.isInHeading = true
      break
    case 'head':
      leaveReasoning(r)
      r.closePart()
      r.head = mark === r.syntax.syntax.messages!.start ? '' : mark
      r.isHeadCertain = true
      r.state = 'head'
      break
    case 'message-end':
      leaveReasoning(r)
      r.isSaid = false
      r.closePart()
      goToText(r)
      break
    case 'end':
      leaveReasoning(r, true)
      r.state = 'done'
      break
    case 'reasoning':
      if (r.state !== 'reasoning') {
        startReasoning(r, meaning.span)
        r.closePart()
      }
      // A thought that opens twice in a row opens once.
      else if (!r.skipsSpace) r.say('reasoning', end, r.takePendingSpace())
      break
    case 'reasoning-close':
      if (r.state === 'reasoning') {
        leaveReasoning(r)
        goToText(r)
        r.skipsSpace = true
        r.isAtStart = r.syntax.bare !== undefined
      }
      // A model that does not think may begin by saying so.
      else if (r.isSilent) r.closePart()
      else {
        const from = r.position
        r.say('text', end)
        r.report(`${meaning.span.close} without ${meaning.span.open}: was it opened in the prompt?`, from, r.position)
      }
      break
    case 'section':
      leaveReasoning(r)
      r.closePart()
      goToText(r)
      r.isInSection = meaning.isOpen
      r.skipsSpace = meaning.isOpen
      break
    default:
      meaning satisfies never
  }
  r.at = end
}

function goToText(r: Reading): void {
  r.state = 'text'
  r.skipsSpace = r.isInSection
}

export function startReasoning(r: Reading, span: Reading['span']): void {
  r.state = 'reasoning'
  r.span = span
  r.skipsSpace = true
}

export function leaveReasoning(r: Reading, isUnterminated = false): void {
  if (r.state !== 'reasoning') return
  r.pendingSpace = ''
  r.closePart(isUnterminated)
  if (isUnterminated) r.report(`the reply ends before ${r.span!.close}`, r.position)
}

/** A block opens here. */
export function startBlock(r: Reading, block: Block): void {
  r.block = block
  r.isInList = false
  r.lead = ''
  r.leadFrom = r.position
  r.hasCalls = false
  r.callsInBlock = 0
  if (!r.isTentative) r.closePart()
  r.state = 'body'
  startCall(r)
}

/** A call of the open block starts here. */
export function startCall(r: Reading): void {
  const { json } = r.block
  r.blockFrom = r.position
  r.call.start(r.calls, json, !r.isTentative || r.hasCalls, json?.opened ? r.tools : undefined)
  r.raw = ''
  r.argumentsFrom = 0
  r.refusal = undefined
  r.wrongFrom = undefined
  r.ticksLeft = 0
}

/** What was taken for a call is text. */
export function becomeText(r: Reading): void {
  r.sayHeld(r.lead + r.raw, r.leadFrom)
  r.lead = ''
  r.raw = ''
  r.state = 'text'
}

export const endsEarly = 'the call ends before its JSON does'

/** Waits until it is certain what follows `pass`: a mark, the end of the reply, or something else. */
export function* markAhead(
  r: Reading,
  pass: (r: Reading) => void,
): Generator<undefined, Marker<Meaning> | 'end of reply' | undefined, undefined> {
  for (;;) {
    pass(r)
    if (r.isEmpty && r.isEnded) return 'end of reply'
    const mark = r.isEmpty ? 'partial' : r.marks.match(r.text, r.at, r.isFinal)
    if (mark !== 'partial') return mark
    yield
  }
}

/** Follows a call to its end; false if it ends early, or turns out to be text. `onText` gets its text chunk by chunk. */
export function* scanCall(r: Reading, scanner: Scanner, onText?: (text: string) => void): Generator<undefined, boolean, undefined> {
  const { call } = r
  for (;;) {
    const from = r.at
    r.takeRaw(scanner.scan(r.text, from, r.marks, r.isFinal))
    if (onText !== undefined && r.at > from) onText(r.text.slice(from, r.at))
    if (scanner.status === 'end' && call.isCertain) return true
    if (r.isEnded || scanner.status === 'end' || scanner.status === 'marker' || scanner.status === 'stop') break
    yield
    // As text, a token that is a mark would have other ids: it ends the call even inside a string.
    if (scanner.isInString && r.isTokenOf(r.marks)) {
      refuse(r, 'truncated', endsEarly)
      return false
    }
  }
  if (!call.isCertain) becomeText(r)
  else {
    refuse(r, 'truncated', endsEarly)
    if (r.isEnded && scanner.isInString) r.rewind(r.argumentsFrom + scanner.stringFrom, r.marks)
  }
  return false
}

/** The rest of the block cannot be read. `showsNext`: the next character is what is wrong; it may not be complete yet. */
export function refuse(r: Reading, error: CallError, problem: string, showsNext = false): void {
  // Only the first problem of a call is reported.
  const isFirst = r.found === undefined || !('error' in r.found)
  r.refusal = r.found !== undefined && 'error' in r.found ? r.found : { error, problem }
  r.wrongFrom = isFirst && showsNext ? r.rawLength : undefined
  r.state = 'skip'
}

/** The text of the call is complete; the closing mark should follow, where there is one. */
export function completeCall(r: Reading, found: NonNullable<Reading['found']>): void {
  r.found = found
  r.foundLength = r.rawLength
  const { block, isInList } = r
  if (block.close !== undefined && !isInList) {
    r.state = 'after'
    return
  }
  finishCall(r, false)
  r.lead = ''
  r.hasSeparator = false
  r.state = isInList ? 'list' : block.json?.separator === undefined ? 'text' : 'between'
}

/** The call ends at the reply's position `end`. */
export function finishCall(r: Reading, isUnterminated: boolean, end = r.position): void {
  const found = r.found!
  if ('error' in found) {
    r.refusal = found
    finishRefusal(r, isUnterminated, end, r.foundLength)
    return
  }
  const { name, arguments: given, argumentsText, id } = found
  const call: UsableCall = { kind: 'call', name, arguments: given, argumentsText, at: placeOfCall(r, end) }
  if (id !== undefined) call.id = id
  if (isUnterminated) call.unterminated = true
  const problems = r.tools?.problemsOf(call) ?? []
  if (problems.length > 0) call.problems = problems
  finish(r, call)
  r.hasCalls = true
}

export function finishRefusal(r: Reading, isUnterminated: boolean, end = r.position, length = r.rawLength): void {
  const raw = r.raw.slice(0, length)
  const wrong = r.wrongFrom === undefined ? '' : `, found '${String.fromCodePoint(raw.codePointAt(r.wrongFrom)!)}'`
  const { error } = r.refusal!
  const problem = r.refusal!.problem + wrong
  const { name } = r.call
  const at = placeOfCall(r, end)
  r.report(callProblem({ name, problem }), ...at)
  const more = { ...(name === undefined ? {} : { name }), ...(isUnterminated ? { unterminated: true as const } : {}) }
  finish(r, { kind: 'malformed', error, raw, problem, ...more, at })
}

export function finish(r: Reading, call: Parameters<Reading['addCall']>[0]): void {
  r.addCall(call)
  r.callsInBlock++
  r.found = undefined
  r.raw = ''
}

export function placeOfCall({ blockFrom }: Reading, end: number): TextRange {
  return [Math.max(0, blockFrom), Math.max(0, end)]
}
