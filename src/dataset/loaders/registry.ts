import * as code from './families/code.ts'
import * as choices from './families/exams.ts'
import * as math from './families/math.ts'
import * as plain from './families/plain.ts'
import type { Loader } from './loader.ts'

/** Dataset class of OpenCompass → how its rows are read. One line for each. */
export const loaders: Readonly<Record<string, Loader>> = {
  HFDataset: plain.huggingface,

  GSM8KDataset: math.gsm8k,
  MATHDataset: math.math,

  HumanevalDataset: code.humaneval,

  MMLUDataset: choices.mmlu,
  CMMLUDataset: choices.cmmlu,
}
