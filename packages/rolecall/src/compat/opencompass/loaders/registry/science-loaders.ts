import * as arithmetic from '../families/arithmetic-datasets.ts'
import * as medicine from '../families/medicine.ts'
import * as mixed from '../families/mixed-tasks.ts'
import * as naturalSciences from '../families/natural-sciences.ts'
import * as science from '../families/science.ts'
import type { Loader } from '../loader.ts'

/** Science and related datasets: dataset class of OpenCompass → its loader. */
export const scienceLoaders: Readonly<Record<string, Loader>> = {
  LLM4ChemDataset: science.chemistry,
  EESEDataset: naturalSciences.eese,
  HungarianExamMathDataset: arithmetic.hungarianMath,
  IFEvalDataset: mixed.ifEval,
  InferencePPLDataset: mixed.texts('text', 'jsonl'),
  MedCalc_BenchDataset: medicine.medCalc,
  PHYSICSDataset: naturalSciences.physics,
  ScibenchDataset: naturalSciences.sciBench,
  SciEvalDataset: science.sciEval,
  SeedBenchDataset: naturalSciences.seedBench,
  SuperGPQADataset: mixed.superGpqa,
  SVAMPDataset: arithmetic.svamp,
}
