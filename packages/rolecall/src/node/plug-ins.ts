import { registerLmEval } from '../compat/lm-eval/register.ts'
import { registerOpenCompassDatasets } from '../compat/opencompass/register-datasets.ts'
import { registerOwnDatasets } from '../compat/own-python/register-own-python.ts'
import { scoringPeers } from './jieba-words.ts'

/** Registers every plug-in without evaluators. Modules of `app/` that compile or run what users give them call it when they are loaded. */
export function registerPlugIns(): void {
  registerLmEval(scoringPeers)
  registerOpenCompassDatasets()
  registerOwnDatasets()
}
