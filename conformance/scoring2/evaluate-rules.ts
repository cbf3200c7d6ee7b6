import { dictGet, isDict, isList, type PyValue } from '../../src/base/python/index.ts'
import type { Outcome } from '../outcome.ts'
import type { ScoringVector } from '../scoring/vector.ts'
import type { Explains, Rules } from './operation.ts'

const list = (value: PyValue | undefined): readonly PyValue[] => (value !== undefined && isList(value) ? value : [])
const column = (row: PyValue, name: string) => (isDict(row) ? dictGet(row, name) : undefined)

/** A rule for inputs where the reference fails and Rolecall returns a result. */
const whereItFails =
  (op: RegExp, holds: (args: ScoringVector['args']) => boolean): Explains =>
  (vector, ours) =>
    op.test(vector.op) && vector.expected === undefined && 'value' in ours && holds(vector.args)

const toolStep = (step: PyValue) => column(step, 'type') === 'PythonInterpreter'

function sameFigure(ours: Outcome, expected: ScoringVector['expected'], name: string): boolean {
  if (!('value' in ours) || !expected) return false
  return (ours.value as Record<string, unknown>)[name] === (expected.value as Record<string, unknown>)[name]
}

/** What sympy computes and Rolecall does not: integrals, sums, limits, complex numbers and the like. */
const beyondFormulas = /\\\\(?:int|sum|prod|lim|binom|pm|mp|forall|exists|partial|nabla|vec|hat|overline|Re|Im|begin\{cases)/

function scoresOf(result: unknown): number[] {
  return ((result as { details?: { score: number }[] } | undefined)?.details ?? []).map(({ score }) => score)
}

/** Where our evaluators differ from the reference's. */
export const evaluateRules: Rules = {
  'nothing-to-score': ({ op, args, expected }, ours) =>
    op.endsWith('Evaluator') && expected !== undefined && 'error' in ours && list(args.predictions).length === 0,
  'uneven-lists': ({ args, expected }, ours) =>
    expected !== undefined && 'error' in ours && list(args.predictions).length !== list(args.references).length,
  'lists-of-figures': ({ op, args, expected }, ours) =>
    op === 'NCElementMatchEvaluator' && Array.isArray(list(args.predictions)[0]) && sameFigure(ours, expected, 'score'),
  'language-detection': ({ op, flags, expected }, ours) =>
    /IFEvaluator$/.test(op) && flags.includes('needs-langdetect') && expected !== undefined && 'value' in ours,
  'computer-algebra': ({ flags, args, expected }, ours) =>
    flags.includes('needs-sympy') &&
    expected !== undefined &&
    'value' in ours &&
    beyondFormulas.test(JSON.stringify([args.predictions, args.references])),
  'expression-distance': ({ op, expected }, ours) =>
    op === 'MathEEDEvaluator' && 'value' in ours && scoresOf(expected?.value).some((score) => score > 0 && score < 100),
  'no-option-named': whereItFails(/^SciKnowEvalEvaluator$/, ({ predictions }) => list(predictions).length > 0),
  'rule-with-prompts': whereItFails(/^CascadeEvaluator$/, ({ options }) => {
    const rule = options === undefined ? undefined : column(options, 'rule_evaluator')
    return rule !== undefined && column(rule, 'type') === 'AccwithDetailsEvaluator'
  }),
  'agent-without-result': whereItFails(/^MATHAgentEvaluator$/, ({ steps }) =>
    list(steps).some((row) => list(row).some((step) => toolStep(step) && column(step, 'result') === undefined)),
  ),
  'agent-without-tool': whereItFails(/^MATHAgentEvaluator$/, ({ steps }) => !list(steps).some((row) => list(row).some(toolStep))),
}
