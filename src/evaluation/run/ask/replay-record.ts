import { isList, type PyValue, pyStr, stringifyJson } from '../../../base/python/index.ts'
import type { ReplyCall } from '../../../model/reply/index.ts'
import { callsOf, type RecordedCall } from '../../../model/reply/recorded-call.ts'
import type { Request, RequestPlan, RowQuestion } from './inferencer.ts'
import type { CallSource } from './read-calls.ts'
import { driveRequests, standInAnswer, startRow } from './start-row.ts'

/**
 * The requests of a row as they were sent when a record was written: if a request depends on an answer, the recorded one
 * replaces it. The examples are those used then.
 */
export function replayRecord(plan: RequestPlan, question: RowQuestion, { prediction, calls, calls_by: by }: RecordedReplies): Request[] {
  const said = isList(prediction) ? prediction : [prediction]
  const called = isList(prediction) ? (isList(calls) ? calls : []) : [calls]
  return driveRequests(startRow(plan, question), (request, number) => {
    const text = said[number]
    if (text === undefined || text === null) return standInAnswer(request)
    // Calls that were parsed from text are part of it.
    const known = plan.readsCalls && by === 'server' ? callsOf(called[number]) : undefined
    return { kind: 'generate', replies: [{ text: pyStr(text), ...(known ? { calls: known.map(asReplyCall) } : {}) }] }
  })
}

/** The recorded replies of a row. */
export type RecordedReplies = { prediction: PyValue; calls?: PyValue | undefined; calls_by?: CallSource | undefined }

function asReplyCall(call: RecordedCall): ReplyCall {
  const at = [0, 0] as const
  if ('code' in call) return { kind: 'code', code: call.code, raw: call.code, at }
  if ('malformed' in call) return { kind: 'malformed', error: 'malformed', raw: call.malformed, problem: call.problem, at }
  return {
    kind: 'call',
    name: call.name,
    arguments: call.arguments,
    argumentsText: call.arguments_text ?? stringifyJson(call.arguments, { ensureAscii: false }),
    at,
  }
}
