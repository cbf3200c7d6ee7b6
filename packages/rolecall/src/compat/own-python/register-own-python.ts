import { registerDatasetClasses } from '../../evaluation/dataset/dataset-classes.ts'
import { registerEvaluators } from '../../evaluation/score/evaluate/evaluators.ts'
import { registerJudgePostprocessors } from '../../evaluation/score/postprocess/judge-postprocessors.ts'
import { registerPostprocessors } from '../../evaluation/score/postprocess/postprocessors.ts'
import { registerLoader } from '../opencompass/loaders/load.ts'
import { pythonDataset } from './python-dataset.ts'
import { pythonDictPostprocessors } from './python-dict-postprocessor.ts'
import { pythonEvaluators } from './python-evaluator.ts'
import { pythonPostprocessors } from './python-postprocessor.ts'

/** Registers the dataset class of users' own dataset classes. Idempotent. */
export function registerOwnDatasets(): void {
  registerLoader('PythonDataset', pythonDataset)
  registerDatasetClasses(settingsOfOwn)
}

/** Registers the evaluator and the postprocessor that run users' own. Idempotent. */
export function registerOwnPython(): void {
  registerOwnDatasets()
  registerEvaluators(pythonEvaluators)
  registerPostprocessors(pythonPostprocessors)
  registerJudgePostprocessors(pythonDictPostprocessors)
}

function settingsOfOwn(type: string): readonly string[] | undefined {
  return type === 'PythonDataset' ? pythonDataset.takes : undefined
}
