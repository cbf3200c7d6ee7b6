import { PromptError } from '@rolecall/core/internal/errors'
import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import * as z from 'zod'
import { defineJudgePostprocessor, fieldOf, type Judged } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { findAll, search } from '../../../../python/regex/index.ts'
import { winRate } from './win-rate.ts'

/** Who wins a match: the model that answered first, the second one, or neither. */
type Winner = 'model_a' | 'model_b' | 'tie'

/** A match of two models, with the columns that ratings may group it by. */
type Match = {
  winner: Winner
  columns: Record<string, PyValue>
  models: readonly [first: string, second: string]
  predictions: readonly [first: string, second: string]
  bases: readonly string[]
}

const arrows: Readonly<Record<string, Winner>> = {
  ...Object.fromEntries(['A>>B', 'B<<A', 'A>B', 'B<A'].map((one) => [one, 'model_a'])),
  ...Object.fromEntries(['A=B', 'B=A'].map((one) => [one, 'tie'])),
  ...Object.fromEntries(['A<B', 'B>A', 'A<<B', 'B>>A'].map((one) => [one, 'model_b'])),
}
const byArrow = (said: string) => ownEntry(arrows, search(String.raw`\[\[([AB<>=]+)\]\]`, said)?.[1] ?? '')

const letters: Readonly<Record<string, Winner>> = { A: 'model_a', B: 'model_b', C: 'tie' }
const plusses: Readonly<Record<string, Winner>> = { 'A++': 'model_a', 'A+': 'model_a', 'A=B': 'tie', 'B+': 'model_b', 'B++': 'model_b' }

/** AlpacaEval's m is the baseline, whichever place it has; M is the other model. */
function byIdentifier(said: string, first: string, bases: readonly string[]): Winner | undefined {
  if (!/^m/i.test(said)) return undefined
  return said.startsWith('m') === bases.includes(first) ? 'model_a' : 'model_b'
}

const columnsOf =
  (...names: readonly string[]) =>
  ({ gold }: Judged) =>
    Object.fromEntries(names.map((name) => [name, fieldOf(gold, name) ?? null]))

function wildColumns({ gold }: Judged): Record<string, PyValue> {
  const tags = fieldOf(gold, 'secondary_tag')
  const several = isList(tags) ? tags : []
  return { primary_tag: fieldOf(gold, 'primary_tag') ?? null, secondary_tag: several[0] ?? 'Others', secondary_tags: several }
}

/** The answer of a model: a text, or the turns of a chat. */
function answerOf({ gold }: Judged, name: string): string {
  const given = fieldOf(gold, name)
  if (typeof given === 'string') return given
  if (isList(given)) {
    const turns = fieldOf(given[0], 'role') === undefined ? given : given.filter((turn) => fieldOf(turn, 'role') === 'assistant')
    return turns.map((turn) => pyStr(fieldOf(turn, 'assistant') ?? '')).join('\n')
  }
  throw new PromptError('missing-column', {
    where: `the gold answer › ${name}`,
    problem: 'a match needs the answers of both models, and it has none',
    fix: 'set keep_predictions=True in the LMEvaluator of the dataset',
  })
}

/** Counts of markdown in a text without its code, by which ratings are controlled for style. */
export function styleOf(text: string, suffix: '_a' | '_b'): Record<string, PyValue> {
  const bare = withoutCode(text)
  const count = (pattern: string) => findAll(`(?m)${pattern}`, bare).length
  return {
    [`header_count${suffix}`]: Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, count(String.raw`^#{${level}}\s`)])),
    [`list_count${suffix}`]: { ordered: count(String.raw`^\s*\d+\.\s`), unordered: count(String.raw`^\s*[-*+]\s`) },
    [`bold_count${suffix}`]: { double_star: count(String.raw`\*\*[^*\n]+\*\*`), double_underscore: count(String.raw`__[^_\n]+__`) },
  }
}

export function withoutCode(text: string): string {
  const blocks = findAll('```([^`]*)```', text)
  return blocks.reduce((rest, block) => (block === '' ? rest : rest.replaceAll(block, '')), text)
}

/** A match as OpenCompass records it. Its count of tokens, by OpenAI's encoding, is left out. */
function recorded({ winner, columns, models, predictions }: Match): Record<string, PyValue> {
  return {
    winner,
    ...columns,
    model_a: models[0],
    model_b: models[1],
    prediction1: predictions[0],
    prediction2: predictions[1],
    conv_metadata: { ...styleOf(predictions[0], '_a'), ...styleOf(predictions[1], '_b') },
  }
}

type Reader<Options> = (said: string, first: string, bases: readonly string[], options: Options) => Winner | undefined
type Described = { name: string; of: string; said: string; columns: (judged: Judged) => Record<string, PyValue> }

/** A postprocessor whose result are matches; beside them, how probably the model wins against the baseline. */
function matches<Options>({ name, of, said, columns }: Described, options: z.ZodType<Options>, winnerOf: Reader<Options>) {
  const gold = { answer1: 'base', answer2: 'mine', prediction1: 'a', prediction2: 'b', base_models: ['base'] }
  return defineJudgePostprocessor({
    names: [name, `${name}_postprocess`],
    does: `${of} as matches for ratings by Bradley and Terry, in the details of the rows, with counts of markdown; \`win_rate\` is how probably the model wins against the baseline (\`base_models\`, else the first model).`,
    example: {
      judged: [
        { said, gold },
        { said, gold: { ...gold, answer1: 'mine', answer2: 'base' } },
      ],
      figures: { win_rate: of.startsWith('AlpacaEval') ? 0 : 50 },
    },
    options,
    metric: 'win_rate',
    unit: 'percent',
    kind: 'graded',
    compares: true,
    read(judged, options): Match | undefined {
      const models = [pyStr(fieldOf(judged.gold, 'answer1')), pyStr(fieldOf(judged.gold, 'answer2'))] as const
      const named = fieldOf(judged.gold, 'base_models')
      const bases = named === undefined ? [models[0]] : (isList(named) ? named : [named]).map((one) => pyStr(one))
      const winner = winnerOf(judged.said, models[0], bases, options)
      if (winner === undefined) return undefined
      return {
        winner,
        columns: columns(judged),
        models,
        predictions: [answerOf(judged, 'prediction1'), answerOf(judged, 'prediction2')],
        bases,
      }
    },
    score: ({ winner, models, bases }) => (winner === 'tie' ? 0.5 : Number((winner === 'model_b') === bases.includes(models[0]))),
    figures(kept) {
      const battles = kept.map(({ winner, models: [first, second] }) => ({
        first,
        second,
        gain: winner === 'tie' ? 0 : winner === 'model_a' ? 1 : -1,
        times: 1,
      }))
      return { win_rate: 100 * winRate(battles, kept[0]!.bases[0]!) }
    },
    detail: (_, kept): Record<string, PyValue> => (kept ? { match: recorded(kept) } : {}),
  })
}

const nothing = z.strictObject({})
const capability = columnsOf('capability')

export const alpacaMatches = matches(
  { name: 'alpacaeval_bradleyterry', of: "AlpacaEval's m (the baseline) or M", said: 'm', columns: capability },
  nothing,
  byIdentifier,
)

export const arenaHardMatches = matches(
  { name: 'arenahard_bradleyterry', of: "Arena-Hard's [[A>B]]", said: '[[A>B]]', columns: capability },
  nothing,
  byArrow,
)

export const compassArenaMatches = matches(
  { name: 'compassarena_bradleyterry', of: "CompassArena's choice", said: 'Choice: A', columns: capability },
  z.strictObject({ count_ties: z.boolean().default(true).describe('Whether a tie is a match.') }),
  (said, _first, _bases, { count_ties: countsTies }) => {
    const winner = ownEntry(letters, search('(?:选择：|Choice: )([ABC])', said)?.[1] ?? '')
    return winner === 'tie' && !countsTies ? undefined : winner
  },
)

export const compassArenaSubjectiveMatches = matches(
  {
    name: 'compassarena_subjectiveeval_bradleyterry',
    of: "CompassArena's [[A>B]]",
    said: '[[A>B]]',
    columns: columnsOf('category', 'difficulty'),
  },
  nothing,
  byArrow,
)

export const wildBenchMatches = matches(
  { name: 'wildbench_bradleyterry', of: 'WildBench\'s "choice": "A+"', said: '{"choice": "A+"}', columns: wildColumns },
  nothing,
  (said) => ownEntry(plusses, search('"choice": "(.*?)"', said)?.[1] ?? ''),
)
