import { z } from 'zod'

/** What a config says to `rolecall lint`. */
export const lintSchema = z
  .strictObject({
    rules: z
      .record(z.string(), z.enum(['off', 'note', 'warning', 'error']))
      .optional()
      .describe('Severity by rule id, or `off`. `rolecall lint --list` shows the rules.'),
  })
  .describe('What `rolecall lint` reports.')
