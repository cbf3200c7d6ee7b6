import { z } from 'zod'
import type { Axes } from './axes.ts'

const place = z.union([z.string(), z.number()]).optional()

/** The schema of `axes`: which names a model and a dataset may use. */
export const axesSchema: z.ZodType<Axes, Axes> = z.strictObject({
  data: place.describe('The rows.'),
  prompt: place.describe('The prompt.'),
  shots: place.describe('The number of examples.'),
  model: place.describe('The model.'),
  format: place.describe('The conversation format.'),
  temperature: place.describe('The temperature.'),
})

export const axesDoc =
  'Where this entry stands on the axes of a run, e.g. `{ data: qa, prompt: careful }`: results that differ on one axis only are compared. By default its abbr is its place.'
