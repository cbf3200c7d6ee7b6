import { z } from 'zod'

const limit = z.number().nullable().optional()

/** A line that a client sends to a run; a limit of null is removed. */
export const controlRequestSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.enum(['status', 'pause', 'resume', 'retry-errors', 'stop']) }),
  z.strictObject({ action: z.literal('limits'), limits: z.strictObject({ maxCost: limit, maxTokensTotal: limit, maxTime: limit }) }),
])

export type ControlRequest = z.infer<typeof controlRequestSchema>

const amount = z.number().optional()
const cost = z.object({ amount: z.number(), currency: z.string() })

const statusSchema = z.object({
  folder: z.string(),
  state: z.enum(['running', 'paused', 'stopping']),
  /** Rows of all pairs; the total is absent until every dataset is open. */
  rows: z.object({ done: z.number(), total: amount, failed: z.number() }),
  /** Rows that failed are sent again when all others are done. */
  retries: z.boolean(),
  rowsPerSecond: z.number(),
  pairs: z.array(z.object({ model: z.string(), format: z.string().optional(), dataset: z.string(), done: z.number(), total: amount })),
  /** Earlier parts of the run included, except their time. */
  spent: z.object({
    tokens: z.number(),
    seconds: z.number(),
    cost: cost.optional(),
    costs: z.array(cost).optional(),
    unpriced: z.array(z.string()).optional(),
  }),
  limits: z.object({ maxCost: amount, maxTokensTotal: amount, maxTime: amount }),
})

export type ControlStatus = z.infer<typeof statusSchema>

/** The line that a run replies with. */
export const controlReplySchema = z.union([
  z.object({ status: statusSchema }),
  z.object({ error: z.object({ code: z.string(), where: z.string(), problem: z.string(), fix: z.string() }) }),
])

export type ControlReply = z.infer<typeof controlReplySchema>
