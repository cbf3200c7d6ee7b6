import { dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { functionsToTools, type ToolStyle } from '../../../packages/rolecall/src/evaluation/dataset/bfcl/functions-to-tools.ts'
import { agrees, outcomeOf, show } from '../outcome.ts'
import { plain } from '../scoring/vector.ts'
import { type Suite, trial } from '../suite.ts'
import { unless } from '../verdict.ts'

/** The leaderboard's functions as tools sent to a model. */
export const toolcallSchemas: Suite = {
  name: 'toolcalls',
  recognises: (vector) => ['style', 'functions', 'expected'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = json as PyDict
    const expected = dictGet(dictGet(vector, 'expected') as PyDict, 'tools')
    const wanted = expected === undefined ? undefined : { value: plain(expected) }
    const convert = () => functionsToTools(dictGet(vector, 'functions') as readonly PyValue[], dictGet(vector, 'style') as ToolStyle)
    return trial(
      outcomeOf(() => plain(convert())),
      (ours) => unless(agrees(ours, wanted) ? undefined : `ours ${show(ours)}, expected ${wanted ? show(wanted) : 'an error'}`),
    )
  },
}
