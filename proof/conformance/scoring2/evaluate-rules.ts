import { dictGet, isDict, isList, type PyValue, pyStr } from '../../../packages/core/src/base/python/index.ts'
import type { ScoringRules } from '../scoring/rules.ts'
import { near, plain, type ScoringVector } from '../scoring/vector.ts'

const list = (value: PyValue | undefined): readonly PyValue[] => (value !== undefined && isList(value) ? value : [])
const column = (row: PyValue, name: string) => (isDict(row) ? dictGet(row, name) : undefined)
const toolStep = (step: PyValue) => column(step, 'type') === 'PythonInterpreter'
const close = (ours: unknown, promised: unknown) => near(ours, plain(promised), 1e-9)

/** What sympy computes and Rolecall does not: integrals, sums, limits, complex numbers and the like. */
const beyondFormulas = /\\(?:int|sum|prod|lim|binom|pm|mp|forall|exists|partial|nabla|vec|hat|overline|Re|Im|begin\{cases)/

type Details = { details?: readonly Record<string, unknown>[] }

/** Rows for which `differs` does not hold have the reference's details; the others fulfil `promise`. */
function sameRows(
  value: unknown,
  { args, expected }: ScoringVector,
  differs: (row: number) => boolean,
  promise: (detail: Record<string, unknown>) => boolean,
): boolean {
  const [ours, theirs] = [(value as Details).details, (expected?.value as Details | undefined)?.details]
  if (!Array.isArray(ours) || !Array.isArray(theirs) || ours.length !== list(args.predictions).length) return false
  return ours.every((detail, row) => (differs(row) ? promise(detail) : theirs[row] !== undefined && agreesOn(detail, theirs[row])))
}

/** The details that both have. */
function agreesOn(ours: Record<string, unknown>, theirs: Record<string, unknown>): boolean {
  return ['correct', 'score'].every((key) => !(key in theirs) || close(ours[key], theirs[key]))
}

/** The atoms of a formula, in order: C C O for OC2. */
function atomsOf(formula: string): string {
  const atoms = [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)]
  return atoms
    .flatMap(([, element, count]) => new Array<string>(count === '' ? 1 : Number(count)).fill(element!))
    .sort()
    .join(' ')
}

/** What stands in the box of an answer, or all of it. */
function boxed(answer: string): string {
  const at = answer.indexOf('\\boxed{')
  return at < 0 ? answer : answer.slice(at + 7, answer.lastIndexOf('}'))
}

const squeezed = (formula: string) => formula.replaceAll(/\s/g, '')

/** The first label of a row's choices that each answer has as a word. */
function namedOptions({ predictions, testSet }: ScoringVector['args']): (string | undefined)[] {
  return list(predictions).map((one, row) => {
    const labels = list(column(column(list(testSet)[row] ?? null, 'choices') ?? null, 'label')).map((label) => pyStr(label))
    return pyStr(one)
      .split(/[^\p{L}\p{N}_]+/u)
      .find((word) => labels.includes(word))
  })
}

/** Where our evaluators differ from the reference's. */
export const evaluateRules: ScoringRules = {
  'uneven-lists': { applies: ({ args }) => list(args.predictions).length !== list(args.references).length },
  'lists-of-figures': {
    applies: ({ op, args }) => op === 'NCElementMatchEvaluator' && isList(list(args.predictions)[0] ?? null),
    // A row is right if one of its candidates has the atoms of the gold formula.
    promises: (value, { args }) => {
      const { score, valid_score: valid, details, ...others } = value as Record<string, unknown>
      const rows = list(args.predictions).map((candidates, row) => {
        const answer = pyStr(list(args.references)[row]!)
        const pred = list(candidates).map((one) => pyStr(one))
        return { pred, answer, score: pred.map((one) => atomsOf(one) === atomsOf(answer)) }
      })
      const share = (100 * rows.filter((row) => row.score.some(Boolean)).length) / rows.length
      return Object.keys(others).length === 0 && close([score, valid], [share, share]) && close(details, rows)
    },
  },
  'language-detection': {
    applies: ({ op, flags }) => /IFEvaluator$/.test(op) && flags.includes('needs-langdetect'),
    promises: (value, vector) =>
      sameRows(
        value,
        vector,
        (row) => /language/.test(JSON.stringify(plain(list(vector.args.references)[row]))),
        () => true,
      ),
  },
  'computer-algebra': {
    applies: ({ flags, args }) =>
      flags.includes('needs-sympy') && beyondFormulas.test([args.predictions, args.references].map((one) => pyStr(one!)).join()),
    // What cannot be read is wrong.
    promises: (value, vector) => {
      const { predictions, references } = vector.args
      const isBeyond = (row: number) => [predictions, references].some((side) => beyondFormulas.test(pyStr(list(side)[row] ?? null)))
      return sameRows(value, vector, isBeyond, ({ correct }) => correct === false)
    },
  },
  'expression-distance': {
    applies: ({ op }) => op === 'MathEEDEvaluator',
    // An answer written like the gold one has full marks, an empty one none; others have at most 60 unless they are equal.
    promises: (value, { args }) => {
      const { accuracy, details, ...others } = value as { accuracy: number; details: { score: number }[] }
      const [answers, golds] = [list(args.predictions).map((one) => boxed(pyStr(one))), list(args.references).map((one) => pyStr(one))]
      if (!Array.isArray(details) || details.length !== answers.length || Object.keys(others).length > 0) return false
      const isEach = details.every(({ score }, row) => {
        if (answers[row] === '') return score === 0
        return score === 100 || (squeezed(answers[row]!) !== squeezed(golds[row]!) && score >= 0 && score <= 60)
      })
      return isEach && close(accuracy, details.reduce((sum, { score }) => sum + score, 0) / details.length)
    },
  },
  // As any answer that names a wrong option.
  'no-option-named': {
    applies: ({ op, args }) => op === 'SciKnowEvalEvaluator' && namedOptions(args).includes(undefined),
    promises: (value, { args }) => {
      const { accuracy, details } = value as { accuracy: number; details: { correct: boolean }[] }
      const right = namedOptions(args).map((option, row) => option === pyStr(list(args.references)[row]!))
      return (
        close(accuracy, (100 * right.filter(Boolean).length) / right.length) &&
        close(
          details.map(({ correct }) => correct),
          right,
        )
      )
    },
  },
  // As with the evaluator that compares the same way without prompts.
  'rule-with-prompts': {
    applies: ({ op, args }) => {
      const rule = args.options === undefined ? undefined : column(args.options, 'rule_evaluator')
      return op === 'CascadeEvaluator' && rule !== undefined && column(rule, 'type') === 'AccwithDetailsEvaluator'
    },
    promises: (value, { args }, run) => {
      const options = { ...(args.options as Record<string, PyValue>), rule_evaluator: { type: 'AccEvaluator' } }
      const shown = (result: unknown) => {
        const { details, ...figures } = plain(result) as { details: { cascade_correct: boolean; llm_correct?: boolean }[] }
        return { figures, details: details.map(({ cascade_correct: right, llm_correct: judged }) => ({ right, judged })) }
      }
      return close(shown(value), shown(run({ ...args, options })))
    },
  },
  // As with a result that says something else.
  'agent-without-result': {
    applies: ({ op, args }) =>
      op === 'MATHAgentEvaluator' &&
      list(args.steps).some((row) => list(row).some((step) => toolStep(step) && column(step, 'result') === undefined)),
    promises: (value, { args }, run) => {
      const steps = list(args.steps).map((row) =>
        list(row).map((step) =>
          toolStep(step) && column(step, 'result') === undefined ? { ...(step as object), result: { text: 'no number' } } : step,
        ),
      )
      return close(value, run({ ...args, steps: steps as never }))
    },
  },
  'agent-without-tool': {
    applies: ({ op, args }) => op === 'MATHAgentEvaluator' && !list(args.steps).some((row) => list(row).some(toolStep)),
    promises: (value, { args }) => {
      const right = list(args.predictions).filter((one, row) => pyStr(one) === pyStr(list(args.references)[row]!)).length
      const { follow_acc, reasoning_acc, code_acc, action_pct, ...others } = value as Record<string, number>
      const share = (100 * right) / list(args.predictions).length
      return code_acc === undefined && close([follow_acc, reasoning_acc, action_pct], [share, share, 0]) && Object.keys(others).length === 0
    },
  },
}
