import type { Budget } from '../budget.ts'
import type { Amount } from '../record/cost.ts'
import { rowBound } from '../row-bound.ts'
import type { AskedRow } from './asked-row.ts'
import type { AnsweredRow, Answering } from './layer.ts'

/** Sends a row once it fits into what the run may spend, and counts what it and its judge took. */
export function withinBudget(asked: AskedRow, next: Answering<AnsweredRow>): AnsweredRow | Promise<AnsweredRow> {
  const { budget } = asked.context.options
  return budget ? admitted(asked, next, budget) : next(asked)
}

async function admitted(asked: AskedRow, next: Answering<AnsweredRow>, budget: Budget): Promise<AnsweredRow> {
  const { context, row, requests } = asked
  const { pair, options } = context
  const bound = (replied?: Amount) => rowBound(pair, context.plan, row, requests.bodies, options.retryCut, replied)
  const isAdmitted = budget.admit(pair, bound)
  if (!(isAdmitted instanceof Promise ? await isAdmitted : isAdmitted)) return { from: 'nowhere' }
  let answered: AnsweredRow | undefined
  try {
    answered = await next(asked)
    return answered
  } finally {
    const { record, tokens } = answered ?? {}
    budget.settle(pair, record && tokens ? { ...record, tokens } : record)
    // Rows that no worker has taken are taken back.
    if (options.remote && budget.isBusy) budget.isSpent()
  }
}
