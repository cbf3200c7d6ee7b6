import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { postprocessorOf, postprocessors } from '../../../packages/rolecall/src/evaluation/score/postprocess/postprocessors.ts'
import { peers } from '../scoring/peers.ts'
import { plain, type ScoringVector } from '../scoring/vector.ts'
import { judgeOperations } from './judge-postprocess.ts'
import type { Operation } from './operation.ts'

registerOpenCompass()

/** These functions of the reference take None for an empty text. A reply always has a text here: they get the empty one. */
const takesNone: readonly unknown[] = ['arxivrollbench_selection_postprocess', 'arxivrollbench_choice_postprocess']

/** A vector names the reference's function, as a config does. */
const ofTexts = [...postprocessors.keys()].map((type): [string, Operation] => [
  type,
  {
    run({ text, options }) {
      const given = text === null && takesNone.includes(type) ? '' : text
      return postprocessorOf({ type, ...optionsOf(options) }, 'pred_postprocessor', peers)(given as string)
    },
  },
])

function optionsOf(options: ScoringVector['args'][string] | undefined): Record<string, unknown> {
  return (plain(options ?? {}) ?? {}) as Record<string, unknown>
}

/** The vectors' names for postprocessors. */
export const postprocessOperations: Record<string, Operation> = { ...Object.fromEntries(ofTexts), ...judgeOperations }
