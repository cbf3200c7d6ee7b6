import { askRow, hashRequests } from '../ask-row.ts'
import type { AskedRow } from './asked-row.ts'
import type { RowReply } from './layer.ts'
import { withLimit } from './retry-cut.ts'

/** Asks the model of this process. */
export async function askHere({ context, row, examples, requests, draw, retry, onTokens }: AskedRow): Promise<RowReply> {
  const opened = await context.opened()
  // An inferencer cannot start again.
  const written = retry ? hashRequests(context.plan, { row, examples }, context.environment.hash) : requests
  return askRow(context, withLimit(opened, retry?.maxTokens), written, draw, retry?.spent, onTokens)
}
