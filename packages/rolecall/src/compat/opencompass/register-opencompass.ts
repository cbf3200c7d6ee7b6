import { registerEvaluators } from '../../evaluation/score/evaluate/evaluators.ts'
import { registerUnavailable } from '../../evaluation/score/not-available.ts'
import { registerJudgePostprocessors } from '../../evaluation/score/postprocess/judge-postprocessors.ts'
import { registerPostprocessors } from '../../evaluation/score/postprocess/postprocessors.ts'
import { openCompassEvaluators } from './evaluators/opencompass-evaluators.ts'
import { openCompassJudgePostprocessors } from './postprocessors/judge/opencompass-judge-postprocessors.ts'
import { openCompassPostprocessors } from './postprocessors/opencompass-postprocessors.ts'
import { registerOpenCompassDatasets } from './register-datasets.ts'
import { unavailableNames } from './unavailable-names.ts'

/** Registers OpenCompass's dataset classes, evaluators and postprocessors. Idempotent. */
export function registerOpenCompass(): void {
  registerOpenCompassDatasets()
  registerEvaluators(openCompassEvaluators)
  registerPostprocessors(openCompassPostprocessors)
  registerJudgePostprocessors(openCompassJudgePostprocessors)
  registerUnavailable(unavailableNames)
}
