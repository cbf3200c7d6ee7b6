import { z } from 'zod'
import type { EvaluatorFunction, OwnEvaluator } from './evaluate/own-evaluator.ts'

/** Functions can only be given in a TypeScript config. */
const functionOf = <Function_>() => z.custom<Function_>((value) => typeof value === 'function')

const postprocessorSchema = z.union([z.string(), z.looseObject({ type: z.string() }), functionOf<(text: string) => unknown>()])

/** One postprocessor, or several that are applied in order. */
export const postprocessorsSchema = z.union([postprocessorSchema, z.array(postprocessorSchema).min(1)])

export const evalSchema = z
  .looseObject({
    evaluator: z
      .union([
        z.looseObject({
          type: z.string().optional().describe('AccEvaluator (equal strings, the default) or another of docs/scoring.md.'),
          judge: z.never().optional(),
        }),
        functionOf<EvaluatorFunction>(),
        z.custom<OwnEvaluator>((value) => typeof value === 'object' && value !== null && 'judge' in value),
      ])
      .optional()
      .describe(
        'Compares answers with the output_column: a type with its options; in TypeScript also a function, or { judge, metric, kind, unit, range, direction, timeout_seconds }.',
      ),
    pred_postprocessor: postprocessorsSchema
      .optional()
      .describe(
        'Postprocessor that extracts the answer before it is compared: a name from docs/scoring.md, a type with its options, a function, or a list of these, applied one after the other.',
      ),
    dataset_postprocessor: postprocessorsSchema.optional().describe('The same for the output_column.'),
    allow_unscorable: z
      .boolean()
      .optional()
      .describe('Run even if none of the gold answers can be scored right, which is an error by default; the same as --allow-unscorable.'),
  })
  .describe('How answers are scored.')
