import type { DatasetRule } from './dataset-rule.ts'
import { answerInPrompt, fieldEmpty, fieldUnused } from './dataset-rules/columns.ts'
import { dataRules } from './dataset-rules/examined-rows.ts'
import { endsInSpace, exampleIsRow, labelPrefix, tooLong } from './dataset-rules/prompts.ts'

/** All dataset rules, in the order of reported findings. */
export const datasetRules: readonly DatasetRule[] = [
  answerInPrompt,
  exampleIsRow,
  fieldEmpty,
  fieldUnused,
  labelPrefix,
  endsInSpace,
  tooLong,
  ...dataRules,
]
