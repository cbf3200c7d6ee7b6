import { fitExamples } from '@rolecall/core/internal/compile'
import type { Note } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { lookAlikes } from '@rolecall/core/internal/tokenizer'
import { refuseRow } from './check-columns.ts'
import type { Request, RequestAnswer, RequestGenerator, RequestPlan, RowQuestion } from './inferencer.ts'

/** A row whose first request is rendered but not answered. */
export type StartedRow = { question: RowQuestion; asking: RequestGenerator; first: Request }

/** The same with as many examples as fit into `max_seq_len`. */
export type FittedRow = StartedRow & { examples: { used: number; dropped: number }; notes: readonly Note[] }

/** Renders the first request of a row, with all its examples. */
export function startRow(plan: RequestPlan, question: RowQuestion): StartedRow {
  if (plan.needed) refuseRow(plan.needed, question.row, question.examples)
  const asking = plan.inferencer.ask(plan, question)
  const { value: first, done } = asking.next()
  if (done) throw new Error('an inferencer asks at least once')
  return { question, asking, first }
}

/**
 * Drops examples until every request of the row fits into `max_seq_len`; returns the given row if nothing is dropped. Markers in data are
 * noted, or refused before anything is sent, according to the model's `marker_policy`.
 */
export function fitRow(plan: RequestPlan, begun: StartedRow): FittedRow {
  const { row, examples } = begun.question
  const { maker, model, count } = plan
  // If the prompt has no place for examples, rendering notes it, and none is used.
  const isShown = maker.showsExamples?.(row) ?? true
  const limit = count && model.max_seq_len
  if (limit === undefined) return fitted(plan, begun, isShown ? examples.length : 0, 0, none)
  const { rendered, kept, dropped, notes } = fitExamples({
    examples: isShown ? examples : [],
    limit,
    render: (shown) => (!isShown || shown === examples ? begun : startRow(plan, { row, examples: shown })),
    count: (tried) => longest(allRequests(plan, tried), count!),
  })
  return fitted(plan, rendered, kept, dropped, notes)
}

const none: readonly Note[] = []

function fitted({ maker, model }: RequestPlan, begun: StartedRow, used: number, dropped: number, notes: readonly Note[]): FittedRow {
  const { question, asking, first } = begun
  // The prompts of a row show the same data; labels only add template text.
  const alike = lookAlikes(first.prompts[0]!.prompt, maker.format.markers, model.marker_policy)
  return { question, asking, first, examples: { used, dropped }, notes: alike.length === 0 ? notes : [...notes, ...alike] }
}

/**
 * All requests of a row. If one depends on an answer, a stand-in replaces it: the answer in the row. The given row is not advanced.
 */
export function allRequests(plan: RequestPlan, { question, first }: Pick<StartedRow, 'question' | 'first'>): Request[] {
  if (!isChained(first)) return [first]
  return driveRequests(startRow(plan, question), standInAnswer)
}

/** All requests of a row, with answers from a synchronous function. */
export function driveRequests({ asking, first }: StartedRow, answer: (request: Request, number: number) => RequestAnswer): Request[] {
  const requests: Request[] = [first]
  for (;;) {
    const request = requests.at(-1)!
    // The prediction itself is not needed.
    if (!isChained(request)) return requests
    const { value, done } = asking.next(answer(request, requests.length - 1))
    if (done) return requests
    requests.push(value)
  }
}

/** Replaces a model's answer in previews. */
export function standInAnswer(request: Request): RequestAnswer {
  const text = request.kind === 'generate' ? (request.standIn ?? '') : ''
  return { kind: 'generate', replies: [{ text }], isStandIn: true }
}

/** Whether another request follows the answer to this one. */
export function isChained(request: Request): request is Request & { kind: 'generate' } {
  return request.kind === 'generate' && request.standIn !== undefined
}

function longest(requests: readonly Request[], count: (prompt: Prompt) => number): number {
  let most = 0
  for (const request of requests) {
    const counted = (request.kind === 'score' ? request.counted : undefined) ?? request.prompts.map(({ prompt }) => prompt)
    for (const prompt of counted) most = Math.max(most, count(prompt))
  }
  return most
}
