import type { At, ReplyCall, UsableCall } from '../../reply.ts'
import type { Reading } from '../reading.ts'
import { unreadCall } from '../unread-call.ts'

/** The call ends at the reply's position `end`: its object has been read, and may have been refused. */
export function finishCall(reading: Reading, end: number, isUnterminated: boolean): void {
  const found = reading.found!
  if ('error' in found) {
    reading.refusal = found
    finishRefusal(reading, end, isUnterminated, reading.rawLength)
    return
  }
  const { name, arguments: given, argumentsText, id } = found
  const at = placeOfCall(reading, end)
  const call: UsableCall =
    given === undefined ? unreadCall(name, argumentsText, at) : { kind: 'call', name, arguments: given, argumentsText, at }
  if (id !== undefined) call.id = id
  if (isUnterminated) call.unterminated = true
  const problems = reading.tools?.problemsOf(call)
  if (problems !== undefined && problems.length > 0) call.problems = problems
  finish(reading, call)
  reading.hasCalls = true
}

export function finishRefusal(reading: Reading, end: number, isUnterminated: boolean, length = reading.raw.length): void {
  const raw = reading.raw.toString().slice(0, length)
  const { refusal, wrongFrom } = reading
  const wrong = wrongFrom === undefined ? '' : `, found '${String.fromCodePoint(raw.codePointAt(wrongFrom)!)}'`
  const problem = refusal!.problem + wrong
  const { name } = reading.call
  const at = placeOfCall(reading, end)
  reading.report(`${name === undefined ? 'a call' : `the call of ${name}`} cannot be used: ${problem}`, ...at)
  finish(reading, {
    kind: 'malformed',
    error: refusal!.error,
    raw,
    problem,
    ...(name === undefined ? {} : { name }),
    ...(isUnterminated ? { unterminated: true } : {}),
    at,
  })
}

export function finishCode(reading: Reading, end: number, isUnterminated: boolean): void {
  reading.code.finish()
  const { language } = reading.code
  const raw = reading.raw.toString()
  const fenced = reading.code.codeIn(raw)
  const code = fenced ?? raw.trim()
  if (fenced === undefined && code !== '') reading.events.tell({ type: 'code', index: reading.calls, text: code })
  finish(reading, {
    kind: 'code',
    code,
    ...(language === undefined ? {} : { language }),
    raw,
    ...(isUnterminated ? { unterminated: true } : {}),
    at: placeOfCall(reading, end),
  })
}

function finish(reading: Reading, call: ReplyCall): void {
  reading.collector.call(call)
  reading.callsInBlock++
  reading.events.tell({ type: 'call-end', index: reading.calls++, call })
  reading.found = undefined
  reading.raw.clear()
}

function placeOfCall({ blockFrom }: Reading, end: number): At {
  return [Math.max(0, blockFrom), Math.max(0, end)]
}
