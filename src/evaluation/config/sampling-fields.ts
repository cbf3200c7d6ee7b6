import { z } from 'zod'

/** How the next token is chosen, the same for a model and for the inferencer of a dataset. */
export const samplingFields = {
  temperature: z.number().nonnegative().optional().describe('Sampling temperature; 0, the default, is greedy decoding.'),
  top_p: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe('Nucleus sampling: only the most likely tokens that together reach this probability; 1 by default.'),
  repetition_penalty: z
    .number()
    .positive()
    .optional()
    .describe('Above 1, tokens that the answer already contains become less likely; 1 by default.'),
  presence_penalty: z.number().optional().describe('Subtracted from the logits of tokens that the answer already contains; 0 by default.'),
  frequency_penalty: z
    .number()
    .optional()
    .describe('Subtracted from the logit of a token once for each occurrence in the answer; 0 by default.'),
  seed: z
    .int()
    .nonnegative()
    .optional()
    .describe(
      'Sampling seed: the same seed gives the same answers; each row and sample derives its own seed from it. 0 by default for local models; servers receive a seed only if it is set.',
    ),
}
