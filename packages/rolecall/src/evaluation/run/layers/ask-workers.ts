import type { RowTask } from '../run-types.ts'
import { type AskedRow, checkOf } from './asked-row.ts'
import type { Answering, RowReply } from './layer.ts'
import { retryKey } from './retry-cut.ts'

/** Sends the row to workers on other machines, if there are any. */
export function askWorkers(asked: AskedRow, next: Answering<RowReply>): RowReply | Promise<RowReply> {
  const { pair, options } = asked.context
  return options.remote ? options.remote.ask(pair, taskOf(asked), checkOf(asked), asked.onTokens) : next(asked)
}

function taskOf({ context: { environment }, row, id, examples, key, retry }: AskedRow): RowTask {
  if (!retry) return { row, id, examples, key }
  return { row, id, examples, key: retryKey(key, retry.maxTokens, environment.hash), retry: { of: key, ...retry } }
}
