import { postprocessorsIn } from '../../../evaluation/score/postprocess/postprocessor.ts'
import * as aisbench from './aisbench-answers.ts'
import * as capitals from './capital-answers.ts'
import * as chinese from './chinese-answers.ts'
import * as exam from './exam-answers.ts'
import * as freeform from './freeform-answers.ts'
import * as line from './line-answers.ts'
import * as longContext from './long-context-answers.ts'
import * as math from './math-answers.ts'
import * as numeric from './numeric-answers.ts'
import * as pattern from './pattern-answers.ts'
import * as program from './program-answers.ts'
import * as materials from './science/materials.ts'
import * as molecules from './science/molecule-answers.ts'
import * as sequences from './science/sequences.ts'
import * as yesOrNo from './science/yes-or-no-answers.ts'
import * as solution from './solution-answers.ts'
import * as structured from './structured-answers.ts'
import * as untouched from './untouched-answers.ts'

/** OpenCompass's benchmark-specific postprocessors; its general ones are in `evaluation/score`. */
export const openCompassPostprocessors = postprocessorsIn(
  ...[capitals, math, numeric, freeform, line, exam, solution],
  ...[longContext, pattern, program, structured, untouched, chinese],
  ...[materials, molecules, sequences, yesOrNo, aisbench],
)
