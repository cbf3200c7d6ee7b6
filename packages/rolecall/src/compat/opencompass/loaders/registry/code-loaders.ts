import * as code from '../families/code.ts'
import * as live from '../families/live-code-bench.ts'
import type { Loader } from '../loader.ts'

/** Code: dataset class of OpenCompass → its loader. */
export const codeLoaders: Readonly<Record<string, Loader>> = {
  BigCodeBenchDataset: code.bigCodeBench,
  HumanevalDataset: code.humaneval,
  HumanevalevalProDataset: code.humanevalPro,
  HumanevalMultiDataset: code.humanevalMulti,
  HumanevalXDataset: code.humanevalX,
  LCBCodeExecutionDataset: live.codeExecution,
  LCBCodeGenerationDataset: live.codeGeneration,
  LCBProDataset: live.liveCodeBenchPro,
  LCBTestOutputPredictionDataset: live.testOutput,
  LCDataset: code.lcBench,
  MBPPDataset: code.mbpp,
  MBPPDatasetV2: code.mbpp2,
  MBPPPlusDataset: code.mbppPlus,
  MBPPProDataset: code.mbppPro,
  MultiplEDataset: code.multiplE,
  Py150Dataset: code.py150,
  SanitizedMBPPDataset: code.mbppSanitized,
  SciCodeDataset: code.sciCode,
  xHumanevalDataset: code.humanevalOtherLanguages,
}
