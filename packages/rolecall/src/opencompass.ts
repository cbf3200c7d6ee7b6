// `rolecall/opencompass`: OpenCompass compatibility: its evaluators, postprocessors and dataset classes, and its Python configs.
// Importing it registers their names for `checkConfig`, `evaluatorOf`, `postprocessorOf` and runs.
import { registerOpenCompass } from './compat/opencompass/register-opencompass.ts'

registerOpenCompass()

export { openCompassEvaluators } from './compat/opencompass/evaluators/opencompass-evaluators.ts'
export { type ImportedConfig, type ImportOptions, importConfig } from './compat/opencompass/import/import-config.ts'
export { promptHash } from './compat/opencompass/import/prompt-hash.ts'
export type { OpenCompassNotes } from './compat/opencompass/opencompass-notes.ts'
export { openCompassJudgePostprocessors } from './compat/opencompass/postprocessors/judge/opencompass-judge-postprocessors.ts'
export { openCompassPostprocessors } from './compat/opencompass/postprocessors/opencompass-postprocessors.ts'
