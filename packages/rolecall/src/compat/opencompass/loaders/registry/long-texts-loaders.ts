import * as long from '../families/long-context.ts'
import { needleBenchMulti, needleBenchOrigin, needleBenchParallel } from '../families/needle-bench.ts'
import { rulerNiah } from '../families/ruler-needles.ts'
import { rulerQa } from '../families/ruler-questions.ts'
import { rulerCwe, rulerFwe, rulerVt } from '../families/ruler-tracking.ts'
import type { Loader } from '../loader.ts'

/** Long context: dataset class of OpenCompass → its loader. */
export const longTextsLoaders: Readonly<Record<string, Loader>> = {
  NeedleBenchMultiDataset: needleBenchMulti,
  NeedleBenchOriginDataset: needleBenchOrigin,
  NeedleBenchParallelDataset: needleBenchParallel,
  RulerCweDataset: rulerCwe,
  RulerFweDataset: rulerFwe,
  RulerNiahDataset: rulerNiah,
  RulerQaDataset: rulerQa,
  RulerVtDataset: rulerVt,
  InfiniteBenchmathfindDataset: long.infiniteMathFind,
  GovRepcrsDataset: long.governmentReports,
  LongBench2wikimqaDataset: long.longBench,
  LongBenchdureaderDataset: long.longBench,
  LongBenchgov_reportDataset: long.longBenchContext,
  LongBenchhotpotqaDataset: long.longBench,
  LongBenchlccDataset: long.longBenchContext,
  LongBenchlshtDataset: long.longBenchClasses,
  LongBenchmulti_newsDataset: long.longBenchContext,
  LongBenchmultifieldqa_enDataset: long.longBench,
  LongBenchmultifieldqa_zhDataset: long.longBench,
  LongBenchmusiqueDataset: long.longBench,
  LongBenchnarrativeqaDataset: long.longBench,
  LongBenchpassage_countDataset: long.longBenchContext,
  LongBenchpassage_retrieval_enDataset: long.longBench,
  LongBenchpassage_retrieval_zhDataset: long.longBench,
  LongBenchqasperDataset: long.longBench,
  LongBenchqmsumDataset: long.longBench,
  LongBenchrepobenchDataset: long.longBench,
  LongBenchsamsumDataset: long.longBench,
  LongBenchtrecDataset: long.longBenchClasses,
  LongBenchtriviaqaDataset: long.longBench,
  LongBenchv2Dataset: long.longBench2,
  LongBenchvcsumDataset: long.longBenchContext,
}
