import type { DatasetRule } from './dataset-rule.ts'
import { answerInPrompt, fieldEmpty, fieldUnused } from './dataset-rules/columns.ts'
import { endsInSpace, exampleIsRow, labelPrefix, tooLong } from './dataset-rules/prompts.ts'

/** Every rule about datasets, in the order in which findings are told. */
export const datasetRules: readonly DatasetRule[] = [
  answerInPrompt,
  exampleIsRow,
  fieldEmpty,
  fieldUnused,
  labelPrefix,
  endsInSpace,
  tooLong,
]
