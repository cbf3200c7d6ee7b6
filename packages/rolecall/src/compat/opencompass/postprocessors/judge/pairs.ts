import { isList, type PyValue, pyRound, pyStr } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import * as z from 'zod'
import { defineJudgePostprocessor, fieldOf, type Judged } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { guardedPattern, search } from '../../../../python/regex/index.ts'
import { meanOf, Tally } from './tally-by-name.ts'
import { winRate } from './win-rate.ts'

/** The models that answered first and second, as the gold answer of a comparison names them. */
function modelsOf({ gold }: Judged): { first: string; second: string } {
  return { first: pyStr(fieldOf(gold, 'answer1')), second: pyStr(fieldOf(gold, 'answer2')) }
}

/** How much better this answer is than the other: from -1 to 1, as a share. */
const asShare = (gain: number) => (gain + 1) / 2

/** A against B, from -1 to 1: both notations. */
const gains: Readonly<Record<string, number>> = {
  'A>>B': 1,
  'B<<A': 1,
  'A>B': 0.5,
  'B<A': 0.5,
  'A=B': 0,
  'B=A': 0,
  'A<B': -0.5,
  'B>A': -0.5,
  'A<<B': -1,
  'B>>A': -1,
}

const bracketed = (said: string) => guardedPattern(String.raw`\[\[([AB<>=]+)\]\]`).first(said)?.groups[0]

type Compared = { verdict: string; first: string; second: string; group: string }

export const compassArenaPairwise = defineJudgePostprocessor({
  names: ['compassarena_subjectiveeval_pairwise', 'compassarena_subjectiveeval_pairwise_postprocess'],
  does: "CompassArena's comparison, [[A>B]] to [[A<<B]]: how much better than the first row's first model the other one is, from -100 to 100, on average and for each `category` and `difficulty`.",
  example: {
    judged: [{ said: '[[A<B]]', gold: { answer1: 'base', answer2: 'mine', category: '数学', difficulty: '初级' } }],
    figures: { Average_score: 50, 数学_初级: 50 },
  },
  metric: 'Average_score',
  unit: 'points',
  kind: 'graded',
  compares: true,
  read(judged): Compared | undefined {
    const verdict = bracketed(judged.said)
    const group = `${pyStr(fieldOf(judged.gold, 'category'))}_${pyStr(fieldOf(judged.gold, 'difficulty'))}`
    return verdict === undefined ? undefined : { verdict, ...modelsOf(judged), group }
  },
  score: ({ verdict }) => asShare(ownEntry(gains, verdict) ?? 0),
  figures(kept) {
    const base = kept[0]!.first
    const tally = new Tally()
    const scored = kept.flatMap(({ verdict, first, second, group }) => {
      const gain = ownEntry(gains, verdict)
      if (gain === undefined || (first !== base && second !== base)) return []
      return [{ group, score: first === base ? -gain : gain }]
    })
    for (const { score } of scored) tally.add('Average_score', score)
    for (const { group, score } of scored) tally.add(group, score)
    return tally.means({ scale: 100, digits: 3 })
  },
})

type Chosen = Compared & { question: string }

export const compassArena = defineJudgePostprocessor({
  names: ['compassarena', 'compassarena_postprocess'],
  does: 'CompassArena\'s choice, "Choice: A" or 选择：A: how often the second model of the first row wins, for each `capability`; `position_bias` counts questions where the judge chose the same place twice.',
  example: {
    judged: [{ said: 'Choice: B', gold: { answer1: 'base', answer2: 'mine', capability: 'math', question: 'q' } }],
    figures: { math: 100, position_bias: 0 },
  },
  options: z.strictObject({
    summary_type: z.string().default('single').describe('`half_add`: a tie counts half for both.'),
    check_pos_bias: z.boolean().default(true).describe('Count questions where the judge chose the same place twice.'),
  }),
  metric: 'position_bias',
  unit: 'questions',
  kind: 'graded',
  compares: true,
  read(judged): Chosen | undefined {
    const verdict = search('(?:选择：|Choice: )([ABC])', judged.said)?.[1]
    if (verdict === undefined) return undefined
    return {
      verdict,
      ...modelsOf(judged),
      group: pyStr(fieldOf(judged.gold, 'capability')),
      question: pyStr(fieldOf(judged.gold, 'question')),
    }
  },
  score: ({ verdict }) => (verdict === 'A' ? 1 : verdict === 'B' ? 0 : 0.5),
  figures(kept, { summary_type: ties, check_pos_bias: checks }) {
    const model = kept[0]!.first
    const tally = new Tally()
    for (const { verdict, first, group } of kept) {
      const wins = verdict === 'C' ? (ties === 'half_add' ? 0.5 : 0) : Number((verdict === 'B') === (first === model))
      tally.add(group, wins)
    }
    return { ...tally.means({ scale: 100, digits: 2 }), position_bias: checks ? positionBias(kept) : 0 }
  },
})

/** How often a later comparison of a question prefers the same position as its first one; ties do not count. */
function positionBias(kept: readonly Chosen[]): number {
  const choices = new Map<string, string>()
  let same = 0
  for (const { question, verdict } of kept) {
    const before = choices.get(question)
    if (before === undefined) choices.set(question, verdict)
    else if (before === verdict && verdict !== 'C') same++
  }
  return same
}

/** WildBench's tags, and the task names under which they are reported. */
const wildTasks: Readonly<Record<string, string>> = {
  'Information seeking': 'Information/Advice seeking',
  'Creative Writing': 'Creative Tasks',
  'Coding & Debugging': 'Coding & Debugging',
  Reasoning: 'Planning & Reasoning',
  Editing: 'Creative Tasks',
  Math: 'Math & Data Analysis',
  Planning: 'Planning & Reasoning',
  Brainstorming: 'Creative Tasks',
  'Role playing': 'Creative Tasks',
  'Advice seeking': 'Information/Advice seeking',
  'Data Analysis': 'Math & Data Analysis',
  Others: 'Creative Tasks',
}

const wildGains: Readonly<Record<string, number>> = { 'A++': 1, 'A+': 0.5, 'A=B': 0, 'B+': -0.5, 'B++': -1 }
const wildBaselines = ['HaiKu', 'gpt4-turbo', 'llama-2-70b-chat-hf']

type Wild = { gain: number | undefined; first: string; tasks: readonly string[]; baselines: PyValue | undefined }

export const wildbench = defineJudgePostprocessor({
  names: ['wildbench', 'wildbench_postprocess'],
  does: 'WildBench\'s choice, "choice": "A++" to "B++": how much better than the baselines a model is, from -100 to 100, for each task and on average over them.',
  example: {
    judged: [{ said: '{"choice": "B+"}', gold: { answer1: 'HaiKu', answer2: 'mine', primary_tag: 'Math', secondary_tag: [] } }],
    figures: { 'Math & Data Analysis': 50, average: 50 },
  },
  metric: 'average',
  unit: 'points',
  kind: 'graded',
  compares: true,
  read(judged): Wild | undefined {
    const choice = guardedPattern('"choice": "(.*?)"').first(judged.said)?.groups[0]
    if (choice === undefined) return undefined
    const second = fieldOf(judged.gold, 'secondary_tag')
    const tags = [fieldOf(judged.gold, 'primary_tag'), ...(isList(second) ? second : [])]
    const tasks = tags.map((tag) => ownEntry(wildTasks, pyStr(tag)) ?? pyStr(tag))
    return { gain: ownEntry(wildGains, choice), first: modelsOf(judged).first, tasks, baselines: fieldOf(judged.gold, 'base_models') }
  },
  score: ({ gain }) => asShare(gain ?? 0),
  figures(kept) {
    const named = kept[0]!.baselines
    const baselines: readonly PyValue[] = named === undefined ? wildBaselines : isList(named) ? named : [named]
    const tally = new Tally()
    for (const { gain, first, tasks } of kept) {
      if (gain === undefined) continue
      for (const task of tasks) tally.add(task, baselines.includes(first) ? -gain : gain)
    }
    const tasks = tally.means({ scale: 100, digits: 2 })
    return { ...tasks, average: meanOf(Object.values(tasks)) }
  },
})

/** The number of battles that a verdict counts as; B<A and the like count as zero. */
const battles: Readonly<Record<string, { gain: number; times: number }>> = {
  'A=B': { gain: 0, times: 1 },
  'A>B': { gain: 1, times: 1 },
  'A>>B': { gain: 1, times: 3 },
  'B>A': { gain: -1, times: 1 },
  'B>>A': { gain: -1, times: 3 },
}

export const arenaHard = defineJudgePostprocessor({
  names: ['arenahard', 'arenahard_postprocess'],
  ofNothing: { score: 0 },
  does: "Arena-Hard's comparison, [[A>B]] to [[B>>A]], which counts three times: how probably the model wins against the baseline, by the ratings of Bradley and Terry.",
  example: {
    judged: [
      { said: '[[A>B]]', gold: { answer1: 'gpt4-0314', answer2: 'mine' } },
      { said: '[[A>>B]]', gold: { answer1: 'mine', answer2: 'gpt4-0314' } },
    ],
    figures: { score: 75 },
  },
  options: z.strictObject({ base_model_name: z.string().default('gpt4-0314').describe('The baseline.') }),
  metric: 'score',
  unit: 'percent',
  kind: 'graded',
  compares: true,
  read(judged): Compared | undefined {
    const verdict = bracketed(judged.said)
    return verdict === undefined || !ownEntry(battles, verdict) ? undefined : { verdict, ...modelsOf(judged), group: '' }
  },
  score: ({ verdict }) => asShare(battles[verdict]!.gain),
  figures(kept, { base_model_name: base }) {
    const won = kept.map(({ verdict, first, second }) => ({ first, second, ...battles[verdict]! }))
    return { score: pyRound(winRate(won, base) * 100, 2) }
  },
})
