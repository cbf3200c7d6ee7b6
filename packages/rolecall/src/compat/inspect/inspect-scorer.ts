import { dictGet, pyStr } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { type Answer, defineEvaluator, type NestedEvaluator } from '../../evaluation/score/evaluate/evaluator.ts'
import { mean } from '../../evaluation/score/evaluate/shares.ts'
import { taskColumns } from './prompt-of-task.ts'
import { scorerNames } from './scorer-names.ts'
import {
  answerIsTarget,
  choiceIsTarget,
  f1Score,
  includesTarget,
  isExact,
  matchesTarget,
  patternFindsTarget,
  type ScoredReply,
} from './scorers.ts'

const answerPatterns = ['letter', 'word', 'line'] as const

const scorerSchema = z
  .strictObject({
    name: z.enum(scorerNames),
    location: z.optional(z.enum(['begin', 'end', 'any', 'exact'])),
    ignore_case: z.optional(z.boolean()),
    numeric: z.optional(z.boolean()),
    pattern: z.optional(z.string()),
    match_all: z.optional(z.boolean()),
    stop_words: z.optional(z.array(z.string())),
  })
  .check(
    z.refine(({ name, pattern }) => name !== 'pattern' || pattern !== undefined, '`pattern` needs a pattern'),
    z.refine(
      ({ name, pattern }) => name !== 'answer' || answerPatterns.some((one) => one === pattern),
      `\`answer\` needs a pattern: ${answerPatterns.join(', ')}`,
    ),
  )

const options = z.strictObject({
  scorers: z
    .array(scorerSchema)
    .check(z.minLength(1), z.describe('Scorers of Inspect with their arguments; the first one is the main metric.')),
  multiple_correct: z.optional(z.boolean()).check(z.describe('For `choice`: several letters can be right.')),
})

type Scorer = NonNullable<(typeof scorerSchema)['types']>['output']

/** The scorers of a task in `eval.yaml`. */
export const inspectScorer = defineEvaluator({
  names: ['InspectScorer'],
  does: 'Scores as these scorers of Inspect do (`includes`, `match`, `pattern`, `answer`, `exact`, `f1`, `choice`, `math`), against the column `inspect_target`; `--tasks hf/ORG/DATASET` writes it.',
  example: {
    options: { scorers: [{ name: 'match', numeric: true }] },
    rows: [{ inspect_target: '1234' }, { inspect_target: '5' }],
    answers: ['So it is $1,234.00.', 'It is 25'],
    gold: ['1234', '5'],
    figures: { accuracy: 50 },
  },
  options,
  with({ scorers, multiple_correct: severalCorrect = false }, _words, _compat, nested) {
    const names = scorers.length === 1 ? [scorers[0]!.name === 'f1' ? 'f1' : 'accuracy'] : distinctNames(scorers.map(({ name }) => name))
    const score = scorers.map((scorer) => scoreBy(scorer, nested))
    const [metric, ...others] = names as [string, ...string[]]
    return {
      metric,
      kind: scorers[0]!.name === 'f1' ? ('graded' as const) : ('verdict' as const),
      unit: 'percent' as const,
      direction: 'higher' as const,
      needsReference: true,
      judge(answer: Answer) {
        const letters = pyStr(dictGet(answer.row, taskColumns.letters) ?? '')
        const scored: ScoredReply = {
          reply: pyStr(answer.prediction ?? ''),
          target: pyStr(answer.reference ?? ''),
          choices: letters === '' ? 0 : letters.split(',').length,
          severalCorrect,
        }
        const values = score.map((one) => one(answer, scored))
        const detail = {
          pred: scored.reply,
          answer: scored.target,
          ...Object.fromEntries(names.map((name, index) => [name, values[index]!])),
        }
        return { score: values[0]!, detail, keep: values }
      },
      summarise: (rows: readonly (readonly number[])[]) =>
        Object.fromEntries(names.map((name, index) => [name, 100 * mean(rows.map((values) => values[index]!))])),
      beside: others.map((name) => ({ metric: name, unit: 'percent' as const, direction: 'higher' as const })),
    }
  },
})

function scoreBy({ name, ...args }: Scorer, nested: NestedEvaluator): (answer: Answer, scored: ScoredReply) => number {
  const pattern = args.pattern ?? ''
  switch (name) {
    case 'includes':
      return (_, scored) => Number(includesTarget(scored, args))
    case 'match':
      return (_, scored) => Number(matchesTarget(scored, args))
    case 'pattern':
      return (_, scored) => Number(patternFindsTarget(scored, { ...args, pattern }))
    case 'answer':
      return (_, scored) => Number(answerIsTarget(scored, { pattern: pattern as (typeof answerPatterns)[number] }))
    case 'exact':
      return (_, scored) => Number(isExact(scored))
    case 'f1':
      return (_, scored) => f1Score(scored, args)
    case 'choice':
      return (_, scored) => Number(choiceIsTarget(scored))
    case 'math': {
      const { judge } = nested({ type: 'MATHVerifyEvaluator' }, 'scorers › math')
      return (answer, { reply }) => judge({ ...answer, prediction: boxed(reply) }).score
    }
    default:
      return name satisfies never
  }
}

/** A scorer may occur twice, with other arguments: `match`, `match_2`. */
function distinctNames(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((one) => one === name).length
    return before === 0 ? name : `${name}_${before + 1}`
  })
}

/** The answer in a box: where a reply has none, what follows its last "answer is", else its last number. */
function boxed(reply: string): string {
  if (/\\(?:boxed|fbox)\s*\{/.test(reply)) return reply
  const marker = [...reply.matchAll(/(?:answer|result)\s*(?:is\b|[:=])\s*/gi)].at(-1)
  const said =
    marker === undefined ? undefined : /^[^\n]*/.exec(reply.slice(marker.index + marker[0].length))![0].replace(/(?<![.\s])[.\s]+$/, '')
  const number = reply.match(/-?\d[\d,]*(?:\.\d+)?/g)?.at(-1)
  const found = said || number
  return found === undefined ? reply : `\\boxed{${found}}`
}
