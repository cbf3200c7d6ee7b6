import { dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { outcomeLater, outcomeOf, sameValue, show } from '../outcome.ts'
import { near, plain } from '../scoring/vector.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical } from '../verdict.ts'
import { oursOf, theirsOf, withRowsOf } from './judged-figures.ts'
import { promptOfClass } from './prompt-of-class.ts'
import { runJudged } from './run-judged.ts'
import { asJudgeVector, requestVector } from './vector.ts'

const hasAll = (vector: PyDict, ...keys: string[]) => keys.every((key) => dictHas(vector, key))

/** What a judge is sent about the answers of a model. */
const judgeRequests: Suite = {
  name: 'judge',
  recognises: (vector) => hasAll(vector, 'dataset', 'rows', 'predictions', 'requests'),
  async examine(json) {
    const vector = asJudgeVector(json as PyDict)
    const replies = vector.requests.map(() => 'A')
    const ours = await outcomeLater(async () => (await runJudged(vector, replies)).requests)
    // `n: 1` and an empty `extra_body` say nothing.
    const expected = vector.requests.map(({ n: _, extra_body: __, ...request }) => request)
    return trial(ours, (result) =>
      'value' in result && sameValue(result.value, expected)
        ? identical
        : failed(`${vector.id}\n  ours ${show(result)}\n  expected ${JSON.stringify(expected)}`),
    )
  },
}

/** The figures that follow from a judge's replies. */
const judgeScores: Suite = {
  name: 'judge',
  recognises: (vector) => hasAll(vector, 'of', 'replies'),
  async examine(json, folder) {
    const get = (key: string) => plain(dictGet(json as PyDict, key) ?? null)
    const vector = requestVector(folder, String(get('of')))
    if (!vector) return failed(`there is no request vector "${get('of')}" beside it`)
    const expected = dictHas(json as PyDict, 'error') ? undefined : theirsOf(get('expected') as never, vector.dataset.n ?? 1)
    const ours = await outcomeLater(async () => withRowsOf(oursOf(await runJudged(vector, get('replies') as string[]), vector), expected))
    return trial(ours, (result) => {
      const agrees = 'error' in result ? expected === undefined : expected !== undefined && near(result.value, expected, 1e-9)
      return agrees ? identical : failed(`ours ${show(result)}\n  expected ${JSON.stringify(expected) ?? 'an error'}`)
    })
  },
}

/** Prompt templates that are classes, by the row they are filled with. */
const templateClasses: Suite = {
  name: 'judge',
  recognises: (vector) => hasAll(vector, 'template', 'row') && typeof dictGet(vector, 'template') === 'string',
  examine(json: PyValue) {
    const get = (key: string) => dictGet(json as PyDict, key) ?? null
    const expected = dictHas(json as PyDict, 'error') ? undefined : plain(get('expected'))
    const ours = outcomeOf(() => promptOfClass(String(get('template')), get('row') as PyDict))
    return trial(ours, (result) => {
      const agrees = 'error' in result ? expected === undefined : sameValue(result.value, expected)
      return agrees ? identical : failed(`ours ${show(result)}\n  expected ${JSON.stringify(expected) ?? 'an error'}`)
    })
  },
}

export const judges: readonly Suite[] = [judgeRequests, judgeScores, templateClasses]
