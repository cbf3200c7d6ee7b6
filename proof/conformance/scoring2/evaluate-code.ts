import { dictGet, isList, type PyDict, type PyValue, pyEqual, pyStr } from '../../../packages/core/src/base/python/index.ts'
import { mbppCode, wizardCode } from '../../../packages/rolecall/src/compat/opencompass/evaluators/code/mbpp.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { evaluatorOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'
import { refuse, type ScoringVector } from '../scoring/vector.ts'
import type { Operation } from './operation.ts'
import { judgePrograms } from './run-programs.ts'

registerOpenCompass()

type Args = ScoringVector['args']
type Dict = Record<string, unknown>

const list = (value: PyValue | undefined): PyValue[] => (value !== undefined && isList(value) ? [...value] : [])

/** Runs a vector's programs; rows are looked up by the references' names if the reference does so. */
async function tested(type: string, args: Args, rowFor?: (reference: PyValue, row: PyDict) => boolean) {
  const [predictions, references, testSet] = [list(args.predictions), list(args.references), list(args.testSet) as PyDict[]]
  if (predictions.length === 0) refuse('there are no answers')
  if (predictions.length !== references.length) throw uneven(predictions.length, references.length)
  const evaluator = evaluatorOf({ type, ...((args.options ?? {}) as Record<string, PyValue>) }, true, 'the vector')
  const rows = rowFor ? references.map((one) => testSet.find((row) => rowFor(one, row)) ?? {}) : testSet
  return judgePrograms(evaluator, predictions, references, rows)
}

function uneven(answers: number, golds: number): PromptError {
  return new PromptError('unequal-lengths', {
    where: 'the answers',
    problem: `there are ${answers}, and ${golds} gold answers`,
    fix: 'give one each',
  })
}

/** The reference keeps two programs; only the answer's code is compared because the sandbox rewrites tests. */
const answersCode = (value: unknown) => {
  const { details, ...figures } = value as { details?: Record<string, { programs: unknown[] }> }
  const rows = Object.entries(details ?? {}).map(([row, { programs, ...rest }]) => [row, { ...rest, programs: programs.slice(0, 1) }])
  return { ...figures, details: Object.fromEntries(rows) }
}

const mbpp = (type: string, codeOf: (answer: string) => string): Operation => ({
  async run(args) {
    const { figures, details } = await tested(type, args)
    const rows = details.map((detail, index) => {
      const origin = list(args.predictions)[index]!
      return [String(index), { origin, programs: [codeOf(pyStr(origin))], ...detail }]
    })
    return { ...figures, details: Object.fromEntries(rows) }
  },
  compared: (value) => (typeof value === 'object' && value !== null && 'details' in value ? answersCode(value) : value),
})

/** The reference reports for each problem how often it was solved. */
const byProblem = (type: string): Operation => ({
  async run(args) {
    const { figures, details } = await tested(type, args, (reference, row) => pyEqual(dictGet(row, 'problem_id') ?? null, reference))
    const solved = new Map<string, boolean[]>()
    for (const [index, reference] of list(args.references).entries()) {
      solved.set(pyStr(reference), [...(solved.get(pyStr(reference)) ?? []), details[index]!.correct === true])
    }
    const shares = [...solved].map(([problem, each]) => [problem, each.filter(Boolean).length / each.length])
    return { ...figures, detail: { 'pass@1': Object.fromEntries(shares) } }
  },
})

/** Evaluators that run code. */
export const codeOperations: Record<string, Operation> = {
  MBPPEvaluator: mbpp('MBPPEvaluator', mbppCode),
  MBPPEvaluator2: mbpp('MBPPEvaluator2', wizardCode),
  LCPassKEvaluator: { run: async (args) => (await tested('LCPassKEvaluator', args)).figures },
  MBPPPassKEvaluator: { run: async (args) => (await tested('MBPPPassKEvaluator', args)).figures },
  CRUXEvalOEvaluator: {
    async run(args) {
      const { figures, details } = await tested('CRUXEvalOEvaluator', args)
      const rows = details.map((detail, index) => [String(index), { ...detail, prediction: list(args.predictions)[index]! }])
      return { ...figures, details: Object.fromEntries(rows) }
    },
    detailsMayHaveMore: true,
  },
  LCBCodeExecutionEvaluator: { run: async (args) => (await tested('LCBCodeExecutionEvaluator', args)).figures },
  LCBCodeGenerationEvaluator: {
    async run(args) {
      const { figures, details } = await tested(
        'LCBCodeGenerationEvaluator',
        args,
        (reference, row) => dictGet(row, 'question_id') === reference,
      )
      return { ...figures, details }
    },
    // Python's error messages for failing programs are not compared.
    compared(value) {
      const { details, ...figures } = value as { details?: Dict[] }
      return { ...figures, details: details?.map(({ eval_result, correct }) => ({ eval_result, correct })) }
    },
  },
  TACOEvaluator: byProblem('TACOEvaluator'),
  APPSEvaluator: byProblem('APPSEvaluator'),
}
