import { aaLcr } from '../families/aa-lcr.ts'
import * as hub from '../families/hub-datasets.ts'
import * as problems from '../families/hub-problems.ts'
import * as splits from '../families/hub-splits.ts'
import * as tasks from '../families/hub-tasks.ts'
import type { Loader } from '../loader.ts'

/** Repositories of the Hugging Face hub: dataset class of OpenCompass → its loader. */
export const hubLoaders: Readonly<Record<string, Loader>> = {
  AALCRDataset: aaLcr,
  APPSDataset: problems.apps,
  APPS_miniDataset: problems.appsMini,
  BeyondAIMEDataset: hub.beyondAime,
  CARDBiomedBenchDataset: hub.cardBiomedBench,
  CMPhysBenchDataset: splits.cmPhysBench,
  HealthBenchDataset: tasks.healthBench,
  InverseIFEvalDataset: splits.inverseIfEval,
  MoleculariqDataset: problems.molecularIq,
  PILLMDataset: splits.piLlm,
  RealToxicPromptsDataset: tasks.realToxicPrompts,
  RoleGeneralizationEnglishDataset: tasks.roleBenchRoles,
  SciKnowEvalDataset: hub.sciKnowEval,
  TACODataset: problems.taco,
  WinogradDataset: hub.winograd,
  ZebraLogicDataset: splits.zebraLogic,
}
