import { judgePostprocessorsIn } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { alignbench } from './alignbench.ts'
import * as matches from './bradley-terry.ts'
import * as checklists from './checklists.ts'
import * as marks from './judge-marks.ts'
import * as letters from './letters.ts'
import * as pairs from './pairs.ts'
import { readNumbers } from './read-numbers.ts'
import * as scored from './scored-replies.ts'
import * as subjects from './subjects.ts'

/** OpenCompass's `dict_postprocessor`s. */
export const openCompassJudgePostprocessors = judgePostprocessorsIn(
  letters,
  subjects,
  marks,
  { alignbench, readNumbers },
  checklists,
  pairs,
  matches,
  scored,
)
