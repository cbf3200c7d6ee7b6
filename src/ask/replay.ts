import { isList, type PyValue, pyStr } from '../python/index.ts'
import { beginAsking, driven, standIn } from './begin-asking.ts'
import type { AskPlan, Request, RowQuestion } from './inferencer.ts'

/**
 * The requests of a row as they were sent when a record was written: where a request depends on an answer, the one that the record
 * has takes its place. The examples are those that were used then.
 */
export function replay(plan: AskPlan, question: RowQuestion, { prediction }: { prediction: PyValue }): Request[] {
  const said = isList(prediction) ? prediction : [prediction]
  return driven(beginAsking(plan, question), (request, number) => {
    const text = said[number]
    return text === undefined || text === null ? standIn(request) : { kind: 'generate', replies: [{ text: pyStr(text) }] }
  })
}
