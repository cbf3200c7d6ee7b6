import { isList, type PyValue, pyStr } from '../../../base/python/index.ts'
import { figuresOf } from './evaluate-answers.ts'
import type { Answer, Evaluator, Figures, Judgement } from './evaluator.ts'
import { majorityAtK, majorityOf, type Vote } from './majority.ts'
import { passAtK } from './pass-at-k.ts'
import { passFigures } from './replicas.ts'

/** Of one row: the scores of its samples, what the evaluator kept of each, and how right their majority is for each k. */
export type KeptSamples = { scores: readonly number[]; kept: readonly unknown[]; majority?: readonly number[] }

export type SampleOptions = {
  /** How many answers each row has. */
  n: number
  /** For pass@k, majority@k and G-Pass@k. */
  k: readonly number[]
}

/**
 * An evaluator for rows that were asked n times: their prediction is a list. Its figure is the mean of the n runs, as
 * OpenCompass names it; where answers are right or wrong, pass@k, majority@k and G-Pass@k come besides.
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
            // What one throws at once waits for the others: a promise that is given up is rejected with nobody to see it.
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
        // Of a run in which nothing was decided there are no figures, unless it is so with all of them.
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
      return { ...Object.fromEntries(averages), ...(evaluator.kind === 'verdict' ? passes(rows, n, k) : {}), ...majorities(rows, voted) }
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

/** Only answers can be voted on, and each program is another one. */
function isVotedOn({ kind, runs }: Evaluator<unknown>): boolean {
  return kind === 'verdict' && !runs
}

/** What each sample votes for; undefined where only a judge's words are known. */
function votesOf({ votes, prediction }: Answer, { asks }: Evaluator<unknown>): readonly Vote[] | undefined {
  if (votes) return votes
  return asks || !isList(prediction) ? undefined : prediction.map(voteFor)
}

/** What an answer votes for. */
export function voteFor(answer: PyValue): Vote {
  return answer === null ? null : pyStr(answer).trim()
}

/** What is said of a row whose samples were judged. */
function together(judged: readonly Judgement[], voted: readonly number[], votes: readonly Vote[] | undefined): Judgement {
  // Nobody knows of a sample that was not decided whether it is right: the mean is that of the others.
  const scores = judged.map(({ score, undecided }) => (undecided ? Number.NaN : score))
  const decided = scores.filter((score) => !Number.isNaN(score))
  const isVoted = voted.length > 0 && votes !== undefined
  const keep: KeptSamples = {
    scores,
    kept: judged.map((one) => one.keep),
    ...(isVoted ? { majority: voted.map((k) => (k > votes.length ? Number.NaN : majorityAtK(votes, scores, k))) } : {}),
  }
  const detail = { samples: judged.map((one) => one.detail), ...(isVoted ? majorityDetail(votes, scores) : {}) }
  return decided.length === 0 ? { score: 0, undecided: true, detail, keep } : { score: meanOf(decided), detail, keep }
}

/** Which answer won, for the record. */
function majorityDetail(votes: readonly Vote[], scores: readonly number[]): Record<string, PyValue> {
  const won = majorityOf(votes, scores)
  if (!won) return { majority: null }
  return { majority: { answers: won.answers, votes: won.votes, score: Number.isNaN(won.score) ? null : won.score } }
}

/** Means over the rows of which it is known whether the answer that won is right. */
function majorities(rows: readonly KeptSamples[], voted: readonly number[]): Figures {
  return Object.fromEntries(
    voted.flatMap((k, place) => {
      const known = rows.flatMap(({ majority }) => (majority === undefined || Number.isNaN(majority[place]) ? [] : majority[place]!))
      return known.length === 0 ? [] : [[`majority@${k}`, 100 * meanOf(known)] as const]
    }),
  )
}

/** Means over all rows, in per cent, for evaluators that know right and wrong. */
function passes(rows: readonly KeptSamples[], n: number, ks: readonly number[]): Figures {
  const figures = rows.map(({ scores }): Figures => {
    const c = scores.filter((score) => score === 1).length
    const simple = ks.filter((k) => k <= n).map((k) => [`pass@${k}`, passAtK({ n, c, k })] as const)
    return { ...Object.fromEntries(simple), ...passFigures(n, c, ks) }
  })
  return Object.fromEntries(Object.keys(figures[0] ?? {}).map((key) => [key, 100 * meanOf(figures.map((one) => one[key]!))]))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
