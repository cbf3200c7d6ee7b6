import { fixed } from '../../evaluation/run/record/round.ts'
import type { Direction } from '../../evaluation/score/evaluate/metric.ts'
import type { WhyCause, WhyStep } from './cause-ledger.ts'
import type { WhyReport } from './explain.ts'

/** How a group averages its datasets: equally (macro), by their rows (micro), or in a way that its score does not show. */
export type GroupWeighting = 'datasets' | 'rows' | 'other'

/** One of two groups: its datasets, and the score that the run reported for it. */
export type GroupSide = {
  name: string
  model: string
  group: string
  /** The score and the scored rows of each dataset, by its name. */
  datasets: ReadonlyMap<string, { score: number; rows: number }>
  reported?: number | undefined
}

/** A dataset of both groups, under its name in each, explained. */
export type GroupMember = { first: string; second: string; report: WhyReport }

/** A part of the difference, with its rows in each dataset. */
export type GroupCause = Pick<WhyCause, 'step' | 'cause' | 'detail' | 'effect'> & {
  datasets: (Pick<WhyCause, 'effect' | 'gained' | 'lost' | 'changed' | 'unmatched' | 'onlySecond'> & { dataset: string })[]
}

/** Why the scores of two groups of datasets differ: causes whose parts add up to the difference. */
export type GroupReport = {
  first: GroupSubject
  second: GroupSubject
  difference: number
  /** That of the first dataset. */
  direction: Direction
  causes: GroupCause[]
  datasets: { first: string; second: string; scores: [number, number]; weights: [number, number]; effect: number }[]
  onlyFirst: string[]
  onlySecond: string[]
  notes: string[]
}

export type GroupSubject = {
  name: string
  model: string
  group: string
  datasets: number
  rows: number
  score: number
  weighting: GroupWeighting
}

/**
 * Explains a group from its datasets: each cause of a dataset counts with the weight of the dataset in the first run. Datasets of one run
 * only, and other weights, are causes as well.
 */
export function explainGroup(first: GroupSide, second: GroupSide, members: readonly GroupMember[]): GroupReport {
  const kinds = weightings(first, second)
  const common = [new Set(members.map((one) => one.first)), new Set(members.map((one) => one.second))] as const
  const scores = [first, second].map((side, index) => ({
    all: scoreOf(side, kinds[index]!),
    common: scoreOf(side, kinds[index]!, common[index]!),
    mean: weightedMean(side, kinds[index]!, common[index]!),
  })) as [SideScores, SideScores]
  const ledger = new Map<string, GroupCause>()
  const add = (step: WhyStep, cause: string, detail: string, effect: number): GroupCause => {
    const known = ledger.get(`${step} ${cause}`) ?? { step, cause, detail, effect: 0, datasets: [] }
    if (!known.detail.includes(detail)) known.detail = known.detail === '' ? detail : `${known.detail}; ${detail}`
    known.effect += effect
    ledger.set(`${step} ${cause}`, known)
    return known
  }
  const alone = [first, second].map((side, index) => [...side.datasets.keys()].filter((name) => !common[index]!.has(name))) as [
    string[],
    string[],
  ]
  for (const [index, names] of alone.entries()) {
    const { all, common: shared } = scores[index]!
    if (names.length > 0)
      add('rows', 'dataset subset', `only ${[first, second][index]!.name} has ${listed(names)}`, index === 0 ? shared - all : all - shared)
  }
  const datasets = members.map(({ first: one, second: other, report }) => {
    const weights: [number, number] = [weightOf(first, kinds[0], one, common[0]), weightOf(second, kinds[1], other, common[1])]
    const values: [number, number] = [first.datasets.get(one)!.score, second.datasets.get(other)!.score]
    for (const { step, cause, detail, effect, gained, lost, changed, unmatched, onlySecond } of report.causes) {
      const known = add(step, cause, detail.length > 80 ? '' : detail, weights[0] * effect)
      known.datasets.push({ dataset: one, effect: weights[0] * effect, gained, lost, changed, unmatched, onlySecond })
    }
    return { first: one, second: other, scores: values, weights, effect: weights[0] * (values[1] - values[0]) }
  })
  const reweighted = datasets.reduce((sum, { weights, scores: [, score] }) => sum + (weights[1] - weights[0]) * score, 0)
  // What a run reports beyond the mean of its datasets is part of how it weights them.
  const residues = scores[1].common - scores[1].mean - (scores[0].common - scores[0].mean)
  if (kinds[0] === 'rows' && kinds[1] === 'rows') {
    if (Math.abs(reweighted) > tiny) add('rows', 'row subset', 'datasets have other numbers of rows, which weight them', reweighted)
    if (Math.abs(residues) > tiny) add('gold and metric', 'weighting', residueText(first, second, scores), residues)
  } else if (kinds[0] !== kinds[1] || Math.abs(reweighted + residues) > tiny) {
    const change = kinds[0] === kinds[1] ? residueText(first, second, scores) : `${meanNames[kinds[0]]} → ${meanNames[kinds[1]]}`
    add('gold and metric', 'weighting', change, reweighted + residues)
  }
  return {
    first: subjectOf(first, kinds[0], scores[0].all),
    second: subjectOf(second, kinds[1], scores[1].all),
    difference: scores[1].all - scores[0].all,
    direction: members[0]?.report.direction ?? 'higher',
    causes: [...ledger.values()].sort((one, other) => Math.abs(other.effect) - Math.abs(one.effect)),
    datasets: datasets.sort((one, other) => Math.abs(other.effect) - Math.abs(one.effect)),
    onlyFirst: alone[0],
    onlySecond: alone[1],
    notes: [first, second].flatMap(({ name, reported, group }, index) =>
      reported === undefined ? [`${name} reports no score of ${group}: it is the ${meanNames[kinds[index]!]}`] : [],
    ),
  }
}

type SideScores = { all: number; common: number; mean: number }

const tiny = 1e-12
/** Reported scores are rounded. */
const rounding = 5e-4

const meanNames: Readonly<Record<GroupWeighting, string>> = {
  datasets: 'mean of datasets',
  rows: 'mean of rows',
  other: 'another mean than that of datasets or rows',
}

/** By the reported scores, the same for both if that fits; a group without one is averaged like the other, and equally if neither has one. */
function weightings(first: GroupSide, second: GroupSide): [GroupWeighting, GroupWeighting] {
  const [one, other] = [fittingWeightings(first), fittingWeightings(second)]
  const both = one.find((kind) => other.includes(kind))
  return both === undefined ? [one[0]!, other[0]!] : [both, both]
}

function fittingWeightings(side: GroupSide): GroupWeighting[] {
  const { datasets, reported } = side
  const known = ['datasets', 'rows'] as const
  if (reported === undefined) return [...known]
  const fitting = known.filter((kind) => Math.abs(weightedMean(side, kind, new Set(datasets.keys())) - reported) < rounding)
  return fitting.length > 0 ? fitting : ['other']
}

function scoreOf(side: GroupSide, kind: GroupWeighting, among?: ReadonlySet<string>): number {
  const all = new Set(side.datasets.keys())
  const mean = weightedMean(side, kind, among ?? all)
  if (kind !== 'other' || side.reported === undefined) return mean
  // The unknown part stays when datasets are left out.
  return mean + side.reported - weightedMean(side, kind, all)
}

function weightedMean(side: GroupSide, kind: GroupWeighting, among: ReadonlySet<string>): number {
  let sum = 0
  for (const [name, { score }] of side.datasets) if (among.has(name)) sum += weightOf(side, kind, name, among) * score
  return sum
}

/** The weight of a dataset among some; unknown weights are taken as equal, and the rest is a residue. */
function weightOf({ datasets }: GroupSide, kind: GroupWeighting, name: string, among: ReadonlySet<string>): number {
  if (kind !== 'rows') return 1 / among.size
  let all = 0
  for (const one of among) all += datasets.get(one)?.rows ?? 0
  return all === 0 ? 0 : (datasets.get(name)?.rows ?? 0) / all
}

function residueText(first: GroupSide, second: GroupSide, scores: readonly [SideScores, SideScores]): string {
  return [first, second]
    .map(
      ({ name }, index) =>
        `${name} reports ${fixed(scores[index]!.common, 4)}, and the mean of its datasets is ${fixed(scores[index]!.mean, 4)}`,
    )
    .join('; ')
}

function subjectOf({ name, model, group, datasets }: GroupSide, weighting: GroupWeighting, score: number): GroupSubject {
  const rows = [...datasets.values()].reduce((sum, one) => sum + one.rows, 0)
  return { name, model, group, datasets: datasets.size, rows, score, weighting }
}

function listed(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
