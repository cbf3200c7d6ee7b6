import * as inspect from '../compat/inspect/inspect-scorer.ts'
import { registerOpenCompass } from '../compat/opencompass/register-opencompass.ts'
import { registerOwnPython } from '../compat/own-python/register-own-python.ts'
import { promptfooAssertionsWith } from '../compat/promptfoo/assertions-evaluator.ts'
import { evaluatorsIn } from '../evaluation/score/evaluate/evaluator.ts'
import { registerEvaluators } from '../evaluation/score/evaluate/evaluators.ts'
import { runInThread } from './interpreters/javascript/javascript-thread.ts'
import { registerPlugIns } from './plug-ins.ts'

const promptfooAssertions = promptfooAssertionsWith(runInThread)

/** Registers every plug-in with its evaluators and postprocessors. Modules of `app/` that check or score what users give them call it. */
export function registerScoringPlugIns(): void {
  registerPlugIns()
  registerOpenCompass()
  registerOwnPython()
  registerEvaluators(evaluatorsIn({ promptfooAssertions }))
  registerEvaluators(evaluatorsIn(inspect))
}
