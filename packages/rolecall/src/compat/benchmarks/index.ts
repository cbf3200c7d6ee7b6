import { bbh } from './bbh.ts'
import { bfcl } from './bfcl.ts'
import { ceval } from './ceval.ts'
import { messages, sharegpt } from './chats.ts'
import { cmmlu } from './cmmlu.ts'
import { arcChallenge, arcEasy, hellaswag } from './common-sense.ts'
import { gsm8k } from './gsm8k.ts'
import { humaneval } from './humaneval.ts'
import { mmlu } from './mmlu.ts'
import type { DatasetPreset } from './preset.ts'

export type { DatasetPreset, FileLayout } from './preset.ts'

/** Benchmarks whose files users provide, in the order of the docs. */
export const datasetPresets: readonly DatasetPreset[] = [
  mmlu,
  ceval,
  cmmlu,
  arcChallenge,
  arcEasy,
  hellaswag,
  gsm8k,
  bbh,
  humaneval,
  bfcl,
  sharegpt,
  messages,
]
