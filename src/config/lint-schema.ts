import { z } from 'zod'

/** What a config says to `rolecall lint`. */
export const lintSchema = z
  .strictObject({
    rules: z
      .record(z.string(), z.enum(['off', 'note', 'warning', 'error']))
      .optional()
      .describe('By the id of a rule: how bad what it finds is, or `off`. `rolecall lint --list` shows the rules.'),
  })
  .describe('What `rolecall lint` finds worth telling.')
