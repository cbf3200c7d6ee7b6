import { isList, type PyValue, parseJson, pyStr } from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import { defineJudgePostprocessor, fieldOf } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { guardedPattern, search } from '../../../../python/regex/index.ts'
import { Tally } from './tally-by-name.ts'

type Ranked = { isFirstBetter: boolean; first: string; group: string; baselines: PyValue | undefined }

export const alpacaEval = defineJudgePostprocessor({
  names: ['alpacaeval', 'alpacaeval_postprocess'],
  does: "AlpacaEval's choice, the first character m (the answer shown first) or M (the second): how often the model wins against the base models, in total and for each `capability`.",
  example: {
    judged: [
      { said: 'M', gold: { answer1: 'base', answer2: 'mine', capability: 'math' } },
      { said: 'm', gold: { answer1: 'base', answer2: 'mine', capability: 'math' } },
    ],
    figures: { total: 50, math: 50 },
  },
  metric: 'total',
  unit: 'percent',
  kind: 'graded',
  compares: true,
  read({ said, gold }): Ranked | undefined {
    if (said[0] !== 'm' && said[0] !== 'M') return undefined
    const [first, group] = ['answer1', 'capability'].map((name) => pyStr(fieldOf(gold, name) ?? null)) as [string, string]
    return { isFirstBetter: said[0] === 'm', first, group, baselines: fieldOf(gold, 'base_models') }
  },
  score: ({ isFirstBetter }) => Number(isFirstBetter),
  figures(kept) {
    const [{ baselines = kept[0]!.first }] = kept as [Ranked]
    const bases = (isList(baselines) ? baselines : [baselines]).map((one) => pyStr(one))
    const tally = new Tally()
    for (const { isFirstBetter, first, group } of kept)
      for (const name of ['total', group]) tally.add(name, Number(isFirstBetter !== bases.includes(first)))
    return tally.means({ scale: 100, digits: 2 })
  },
})

const kinds: Readonly<Record<string, string>> = {
  'Question Correction': 'QC',
  'Intentional Textual Flaws': 'ITF',
  'Code without Comments': 'CC',
  'Counter-Conventional Formatting': 'CCF',
  'Deliberately Incorrect Answers': 'DIA',
  'Instructional Induction': 'II',
  'Mid-turn Instruction Modification': 'MIM',
  'Counterfactual Answering': 'CA',
}

type Scored = { score: number | undefined; language: string; kind: string }

export const inverseIfEval = defineJudgePostprocessor({
  names: ['inverse_ifeval_judge_postprocess'],
  does: "Inverse IFEval's `answer_score` of 0 or 1, in a block of JSON or in words: the share of 1, of all rows and of each language and kind of instruction; unreadable replies count as 0.",
  example: {
    judged: [{ said: '{"answer_score": 1}', row: { language: 'en', instruction_types: 'Question Correction' } }, { said: 'fine' }],
    figures: { accuracy: 50, en_QC_accuracy: 100, parse_error_count: 1 },
  },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read: ({ said, row }): Scored => {
    const text = (name: string) => pyStr(fieldOf(row, name) ?? '')
    return { score: answerScore(said), language: text('language'), kind: text('instruction_types') }
  },
  score: ({ score }) => score ?? 0,
  figures(scored) {
    const unread = scored.filter(({ score }) => score === undefined).length
    const share = (rows: readonly Scored[]) => (rows.filter(({ score }) => score === 1).length / rows.length) * 100
    const groups = (keyOf: (row: Scored) => string | undefined) => {
      const found = new Map<string, Scored[]>()
      for (const row of scored) {
        const name = keyOf(row)
        if (name) found.set(name, [...(found.get(name) ?? []), row])
      }
      const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
      return sorted.map(([name, rows]) => ({ [`${name}_accuracy`]: share(rows), [`${name}_count`]: rows.length }))
    }
    const short = ({ kind }: Scored) => ownEntry(kinds, kind) ?? kind
    return Object.assign(
      {
        accuracy: share(scored),
        correct_count: scored.filter(({ score }) => score === 1).length,
        total: scored.length,
        parse_error_count: unread,
        parse_error_rate: (unread / scored.length) * 100,
      },
      ...groups(({ language }) => language),
      ...groups(short),
      ...groups((row) => (row.language && row.kind ? `${row.language}_${short(row)}` : undefined)),
    )
  },
})

/** The score in a block of JSON, else in words. */
function answerScore(said: string): number | undefined {
  const blocks = [...guardedPattern('```(?:json)?\\s*([\\s\\S]*?)```', { ignoreCase: true }).all(said)].map(
    ({ groups: [block = ''] }) => block ?? '',
  )
  const objects = [...guardedPattern(String.raw`\{[\s\S]*?answer_score[\s\S]*?\}`).all(said)].map(({ text }) => text)
  for (const candidate of [...blocks, ...objects]) {
    const score = scoreIn(candidate.trim())
    if (score !== undefined) return score
  }
  const patterns = [
    String.raw`"answer_score"\s*:\s*"?([01])"?`,
    String.raw`answer_score\s*[:：]\s*"?([01])"?`,
    String.raw`【评分】\s*[:：]\s*([01])\s*分`,
    String.raw`评分\s*[:：]\s*([01])\s*分`,
  ]
  for (const pattern of patterns) {
    const found = search(pattern, said)?.[1]
    if (found !== undefined) return Number(found)
  }
  return undefined
}

function scoreIn(json: string): number | undefined {
  try {
    const score = pyStr(fieldOf(parseJson(json), 'answer_score') ?? '').trim()
    return ['0', '1', '0.0', '1.0', 'True', 'False'].includes(score) ? Number(score.startsWith('1') || score === 'True') : undefined
  } catch {
    return undefined
  }
}
