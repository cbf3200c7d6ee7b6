import type { AskedRow } from './asked-row.ts'
import type { Answering, RowReply } from './layer.ts'

/** Opens the model before the first row is sent: one that cannot be opened ends the run, and fails no row. */
export function openFirst(asked: AskedRow, next: Answering<RowReply>): RowReply | Promise<RowReply> {
  const { context } = asked
  // The judge runs here even with remote workers.
  const opened = context.options.remote ? context.judgeOpened?.() : context.opened()
  return opened instanceof Promise ? opened.then(() => next(asked)) : next(asked)
}
