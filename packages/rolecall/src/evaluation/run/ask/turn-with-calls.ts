import type { Row, Turn } from '@rolecall/core/internal/conversation'
import { readMessage } from '@rolecall/core/internal/conversation'
import type { Prompt } from '@rolecall/core/internal/format'
import { syntaxAfter } from '@rolecall/core/internal/reply'
import { replyMessage } from '../../../model/agent/reply-message.ts'
import { replySyntaxOf } from '../../../model/model-types/reply-syntax-of.ts'
import type { GivenReply, RequestPlan } from './inferencer.ts'
import { readTurn } from './read-calls.ts'

/** A turn that the model generated, the reference turn that it replaces, and the tool results after it. */
export type TurnWithCalls = { row: Row; prompt: Prompt; written: Turn; results: readonly Turn[] }

/**
 * The model's turn in place of the reference: its words and calls, verbatim. Its calls get the
 * ids of the reference calls, so that the following tool results answer them. If it makes other calls than those
 * with results, the conversation cannot continue.
 */
export function readTurnWithCalls(
  plan: RequestPlan,
  { row, prompt, written, results }: TurnWithCalls,
  given: GivenReply,
): { turn: Turn } | { problem: string } {
  const { format } = plan.maker
  const reply = readTurn(plan, { row, prompt }, given)
  const names = reply.calls.map((call) => (call.kind === 'call' ? call.name : call.kind === 'code' ? 'interpreter' : '?'))
  const ids = idsFor(names, written.calls ?? [])
  if (results.length > 0 && ids === undefined) {
    const wanted = (written.calls ?? []).map(({ name }) => name).join(', ')
    return {
      problem: `${names.length === 0 ? 'nothing was called' : `${names.join(', ')} was called`}, and what follows are results of ${wanted}`,
    }
  }
  const syntax = syntaxAfter(format, prompt?.notes ?? [], replySyntaxOf(plan.model))
  const callIds = ids ?? names.map((_, index) => `made${String(index + 1).padStart(5, '0')}`)
  const message = replyMessage({ reply, model: { text: given.text }, callIds, syntax, format })
  return { turn: readMessage(message, { by: 'model', path: written.path }, { notes: [] }) }
}

/** The ids of the expected calls in the order of the model's calls; undefined if the model calls others. */
function idsFor(names: readonly string[], written: NonNullable<Turn['calls']>): string[] | undefined {
  if (names.length !== written.length) return undefined
  const left = [...written]
  const ids: string[] = []
  for (const [index, name] of names.entries()) {
    const found = left.findIndex((call) => call.name === name)
    if (found < 0) return undefined
    const [call] = left.splice(found, 1)
    ids.push(call!.id ?? `made${String(index + 1).padStart(5, '0')}`)
  }
  return ids
}
