import type { AskedRow } from './asked-row.ts'
import type { AnsweredRow, Answering } from './layer.ts'

/** A run that only scores sends nothing: rows that it does not find are skipped. */
export function stayOffline(asked: AskedRow, next: Answering<AnsweredRow>): AnsweredRow | Promise<AnsweredRow> {
  return asked.context.options.offline ? { from: 'nowhere' } : next(asked)
}
