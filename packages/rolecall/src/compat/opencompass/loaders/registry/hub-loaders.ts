import { aaLcr } from '../families/aa-lcr.ts'
import * as hub from '../families/hub-datasets.ts'
import * as problems from '../families/hub-problems.ts'
import * as splits from '../families/hub-splits.ts'
import * as tasks from '../families/hub-tasks.ts'
import type { Loader } from '../loader.ts'

/** Repositories of the Hugging Face hub: dataset class of OpenCompass → its loader. */
export const hubLoaders: Readonly<Record<string, Loader>> = {
  AALCRDataset: aaLcr,
  AdvancedIFDataset: tasks.advancedIf,
  APPSDataset: problems.apps,
  APPS_miniDataset: problems.appsMini,
  ATLASDataset: hub.atlas,
  BeyondAIMEDataset: hub.beyondAime,
  BuySideFinBenchDataset: hub.buySideFinBench,
  CARDBiomedBenchDataset: hub.cardBiomedBench,
  CLBenchDataset: hub.clBench,
  CivilCommentsDataset: tasks.civilComments,
  CMPhysBenchDataset: splits.cmPhysBench,
  ClinicBenchDataset: hub.clinicBench,
  Game24Dataset: hub.game24,
  HealthBenchDataset: tasks.healthBench,
  HLEVerifiedDataset: problems.hleVerified,
  InstructionGeneralizationChineseDataset: tasks.roleBenchChinese,
  InstructionGeneralizationEnglishDataset: tasks.roleBenchInstructions,
  InverseIFEvalDataset: splits.inverseIfEval,
  MedBenchDataset: tasks.medBench,
  MedQADataset: hub.medQa,
  MMLUCFDataset: hub.mmluCf,
  MoleculariqDataset: problems.molecularIq,
  PerspectiveGapDataset: tasks.perspectiveGap,
  PILLMDataset: splits.piLlm,
  ProcessBenchEvalDataset: hub.processBench,
  PubMedQADataset: hub.pubMedQa,
  RealToxicPromptsDataset: tasks.realToxicPrompts,
  RoleGeneralizationEnglishDataset: tasks.roleBenchRoles,
  S3EvalDataset: hub.s3Eval,
  SciKnowEvalDataset: hub.sciKnowEval,
  ScienceQADataset: hub.scienceQa,
  TACODataset: problems.taco,
  WinogradDataset: hub.winograd,
  wnliDataset: hub.wnli,
  XCOPADataset: hub.xcopa,
  XLSUMDataset: hub.xlsum,
  ZebraLogicDataset: splits.zebraLogic,
}
