import { arcPrize } from '../families/arc-prize.ts'
import * as commonSense from '../families/common-sense-datasets.ts'
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
  HellaswagDataset: commonSense.hellaswag,
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
  korbenchDataset: rules.korBench,
  CMP_TSP_D_Dataset: hard.salesmanDecision,
  DS1000Dataset: notebooks.ds1000,
  Hard_TSP_Dataset: hard.salesman,
  NeedleBenchATCDataset: ancestors,
  NeedleBenchATCOrderedDataset: orderedAncestors,
}
