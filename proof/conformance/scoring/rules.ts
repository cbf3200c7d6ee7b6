import { pyStr } from '../../../packages/core/src/base/python/index.ts'
import { nearestVectors } from '../../../packages/rolecall/src/evaluation/dataset/retrieve/nearest-vectors.ts'
import { type Outcome, show } from '../outcome.ts'
import type { scoringRules } from '../rules/scoring.ts'
import { givesSo } from '../rules.ts'
import { failed, type Verdict } from '../verdict.ts'
import { replicasOfReference } from './evaluate.ts'
import { near, plain, type ScoringVector } from './vector.ts'

export type ScoringRuleName = keyof typeof scoringRules
type Args = ScoringVector['args']

/** A rule's condition on the input, and what Rolecall promises there: a value that is computed a second time, or a property. */
export type ScoringRule = {
  applies(vector: ScoringVector): boolean
  /** Absent for a rule that refuses. `run` computes ours for other arguments. */
  promises?(value: unknown, vector: ScoringVector, run: (args: Args) => unknown): boolean
}

export type ScoringRules = Partial<Record<ScoringRuleName, ScoringRule>>

/** Judges a result that is not the reference's. */
export function judgeByRule(rules: ScoringRules, vector: ScoringVector, ours: Outcome, run: (args: Args) => unknown): Verdict {
  const names = (Object.keys(rules) as ScoringRuleName[]).filter((name) => rules[name]!.applies(vector))
  const rule = names.find((name) => {
    const { promises } = rules[name]!
    return givesSo(name, ours) && ('error' in ours || (promises?.(ours.value, vector, run) ?? false))
  })
  if (rule) return { kind: 'rule', rule }
  const expected = vector.expected ? show(vector.expected) : 'an error'
  const given = JSON.stringify(plain(vector.args))
  return failed(`${vector.op} ${given}\n  ours ${show(ours)}\n  expected ${expected}\n  rules: ${names.join(', ') || 'none'}`)
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const close = (ours: unknown, promised: unknown) => near(ours, plain(promised), 1e-9)

/** The same as for other arguments. */
const asFor =
  (change: (args: Args) => Args): NonNullable<ScoringRule['promises']> =>
  (value, { args }, run) =>
    close(value, run(change(args)))

export const rules: ScoringRules = {
  // As a list of one.
  'single-accepted-answer': {
    applies: ({ op, args }) => op === 'EMEvaluator' && list(args.references).some((one) => !Array.isArray(one)),
    promises: asFor((args) => ({ ...args, references: list(args.references).map((one) => (Array.isArray(one) ? one : [one])) as never })),
  },
  // As the text that Python shows.
  'list-as-prediction': {
    applies: ({ op, args }) => op === 'AccEvaluator' && list(args.predictions).some((one) => Array.isArray(one)),
    promises: asFor((args) => ({ ...args, predictions: list(args.predictions).map((one) => pyStr(one as never)) as never })),
  },
  // A gold answer twice counts once, so rows can be made even.
  'uneven-references': {
    applies: ({ op, args }) => op === 'BleuEvaluator' && new Set(list(args.references).map((one) => [one].flat().length)).size > 1,
    promises: asFor((args) => {
      const rows = list(args.references).map((one) => [one].flat())
      const most = Math.max(...rows.map((row) => row.length))
      return { ...args, references: rows.map((row) => Array.from({ length: most }, (_, index) => row[index] ?? row.at(-1))) as never }
    }),
  },
  'replica-details-overwritten': {
    applies: ({ op, args }) => op === 'evaluate_replicas' && args.evaluator !== 'SquadEvaluator',
    promises: (value, { args, expected }) =>
      expected !== undefined && close(expected.value, replicasOfReference(args as never)) && isReplicaResult(value, plain(args) as never),
  },
  'squad-bare-number': {
    applies: ({ op, args }) => op === 'evaluate_replicas' && args.evaluator === 'SquadEvaluator',
    promises: (value, { args }) => isReplicaResult(value, plain(args) as never),
  },
  'squad-several-answers': {
    applies: ({ op, args }) => op === 'SquadEvaluator' && list(args.references).some((one) => Array.isArray(one)),
    // The nearest accepted answer of each row counts.
    promises: (value, { args }, run) => {
      const best = list(args.predictions).map((prediction, row) => {
        const golds = [list(args.references)[row]].flat()
        return Math.max(...golds.map((gold) => run({ ...args, predictions: [prediction as never], references: [gold as never] }) as number))
      })
      return close(value, best.reduce((sum, one) => sum + one, 0) / best.length)
    },
  },
  'dpp-order': {
    applies: ({ op }) => op === 'dpp_retrieve',
    promises: (value, { args }) =>
      close(
        value,
        list(plain(args.queries)).map((query) => diverse(plain(args) as never, query as number[])),
      ),
  },
  'bm25-k1-zero': {
    applies: ({ op, args }) => op === 'bm25_okapi' && (plain(args.params) as { k1?: number } | undefined)?.k1 === 0,
    promises: isScoredWithoutFrequency,
  },
  'no-perplexity': {
    applies: ({ op, args }) => /^(?:ppl|ll)_select$/.test(op) && list(args.ppl ?? args.loglikelihood).some((one) => Number.isNaN(one)),
    promises: (value, { op, args }) => {
      const sign = op === 'ppl_select' ? 1 : -1
      const labels = list(args.labels).map((label, index) => ({ label, value: Number(plain(list(args.ppl ?? args.loglikelihood)[index])) }))
      const known = labels.filter((one) => !Number.isNaN(one.value)).sort((a, b) => sign * (a.value - b.value))
      return value === (known[0] ?? labels[0])?.label
    },
  },
  // Only periods within a text matter, and only whether they are separate tokens.
  'punkt-model': {
    applies: ({ flags, args }) => flags.includes('needs-punkt') && typeof args.text === 'string' && /\.\s+\S/.test(args.text),
    promises: (value, { expected }) => {
      const split = (tokens: unknown) => list(tokens).flatMap((token) => String(token).split(/(?=\.)|(?<=\.)/))
      return close(split(value), split(expected?.value))
    },
  },
}

type Replicas = {
  evaluator: string
  n: number
  dataset: { subdivision: string; idx: number }[]
  predictions: string[]
  references: string[]
}

/**
 * Every figure is a mean over the runs, and every row keeps the answers of all its replicas: G-Pass@k is computed here from how many of
 * them are right.
 */
function isReplicaResult(value: unknown, { evaluator, n, dataset, predictions, references }: Replicas): boolean {
  const { details, ...figures } = value as { details?: Record<string, unknown>[] } & Record<string, unknown>
  const size = Math.floor(dataset.length / n)
  const isRight = (at: number) => predictions[at] === references[at]
  const share = (run: number) => Array.from({ length: size }, (_, row) => isRight(run * size + row)).filter(Boolean).length / size
  const mean = (100 * Array.from({ length: n }, (_, run) => share(run)).reduce((sum, one) => sum + one, 0)) / n
  const averages = Object.entries(figures).filter(([name]) => name.includes('runs average') || n === 1)
  const isMean = averages.length > 0 && averages.filter(([name]) => !name.includes('Pass@')).every(([, figure]) => close(figure, mean))
  const rows = Array.isArray(details) ? details : []
  const keepsAll = rows.length === size && rows.every((row, index) => isDetail(row, index))
  return isMean && keepsAll && Object.entries(figures).every(([name, figure]) => isPass(name, figure))

  function isDetail(row: Record<string, unknown>, index: number): boolean {
    const replicas = Array.from({ length: n }, (_, run) => run * size + index)
    const shown = row.pred ?? row.prediction
    const isNamed = String(row.example_abbr) === `${dataset[index]!.subdivision}_${dataset[index]!.idx}`
    return isNamed && (shown === undefined || JSON.stringify(shown) === JSON.stringify(replicas.map((at) => predictions[at])))
  }

  /** G-Pass@k at threshold t: the probability that of k drawn replicas at least t·k are right. */
  function isPass(name: string, figure: unknown): boolean {
    const [, subset, k, threshold] = /^(?:(.+)\/)?G-Pass@(\d+)_([\d.]+)$/.exec(name) ?? []
    if (k === undefined) return true
    const chosen = Array.from({ length: size }, (_, row) => row).filter(
      (row) => subset === undefined || dataset[row]!.subdivision.split('_')[0] === subset,
    )
    const values = chosen.map((row) => {
      const right = Array.from({ length: n }, (_, run) => isRight(run * size + row)).filter(Boolean).length
      const least = Math.max(Math.ceil(Number(k) * Number(threshold)), 1)
      const ways = Array.from({ length: Number(k) + 1 }, (_, drawn) => drawn).filter((drawn) => drawn >= least)
      return ways.reduce((sum, drawn) => sum + (choose(right, drawn) * choose(n - right, Number(k) - drawn)) / choose(n, Number(k)), 0)
    })
    void evaluator
    return close(figure, (100 * values.reduce((sum, one) => sum + one, 0)) / values.length)
  }
}

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0
  return Array.from({ length: k }, (_, index) => (n - index) / (index + 1)).reduce((product, factor) => product * factor, 1)
}

/** With k1 = 0 a word counts by its weight alone, however often it occurs; a document without a word of the query has the score 0. */
function isScoredWithoutFrequency(value: unknown, { args, expected }: ScoringVector): boolean {
  const { corpus, query, n } = plain(args) as { corpus: string[][]; query: string[]; n: number }
  const { scores, top, ...rest } = value as { scores: number[]; top: number[]; idf: Record<string, number> }
  const { scores: _, top: __, topStable: ___, ...others } = expected!.value as Record<string, unknown>
  const weights = (others.idf ?? rest.idf) as Record<string, number>
  const promised = corpus.map((words) => query.reduce((sum, word) => sum + (words.includes(word) ? weights[word]! : 0), 0))
  const ranked = [...promised.keys()].sort((a, b) => promised[b]! - promised[a]! || b - a).slice(0, n)
  return close(scores, promised) && close(top, ranked) && close(rest, others)
}

type Dpp = { embeddings: number[][]; candidateNum: number; scaleFactor: number; iceNum: number }

/** The candidates that a determinantal point process selects one by one, each with the largest determinant; the nearest first. */
function diverse({ embeddings, candidateNum, scaleFactor, iceNum }: Dpp, query: number[]): number[] {
  const near = nearestVectors(embeddings, query, candidateNum)
  const unit = (vector: number[]) => vector.map((one) => one / Math.hypot(...vector))
  const dot = (a: number[], b: number[]) => a.reduce((sum, one, index) => sum + one * b[index]!, 0)
  const relevance = near.map((id) => Math.exp((dot(unit(embeddings[id]!), unit(query)) + 1) / 2 / (2 * scaleFactor)))
  const most = Math.max(...relevance)
  const kernel = near.map((a, i) =>
    near.map((b, j) => ((relevance[i]! / most) * (relevance[j]! / most) * (dot(unit(embeddings[a]!), unit(embeddings[b]!)) + 1)) / 2),
  )
  const selected: number[] = []
  while (selected.length < Math.min(iceNum, near.length)) {
    const rest = near.map((_, index) => index).filter((index) => !selected.includes(index))
    const sizes = rest.map((index) => determinant([...selected, index].map((i) => [...selected, index].map((j) => kernel[i]![j]!))))
    selected.push(rest[sizes.indexOf(Math.max(...sizes))]!)
  }
  return selected.sort((a, b) => a - b).map((index) => near[index]!)
}

function determinant(matrix: number[][]): number {
  if (matrix.length === 1) return matrix[0]![0]!
  return matrix[0]!.reduce((sum, entry, column) => {
    const minor = matrix.slice(1).map((row) => row.filter((_, index) => index !== column))
    return sum + (column % 2 === 0 ? 1 : -1) * entry * determinant(minor)
  }, 0)
}
