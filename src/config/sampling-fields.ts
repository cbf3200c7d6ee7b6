import { z } from 'zod'

/** How the next token is chosen, the same for a model and for the inferencer of a dataset. */
export const samplingFields = {
  temperature: z
    .number()
    .nonnegative()
    .optional()
    .describe('How freely the model writes; 0, the default, always takes the likeliest token.'),
  top_p: z.number().positive().max(1).optional().describe('Only the likeliest tokens that together reach this probability; 1 by default.'),
  repetition_penalty: z.number().positive().optional().describe('Above 1, tokens of the answer so far become less likely; 1 by default.'),
  presence_penalty: z.number().optional().describe('Taken from the logits of tokens that the answer has; 0 by default.'),
  frequency_penalty: z.number().optional().describe('The same, as often as the answer has them; 0 by default.'),
  seed: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      'For sampling: the same seed gives the same answers; each row and sample draws by a number made of it. 0 by default for models that run here; servers are sent one only where it is set.',
    ),
}
