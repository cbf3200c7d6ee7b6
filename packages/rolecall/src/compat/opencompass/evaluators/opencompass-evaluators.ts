import { evaluatorsIn } from '../../../evaluation/score/evaluate/evaluator.ts'
import * as aisbench from './aisbench-evaluators.ts'
import { bfclEvaluator } from './bfcl/bfcl-evaluator.ts'
import { cascade } from './cascade.ts'
import { characterRouge, jiebaRouge } from './chinese-rouge.ts'
import * as announcedAnswers from './choice/announced-answers.ts'
import * as circular from './choice/circular-evaluators.ts'
import * as equalAnswers from './choice/equal-answers.ts'
import * as exams from './choice/exam-points.ts'
import * as groupedAccuracy from './choice/grouped-accuracy.ts'
import { nearestOption } from './choice/nearest-option.ts'
import * as optionLetters from './choice/option-letters.ts'
import { superGpqa } from './choice/supergpqa.ts'
import * as competitions from './code/competitions.ts'
import * as humanEval from './code/humaneval-program.ts'
import * as mbpp from './code/mbpp.ts'
import * as predictedOutput from './code/predicted-output.ts'
import { editDistanceAccuracy } from './edit-distance.ts'
import * as freeText from './free-text.ts'
import * as imageQuestions from './image-questions.ts'
import * as instructions from './instructions/ifeval.ts'
import { teval } from './instructions/teval.ts'
import * as labels from './labels.ts'
import { lawBench } from './law/lawbench.ts'
import * as longBench from './long-context/longbench.ts'
import * as lveval from './long-context/lveval.ts'
import { mrcr } from './long-context/mrcr.ts'
import * as needleWords from './long-context/needle-words.ts'
import * as needleBench from './long-context/needlebench.ts'
import { piLlm } from './long-context/pi-llm.ts'
import * as agentSteps from './math/agent-steps.ts'
import * as formulas from './math/formulas.ts'
import { liveMathBench } from './math/livemathbench.ts'
import { olympiadBench } from './math/olympiad.ts'
import { tabmwp } from './math/tabmwp.ts'
import * as verified from './math/verified.ts'
import { npHardEval } from './np-hard/np-hard-eval.ts'
import * as pmmEval from './pmmeval.ts'
import * as grids from './reasoning/grids.ts'
import * as judgeChoices from './reasoning/judge-choices.ts'
import { korBench } from './reasoning/korbench.ts'
import * as binaryClassification from './science/binary-classification.ts'
import * as biodata from './science/biodata.ts'
import * as distances from './science/distances.ts'
import * as labelSets from './science/label-sets.ts'
import { matbenchNumbers } from './science/matbench.ts'
import * as molecules from './science/molecule-accuracy.ts'
import * as proteins from './science/protein-likeness.ts'
import * as regression from './science/regression.ts'
import * as yesOrNo from './science/yes-or-no.ts'
import * as seedBench from './seedbench.ts'
import * as shortAnswers from './short-answers.ts'

/** OpenCompass's benchmark-specific evaluators; its general ones are in `evaluation/score`. */
export const openCompassEvaluators = evaluatorsIn(
  shortAnswers,
  circular,
  labels,
  { jiebaRouge, characterRouge, bfclEvaluator, cascade, editDistanceAccuracy },
  ...[equalAnswers, optionLetters, announcedAnswers, groupedAccuracy, exams, { superGpqa, nearestOption }],
  ...[longBench, lveval, needleWords, needleBench, { piLlm, mrcr }],
  ...[freeText, grids, judgeChoices, { korBench }],
  ...[formulas, verified, agentSteps, { tabmwp, olympiadBench, liveMathBench }],
  ...[molecules, distances, regression, labelSets, binaryClassification, biodata, proteins, { matbenchNumbers }, yesOrNo],
  pmmEval,
  ...[aisbench, imageQuestions],
  seedBench,
  ...[mbpp, humanEval, predictedOutput, competitions],
  ...[instructions, { teval }],
  lawBench,
  npHardEval,
)
