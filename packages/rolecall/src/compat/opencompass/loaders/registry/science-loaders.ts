import * as arithmetic from '../families/arithmetic-datasets.ts'
import * as medicine from '../families/medicine.ts'
import * as mixed from '../families/mixed-tasks.ts'
import { s2Tomg } from '../families/molecule-tasks.ts'
import * as naturalSciences from '../families/natural-sciences.ts'
import * as science from '../families/science.ts'
import { sciReasoner15 } from '../families/scireasoner.ts'
import type { Loader } from '../loader.ts'

/** Science and related datasets: dataset class of OpenCompass → its loader. */
export const scienceLoaders: Readonly<Record<string, Loader>> = {
  // Science
  Bioinstruction_Dataset: science.bioInstruction,
  Bulk_modulus_material_Dataset: science.bulkModulus,
  Composition_material_Dataset: science.composition,
  GUE_Dataset: science.genes,
  LLM4ChemDataset: science.chemistry,
  LLM4MatDataset: science.materials,
  Mol_Instructions_Dataset: science.molecules,
  Mol_Instructions_Dataset_BioText: science.molecules,
  Mol_Instructions_Dataset_Protein_Design: science.molecules,
  OpiDataset: science.proteins,
  PEER_Dataset: science.molecules,
  S2TOMGBenchDataset: s2Tomg,
  SciReasoner15Dataset: sciReasoner15,
  Uncond_material_Dataset: science.prompts,
  Uncond_RNA_Dataset: science.prompts,

  // More mathematics and science
  BiodataTaskDataset: naturalSciences.bioData,
  ChemExamDataset: naturalSciences.chemExam,
  ClimaQADataset: naturalSciences.climaQa,
  CRUXEvalDataset: mixed.cruxEval,
  dropDataset: arithmetic.drop,
  Earth_Silver_MCQDataset: naturalSciences.earthSilver,
  EESEDataset: naturalSciences.eese,
  GaoKaoMATHDataset: arithmetic.gaokaoMath,
  GSMHardDataset: arithmetic.gsmHard,
  HungarianExamMathDataset: arithmetic.hungarianMath,
  IFEvalDataset: mixed.ifEval,
  InferencePPLDataset: mixed.texts('text', 'jsonl'),
  InternSandboxDataset: mixed.internSandbox,
  KCLEDataset: naturalSciences.kcle,
  LiveReasonBenchDataset: mixed.liveReasonBench,
  LLMCompressionDataset: mixed.texts('content', 'json'),
  MastermathDatasetv1: arithmetic.masterMath,
  MatbenchDataset: naturalSciences.matbench,
  MaxminDataset: arithmetic.maxMin,
  MedbulletsDataset: medicine.medbullets,
  MedCalc_BenchDataset: medicine.medCalc,
  MedmcqaDataset: medicine.medmcqa,
  MedXpertQADataset: medicine.medXpertQa,
  MolInstructionsDataset: naturalSciences.molInstructions,
  MP20Dataset: naturalSciences.mp20,
  MRCRDataset: mixed.mrcr,
  OJBenchDataset: mixed.ojBench,
  OpenFinDataDataset: mixed.openFinData,
  OpenSWIDataset: naturalSciences.openSwi,
  PhyBenchDataset: naturalSciences.phyBench,
  PHYSICSDataset: naturalSciences.physics,
  ProteinLMBenchDataset: naturalSciences.proteinLm,
  RBenchDataset: naturalSciences.rBench,
  ScibenchDataset: naturalSciences.sciBench,
  SciEvalDataset: science.sciEval,
  SeedBenchDataset: naturalSciences.seedBench,
  SmolInstructDataset: naturalSciences.smolInstruct,
  SuperGPQADataset: mixed.superGpqa,
  SVAMPDataset: arithmetic.svamp,
  TheoremQADatasetV3: naturalSciences.theoremQa3,
  TruthfulQADataset: mixed.truthfulQa,
}
