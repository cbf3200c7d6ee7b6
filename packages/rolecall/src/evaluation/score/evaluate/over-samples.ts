import { isList, type PyValue, pyStr } from '@rolecall/core/internal/python'
import { figuresOf } from './evaluate-answers.ts'
import type { Answer, Evaluator, Figures, Judgement } from './evaluator.ts'
import { majorityAtK, majorityOf, type Vote } from './majority.ts'
import { passAtK } from './pass-at-k.ts'
import { passFigures } from './replicas.ts'

/** For one row: the scores of its samples, the values the evaluator kept for each, and the majority's score for each k. */
export type KeptSamples = { scores: readonly number[]; kept: readonly unknown[]; majority?: readonly number[] }

export type SampleOptions = {
  /** The number of answers per row. */
  n: number
  /** For pass@k, majority@k and G-Pass@k. */
  k: readonly number[]
}

/**
 * An evaluator for rows with n answers: their prediction is a list. Its metric is the mean of the n runs, as
 * OpenCompass names it; if answers are right or wrong, it adds pass@k, majority@k and G-Pass@k.
 *
 * @example
 * const sampled = overSamples(evaluatorOf({ type: 'AccEvaluator' }, true, 'mine'), { n: 2, k: [1, 2] })
 * const { score, keep } = sampled.judge({ prediction: ['4', '5'], reference: '4', row: {} })
 * score // => 0.5
 * sampled.summarise([keep])['pass@2'] // => 100
 */
export function overSamples(
  evaluator: Evaluator<unknown>,
  { n, k }: SampleOptions,
): Evaluator<unknown> & Required<Pick<Evaluator<unknown>, 'summarise'>> {
  const metric = `${evaluator.metric} (${n} runs average)`
  const voted = isVotedOn(evaluator) ? k.filter((one) => one > 1 && one <= n) : []
  // By the number of right answers: intervals summarise a thousand resamples of the same rows.
  const passesOf = new Map<number, Figures>()
  const joined = (answer: Answer, judged: readonly Judgement[]) => together(judged, voted, votesOf(answer, evaluator))
  return {
    ...evaluator,
    metric,
    kind: evaluator.kind === 'quantity' ? 'quantity' : 'graded',
    interval: evaluator.summarise ? 'kept' : 'scores',
    beside: [
      ...(evaluator.beside ?? []).map((figure) => ({ ...figure, metric: `${figure.metric} (${n} runs average)` })),
      ...(evaluator.kind === 'verdict' ? k.filter((one) => one <= n).map((one) => ({ metric: `pass@${one}`, unit: 'percent' })) : []),
      ...voted.map((one) => ({ metric: `majority@${one}`, unit: 'percent' })),
    ],
    judge: (answer) =>
      joined(
        answer,
        samplesOf(answer).map((one) => evaluator.judge(one)),
      ),
    ...(evaluator.judgeLater
      ? {
          judgeLater(answer) {
            // A synchronous error waits for the other promises: an abandoned one would be an unhandled rejection.
            const judged = samplesOf(answer).map((one) => {
              try {
                return evaluator.judgeLater!(one)
              } catch (error) {
                return Promise.reject(error)
              }
            })
            return judged.some((one) => one instanceof Promise)
              ? Promise.all(judged).then((all) => joined(answer, all))
              : joined(answer, judged as Judgement[])
          },
        }
      : {}),
    summarise(kept) {
      const rows = kept as readonly KeptSamples[]
      const runs = Array.from({ length: n }, (_, run) => run).flatMap((run) => {
        const present = rows.filter(({ scores }) => scores[run] !== undefined && !Number.isNaN(scores[run]))
        // A run without any decided sample has no metrics, unless that is true of all runs.
        if (present.length === 0 && rows.some(({ scores }) => scores.some((score) => !Number.isNaN(score)))) return []
        return [
          figuresOf(
            evaluator,
            present.map(({ scores }) => scores[run]!),
            present.map((row) => row.kept[run]),
          ),
        ]
      })
      const averages = Object.keys(runs[0]!).map(
        (key) => [`${key} (${n} runs average)`, meanOf(runs.map((figures) => figures[key]!))] as const,
      )
      return {
        ...Object.fromEntries(averages),
        ...(evaluator.kind === 'verdict' ? passes(rows, n, k, passesOf) : {}),
        ...majorities(rows, voted),
      }
    },
  }
}

function samplesOf({ prediction, reference, row, tools, texts, answered }: Answer): Answer[] {
  return (isList(prediction) ? prediction : [prediction]).map((one, index) => ({
    prediction: one,
    reference,
    row,
    ...(tools ? { tools } : {}),
    ...(texts ? { said: texts[index] ?? '' } : {}),
    ...(answered === undefined ? {} : { answered: isList(answered) ? (answered[index] ?? null) : answered }),
  }))
}

/** Only answers can vote; programs are never equal. */
function isVotedOn({ kind, runs }: Evaluator<unknown>): boolean {
  return kind === 'verdict' && !runs
}

/** The vote of each sample; undefined if only a judge's replies are known. */
function votesOf({ votes, prediction }: Answer, { asks }: Evaluator<unknown>): readonly Vote[] | undefined {
  if (votes) return votes
  return asks || !isList(prediction) ? undefined : prediction.map(voteFor)
}

/** The vote of an answer. */
export function voteFor(answer: PyValue): Vote {
  return answer === null ? null : pyStr(answer).trim()
}

/** The judgement of a row from those of its samples. */
function together(judged: readonly Judgement[], voted: readonly number[], votes: readonly Vote[] | undefined): Judgement {
  // An undecided sample is neither right nor wrong: the mean is over the others.
  const scores = judged.map(({ score, undecided }) => (undecided ? Number.NaN : score))
  const decided = scores.filter((score) => !Number.isNaN(score))
  const isVoted = voted.length > 0 && votes !== undefined
  const keep: KeptSamples = {
    scores,
    kept: judged.map((one) => one.keep),
    ...(isVoted ? { majority: voted.map((k) => (k > votes.length ? Number.NaN : majorityAtK(votes, scores, k))) } : {}),
  }
  const detail = { samples: judged.map((one) => one.detail), ...(isVoted ? majorityDetail(votes, scores) : {}) }
  const said = judged.flatMap(({ verdicts = [] }) => verdicts)
  const rest = { detail, keep, ...(said.length > 0 ? { verdicts: said } : {}) }
  return decided.length === 0 ? { score: 0, undecided: true, ...rest } : { score: meanOf(decided), ...rest }
}

/** The winning answer, for the record. */
function majorityDetail(votes: readonly Vote[], scores: readonly number[]): Record<string, PyValue> {
  const won = majorityOf(votes, scores)
  if (!won) return { majority: null }
  return { majority: { answers: won.answers, votes: won.votes, score: Number.isNaN(won.score) ? null : won.score } }
}

/** Means over the rows whose majority answer is decided. */
function majorities(rows: readonly KeptSamples[], voted: readonly number[]): Figures {
  return Object.fromEntries(
    voted.flatMap((k, place) => {
      const known = rows.flatMap(({ majority }) => (majority === undefined || Number.isNaN(majority[place]) ? [] : majority[place]!))
      return known.length === 0 ? [] : [[`majority@${k}`, 100 * meanOf(known)] as const]
    }),
  )
}

/** Means over all rows, in percent, for evaluators that know right and wrong. */
function passes(rows: readonly KeptSamples[], n: number, ks: readonly number[], known: Map<number, Figures>): Figures {
  const figures = rows.map(({ scores }): Figures => {
    const c = scores.filter((score) => score === 1).length
    const found = known.get(c)
    if (found) return found
    const simple = ks.filter((k) => k <= n).map((k) => [`pass@${k}`, passAtK({ n, c, k })] as const)
    const made = { ...Object.fromEntries(simple), ...passFigures(n, c, ks) }
    known.set(c, made)
    return made
  })
  return Object.fromEntries(Object.keys(figures[0] ?? {}).map((key) => [key, 100 * meanOf(figures.map((one) => one[key]!))]))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
