import * as commonSense from '../families/common-sense-datasets.ts'
import * as exams from '../families/exams.ts'
import * as math from '../families/math.ts'
import * as moreExams from '../families/more-exams.ts'
import { inOrders } from '../families/orders.ts'
import * as plain from '../families/plain.ts'
import type { Loader } from '../loader.ts'

/** Mathematics and exams, also with reordered choices: dataset class of OpenCompass → its loader. */
export const examsLoaders: Readonly<Record<string, Loader>> = {
  // Mathematics
  GSM8KDataset: math.gsm8k,
  MATHDataset: math.math,
  MathBenchDataset: math.mathBench,
  Aime2024Dataset: math.promptAndGold,
  LiveMathBenchDataset: math.liveMathBench,
  OlympiadBenchDataset: math.olympiadBench,
  MGSMSDataset: math.mgsm,
  TabMWPDataset: math.tabMwp,

  // Exams
  MMLUDataset: exams.mmlu,
  MMLUArabicDataset: exams.mmlu,
  MMLUProDataset: exams.mmluPro,
  CMMLUDataset: exams.cmmlu,
  FinanceIQDataset: exams.cmmlu,
  CEvalDataset: exams.ceval,
  GPQADataset: exams.gpqa,
  AGIEvalDataset: exams.agiEval,
  AGIEvalDataset_v2: exams.agiEval2,
  ChemBenchDataset: moreExams.chemBench,
  CMBDataset: moreExams.cmb,
  CompassBenchObjectiveV1_3: moreExams.compassBenchObjective,
  KaoshiDataset: moreExams.kaoshi,
  LawBenchDataset: moreExams.lawBench,
  NejmaibenchDataset: moreExams.nejmAi,
  XiezhiDataset: moreExams.xiezhi,

  // Reordered choices
  CircularARCDataset: inOrders(commonSense.arc, { options: ['textA', 'textB', 'textC', 'textD'], answer: 'answerKey', isLetter: true }),
  CircularCEvalDataset: inOrders(exams.ceval, { splits: ['val', 'test'], options: ['A', 'B', 'C', 'D'], answer: 'answer' }),
  CircularCMMLUDataset: inOrders(exams.cmmlu, { splits: ['test'], options: ['A', 'B', 'C', 'D'], answer: 'answer' }),
  CircularCSQADataset: inOrders(commonSense.commonsenseQa, {
    splits: ['validation'],
    options: ['A', 'B', 'C', 'D', 'E'],
    answer: 'answerKey',
  }),
  CircularCustomDataset: inOrders(plain.custom, {}),
  CircularHSWAGDataset: inOrders(commonSense.hellaswag2, { options: ['A', 'B', 'C', 'D'], answer: 'label' }),
  CircularMMLUDataset: inOrders(exams.mmlu, { splits: ['test'], options: ['A', 'B', 'C', 'D'], answer: 'target' }),
  CircularOBQADataset: inOrders(commonSense.openBookQa, { options: ['A', 'B', 'C', 'D'], answer: 'answerKey' }),
  CircularPIQADataset: inOrders(commonSense.piqa2, { splits: ['validation'], options: ['sol1', 'sol2'], answer: 'answer', isLetter: true }),
  CircularRaceDataset: inOrders(commonSense.race, { splits: ['test'], options: ['A', 'B', 'C', 'D'], answer: 'answer' }),
}
