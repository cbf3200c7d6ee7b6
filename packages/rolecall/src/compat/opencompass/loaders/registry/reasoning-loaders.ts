import { arcPrize } from '../families/arc-prize.ts'
import * as commonSense from '../families/common-sense-datasets.ts'
import * as exams from '../families/exams.ts'
import * as hard from '../families/hard-problems.ts'
import { musr } from '../families/musr.ts'
import * as notebooks from '../families/notebooks.ts'
import { ancestors, orderedAncestors } from '../families/relatives.ts'
import * as rules from '../families/rules.ts'
import type { Loader } from '../loader.ts'

/** Common sense, reasoning, hard problems: dataset class of OpenCompass → its loader. */
export const reasoningLoaders: Readonly<Record<string, Loader>> = {
  MusrDataset: musr,
  // Common sense and reasoning
  ARCDataset: commonSense.arc,
  ARCDatasetClean: commonSense.arcAnnotated,
  BBHDataset: commonSense.bbh,
  BBEHDataset: commonSense.bbeh,
  CharmDataset: commonSense.bbh,
  commonsenseqaDataset: commonSense.commonsenseQa,
  CommonsenseQADataset_CN: commonSense.commonsenseQaChinese,
  HellaswagDataset: commonSense.hellaswag,
  HellaswagDatasetClean: exams.annotated(commonSense.hellaswag, 'hellaswag_val_contamination_annotations.json', undefined, (_, index) =>
    String(index),
  ),
  HellaswagDataset_V2: commonSense.hellaswag2,
  HellaswagDataset_V3: commonSense.hellaswag3,
  HellaswagDatasetwithICE: commonSense.hellaswagExamples,
  lambadaDataset: commonSense.lambada,
  OBQADataset: commonSense.openBookQa,
  OBQADatasetV2: commonSense.openBookQa2,
  PIQADataset: commonSense.piqa,
  PIQADatasetV2: commonSense.piqa2,
  PIQADatasetV3: commonSense.piqa3,
  RaceDataset: commonSense.race,
  siqaDataset: commonSense.siqa,
  siqaDataset_V2: commonSense.siqa2,
  SiqaDatasetV3: commonSense.siqa3,
  StrategyQADataset: commonSense.strategyQa,
  ARCPrizeDataset: arcPrize,
  StoryClozeDataset: commonSense.storyCloze,
  StoryClozeDatasetV2: commonSense.storyCloze2,
  WinograndeDataset: commonSense.winogrande,
  WinograndeDatasetV2: commonSense.winogrande2,
  WinograndeDatasetV3: commonSense.winogrande3,

  // Benchmark prompts around each question
  BabiLongDataset: rules.babiLong,
  korbenchDataset: rules.korBench,

  // Hard problems, chains of relatives, notebooks
  CIBenchDataset: notebooks.ciBench,
  CMP_GCP_D_Dataset: hard.colouringDecision,
  CMP_KSP_Dataset: hard.knapsack,
  CMP_TSP_D_Dataset: hard.salesmanDecision,
  DS1000Dataset: notebooks.ds1000,
  Hard_MSP_Dataset: hard.meetings,
  Hard_TSP_Dataset: hard.salesman,
  HardGCPDataset: hard.colouring,
  NeedleBenchATCDataset: ancestors,
  NeedleBenchATCOrderedDataset: orderedAncestors,
  P_BSP_Dataset: hard.binarySearch,
  P_EDP_Dataset: hard.editDistance,
  P_SPP_Dataset: hard.shortestPath,
}
