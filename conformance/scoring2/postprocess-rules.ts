import { registerOpenCompass } from '../../src/compat/opencompass/register-opencompass.ts'
import { judgePostprocessors } from '../../src/evaluation/score/postprocess/judge-postprocessors.ts'
import { readRows } from './judge-postprocess.ts'
import type { Rules } from './operation.ts'

registerOpenCompass()

/** Where our postprocessors differ from the reference's. */
export const postprocessRules: Rules = {
  'judge-nothing-read': ({ op, args }, ours) =>
    'error' in ours && judgePostprocessors.has(op) && readRows(op, args).every((kept) => kept === undefined),
  'arena-resampling': ({ op, expected }, ours) => op === 'arenahard_postprocess' && expected === undefined && 'value' in ours,
}
