import { writtenFormats } from '@rolecall/core/internal/format'
import { z } from 'zod'
import { modelTypeFields } from '../../model/model-types/index.ts'
import { modelFields } from '../../model/model-types/model-settings.ts'
import { postprocessorsSchema } from '../score/eval-schema.ts'
import { axesDoc, axesSchema } from './axes-schema.ts'

export const modelSchema = z
  .looseObject({
    ...modelFields,
    pred_postprocessor: postprocessorsSchema
      .optional()
      .describe(
        "Postprocessor for every answer of this model, applied before the dataset's own pred_postprocessor; reasoning is removed first.",
      ),
    axes: axesSchema.optional().describe(axesDoc),
    ...modelTypeFields,
  })
  .describe('A model and its conversation format.')

const isWritten = Object.fromEntries(Object.keys(writtenFormats).map((key) => [key, true])) as Record<keyof typeof writtenFormats, true>

/** The settings of a model that can be checked before its format is compiled. */
export const modelOutline = modelSchema.omit(isWritten)
