import { dictGet, type PyValue } from '../../base/python/index.ts'
import { defineEvaluator } from '../../evaluation/score/evaluate/evaluator.ts'
import { type Assertion, isFulfilled } from './assertions.ts'

/** The column of a row with its test: the assertions and a threshold, as JSON. */
export const assertionsColumn = 'promptfoo_test'

export type PromptfooTest = { assert: readonly Assertion[]; threshold?: number | undefined }

/** A test of promptfoo: it passes if all assertions hold or, with a threshold, if their weighted mean reaches it. */
export const promptfooAssertions = defineEvaluator({
  names: ['PromptfooAssertions'],
  does: `Passes when all assertions of the row's test hold (column \`${assertionsColumn}\`, from a promptfooconfig.yaml), or when their weighted mean reaches its threshold.`,
  example: {
    rows: [
      { [assertionsColumn]: '{"assert": [{"type": "contains", "value": "12"}]}' },
      { [assertionsColumn]: '{"assert": [{"type": "equals", "value": "3"}]}' },
    ],
    answers: ['It is 12.', 'It is 3.'],
    figures: { pass_rate: 50 },
  },
  metric: 'pass_rate',
  kind: 'verdict',
  unit: 'percent',
  direction: 'higher',
  needsReference: false,
  judge({ prediction, row }) {
    const output = String(prediction ?? '')
    const { assert, threshold } = JSON.parse(String(dictGet(row, assertionsColumn))) as PromptfooTest
    const results = assert.map((one) => ({ ...one, passed: isFulfilled(one, output) }))
    const weights = results.reduce((sum, { weight = 1 }) => sum + weight, 0)
    const reached = results.reduce((sum, { weight = 1, passed }) => sum + (passed ? weight : 0), 0)
    const score = weights === 0 ? 1 : reached / weights
    // An assertion of weight 0 is only reported.
    const correct = threshold === undefined ? results.every(({ passed, weight }) => passed || weight === 0) : score >= threshold
    const failed = results
      .filter(({ passed }) => !passed)
      .map(({ type, value }) => `${type}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`)
    return { score: Number(correct), detail: { pred: output, assertion_score: score, failed_assertions: failed as PyValue, correct } }
  },
})
