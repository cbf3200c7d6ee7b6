import { dictGet, dictHas, type PyDict, type PyValue, pyEqual, stringifyJson } from '../../src/base/python/index.ts'
import { functionsToTools, type ToolStyle } from '../../src/evaluation/dataset/bfcl/functions-to-tools.ts'
import type { Verdict } from '../judge.ts'
import { outcomeOf } from '../outcome.ts'
import type { Suite } from '../suite.ts'

/** The leaderboard's functions as tools sent to a model. */
export const toolcallSchemas: Suite = {
  name: 'toolcalls',
  recognises: (vector) => ['style', 'functions', 'expected'].every((key) => dictHas(vector, key)),
  judge(json): Verdict {
    const vector = json as PyDict
    const expected = dictGet(dictGet(vector, 'expected') as PyDict, 'tools')
    const ours = outcomeOf(() =>
      functionsToTools(dictGet(vector, 'functions') as readonly PyValue[], dictGet(vector, 'style') as ToolStyle),
    )
    const isSame = expected === undefined ? 'error' in ours : 'value' in ours && pyEqual(ours.value as PyValue, expected)
    if (isSame) return { kind: 'passed' }
    const shown = 'error' in ours ? ours.error.message : stringifyJson(ours.value as PyValue)
    return { kind: 'failed', why: `ours ${shown}, expected ${expected === undefined ? 'an error' : stringifyJson(expected)}` }
  },
}
