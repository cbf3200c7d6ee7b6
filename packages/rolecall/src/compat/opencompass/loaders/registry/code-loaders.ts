import * as code from '../families/code.ts'
import * as live from '../families/live-code-bench.ts'
import type { Loader } from '../loader.ts'

/** Code: dataset class of OpenCompass → its loader. */
export const codeLoaders: Readonly<Record<string, Loader>> = {
  HumanevalDataset: code.humaneval,
  HumanevalXDataset: code.humanevalX,
  LCBCodeExecutionDataset: live.codeExecution,
  LCBCodeGenerationDataset: live.codeGeneration,
  LCBTestOutputPredictionDataset: live.testOutput,
  LCDataset: code.lcBench,
  MBPPDataset: code.mbpp,
  MBPPDatasetV2: code.mbpp2,
  MBPPPlusDataset: code.mbppPlus,
  SanitizedMBPPDataset: code.mbppSanitized,
  xHumanevalDataset: code.humanevalOtherLanguages,
}
