import { z } from 'zod'

export const summaryGroupSchema = z
  .strictObject({
    name: z.string().describe('The name of the group.'),
    subsets: z.array(z.string()).min(1).describe('The datasets of the group, by their abbr; other groups by their name.'),
    weights: z.record(z.string(), z.number().nonnegative()).optional().describe('The weight of each subset; equal by default.'),
    weighted_by: z
      .enum(['datasets', 'rows'])
      .optional()
      .describe('`datasets` (the default): equal weights. `rows`: weighted by the number of scored rows. Not together with `weights`.'),
    figures: z
      .array(
        z.strictObject({
          metric: z.string().describe('The metric, e.g. `acc`.'),
          filters: z.array(z.string()).optional().describe('The filters whose metrics are averaged; by default all that the tasks have.'),
          weighted_by: z.enum(['datasets', 'rows']).optional().describe('`rows` (the default) or `datasets`.'),
        }),
      )
      .optional()
      .describe('Metrics of lm-evaluation-harness tasks, by their names, that the group also averages, with their standard errors.'),
  })
  .superRefine(({ subsets, weights, weighted_by }, context) => {
    if (!weights) return
    if (weighted_by !== undefined) {
      context.addIssue({ code: 'custom', path: ['weighted_by'], message: 'the group has `weights`, too: keep one of them' })
    }
    const problem = (message: string) => context.addIssue({ code: 'custom', path: ['weights'], message })
    for (const name of Object.keys(weights)) if (!subsets.includes(name)) problem(`"${name}" is none of the subsets`)
    for (const name of subsets) if (weights[name] === undefined) problem(`"${name}" has no weight; 0 leaves it out`)
    if (subsets.every((name) => !weights[name])) problem('none of the subsets counts')
  })
  .describe('Several datasets combined into one score: the mean, or a weighted mean.')

export type SummaryGroup = z.input<typeof summaryGroupSchema>
