import { dictEntries, floatOf, intOf, isDict, isList, type PyValue, strip } from '@rolecall/core/internal/python'
import * as z from 'zod'
import { defineJudgePostprocessor, fieldOf } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { guardedPattern, search } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { escapeLoneBackslashes, jsonOf } from '../json-repair.ts'
import { checklistWeights } from './hellobench-weights.ts'
import { meanOf, Tally } from './tally-by-name.ts'

type Followed = { level: number; hard: number; soft: number } | { level: number; hard: undefined }

const refusals = ['NO', 'False', 'PARTIAL', 'MAYBE', 'UNKNOWN', 'N/A']

/** How many constraints are met according to the last line; undefined if it cannot be parsed. */
function constraintsMet(said: string, level: number): number | undefined {
  const line = strip(strip(said, '`')).split('\n').at(-1)!
  if (level === 1) return line.includes('YES') ? 1 : line.includes('NO') ? 0 : undefined
  const list = readLiteral(guardedPattern(String.raw`\[.*\]`).first(line)?.text ?? '')
  if (!isList(list) || list.length !== level) return undefined
  const met = list.map((one) => (one === 'YES' || one === 'True' ? 1 : refusals.includes(one as string) ? 0 : undefined))
  return met.includes(undefined) ? undefined : met.reduce<number>((sum, one) => sum + one!, 0)
}

export const followbench = defineJudgePostprocessor({
  names: ['followbench', 'followbench_postprocess'],
  does: 'The last line: YES or NO for level 1, else a list with a word for each constraint of the `level`. HSR is the share of answers that meet all, SSR of constraints that are met, by level and on average, for groups of five rows.',
  example: {
    judged: [1, 2, 3, 4, 5].map((level) => ({ said: level === 1 ? 'YES' : `[${Array(level).fill("'YES'").join(', ')}]`, gold: { level } })),
    figures: { HSR_AVG: 1, SSR_AVG: 1 },
  },
  metric: 'HSR_AVG',
  unit: 'share',
  kind: 'graded',
  read({ said, gold }): Followed {
    const level = Number(floatOf(fieldOf(gold, 'level')) ?? 0)
    const met = constraintsMet(said, level)
    return met === undefined ? { level, hard: undefined } : { level, hard: Number(met === level), soft: met / level }
  },
  score: (kept) => (kept.hard === undefined ? 0 : kept.soft),
  figures(kept) {
    const levels = [1, 2, 3, 4, 5].map((level) => {
      const rows = kept.filter((one) => one.level === level)
      const read = rows.filter((one) => one.hard !== undefined)
      // The reference divides by the number of groups minus the level's unparsable rows, which may be too small.
      const groups = Math.floor(kept.length / 5) - (rows.length - read.length)
      const sum = (of: 'hard' | 'soft') => read.reduce((total, one) => total + (one as { hard: number; soft: number })[of], 0)
      return groups === 0 ? { hard: 0, soft: 0 } : { hard: sum('hard') / groups, soft: sum('soft') / groups }
    })
    return {
      HSR_AVG: meanOf(levels.map(({ hard }) => hard)),
      SSR_AVG: meanOf(levels.map(({ soft }) => soft)),
      ...Object.fromEntries(levels.map(({ hard }, index) => [`HSR_L${index + 1}`, hard])),
      ...Object.fromEntries(levels.map(({ soft }, index) => [`SSR_L${index + 1}`, soft])),
    }
  },
})

/** The marks of a checklist, each from 0 to 1, one per entry; undefined otherwise. */
function checklistMarks(said: string, length: PyValue | undefined): number[] | undefined {
  const plain = ['```json', '```python', '```', '\n', '\\'].reduce((text, part) => text.replaceAll(part, ''), said)
  const list = jsonOf(plain)
  if (!isList(list) || list.length !== floatOf(length)) return undefined
  const marks = list.map((entry) =>
    intOf(fieldOf(entry, 'checklist_id')) === undefined ? undefined : floatOf(fieldOf(entry, 'evaluation_score')),
  )
  return marks.every((mark) => mark !== undefined && mark >= 0 && mark <= 1) ? (marks as number[]) : undefined
}

export const hellobench = defineJudgePostprocessor({
  names: ['hellobench', 'hellobench_postprocess'],
  does: "HelloBench's checklist as JSON, a mark from 0 to 1 for each entry: weighted by `subcategory`, and rescaled so that 75 points are 0 and 100 are 100.",
  example: {
    judged: [
      {
        said: JSON.stringify([0, 1, 2, 3, 4].map((id) => ({ checklist_id: id, evaluation_score: 1 }))),
        gold: { num_checklist: 5, subcategory: 'continuation' },
      },
    ],
    figures: { overall_score: 100 },
  },
  metric: 'overall_score',
  unit: 'points',
  kind: 'graded',
  read({ said, gold }) {
    const marks = checklistMarks(said, fieldOf(gold, 'num_checklist'))
    const weights = checklistWeights[String(fieldOf(gold, 'subcategory'))]
    if (!marks || weights?.length !== marks.length) return undefined
    return (marks.reduce((sum, mark, index) => sum + mark * weights[index]!, 0) - 75) * 4
  },
  score: (points) => Math.min(1, Math.max(0, (points / 4 + 75) / 100)),
  figures: (points) => ({ overall_score: meanOf(points) }),
  detail: (_, points) => ({ rescaled_score: points ?? null }),
})

type Rubrics = { satisfied: 'YES' | 'NO' | 'PARSE_ERROR'; passed: number; all: number }

function rubricsOf(said: string): { satisfied: Rubrics['satisfied']; checks: readonly [string, PyValue][] } {
  const start = said.indexOf('{')
  const key = said.indexOf('"SATISFIED_ALL_REQUIREMENTS"', start)
  const end = said.lastIndexOf('}')
  const json = start >= 0 && key > start && end > key ? jsonOf(said.slice(start, end + 1)) : undefined
  const checks = fieldOf(json, 'rubrics_check')
  const found = { checks: isDict(checks) ? dictEntries(checks) : [] }
  const verdict = fieldOf(json, 'SATISFIED_ALL_REQUIREMENTS')
  const word = typeof verdict === 'string' ? strip(verdict).toUpperCase() : ''
  if (word === 'YES' || word === 'NO') return { ...found, satisfied: word }
  const named = search(String.raw`(?i)"SATISFIED_ALL_REQUIREMENTS"\s*:\s*"(YES|NO)"`, said)?.[1]?.toUpperCase()
  return { ...found, satisfied: (named as 'YES' | 'NO' | undefined) ?? 'PARSE_ERROR' }
}

export const advancedIf = defineJudgePostprocessor({
  names: ['advancedif_rubric_postprocess'],
  ofNothing: {
    accuracy: 0,
    micro_pass_rate: 0,
    correct_count: 0,
    total: 0,
    total_rubrics: 0,
    passed_rubrics: 0,
    parse_error_count: 0,
    parse_error_rate: 0,
  },
  does: 'JSON with `rubrics_check` and SATISFIED_ALL_REQUIREMENTS: the share of answers that satisfy all, and of rubrics that are met.',
  example: {
    judged: [{ said: '{"rubrics_check": {"q1": "Yes", "q2": "No"}, "SATISFIED_ALL_REQUIREMENTS": "NO"}' }],
    figures: { accuracy: 0, micro_pass_rate: 50 },
  },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read({ said }): Rubrics {
    const { satisfied, checks } = rubricsOf(said)
    return {
      satisfied,
      passed: checks.filter(([, check]) => typeof check === 'string' && check.toLowerCase().includes('yes')).length,
      all: checks.length,
    }
  },
  score: ({ satisfied }) => Number(satisfied === 'YES'),
  figures(kept) {
    const sum = (of: (one: Rubrics) => number) => kept.reduce((total, one) => total + of(one), 0)
    const [right, failed] = [
      sum(({ satisfied }) => Number(satisfied === 'YES')),
      sum(({ satisfied }) => Number(satisfied === 'PARSE_ERROR')),
    ]
    const [passed, all] = [sum((one) => one.passed), sum((one) => one.all)]
    return {
      accuracy: (right / kept.length) * 100,
      micro_pass_rate: all > 0 ? (passed / all) * 100 : 0,
      correct_count: right,
      total: kept.length,
      total_rubrics: all,
      passed_rubrics: passed,
      parse_error_count: failed,
      parse_error_rate: (failed / kept.length) * 100,
    }
  },
  detail({ said }) {
    const { satisfied, checks } = rubricsOf(said)
    return { prediction: said, satisfied, rubrics_check: new Map(checks), correct: satisfied === 'YES' }
  },
})

/** Strips the code fence. */
function withoutFence(said: string): string {
  let text = strip(said)
  if (text.startsWith('```json')) text = text.slice('```json'.length)
  else if (text.startsWith('```')) text = text.slice('```'.length)
  return strip(text.endsWith('```') ? text.slice(0, -'```'.length) : text)
}

function overallScore(said: string): number {
  const text = withoutFence(said)
  const written = fieldOf(jsonOf(text), 'Overall Score')
  if (typeof written === 'string') return Number(intOf(written) ?? 0)
  if (written !== undefined) return Math.trunc(floatOf(written) ?? 0)
  const named = search(String.raw`(?i)"?Overall Score"?\s*:\s*([01])`, text) ?? search(String.raw`(?i)\b([01])\s*points?\b`, text)
  return Number(named?.[1] ?? 0)
}

const truthy = (value: PyValue | undefined) => (value === undefined || value === null || value === '' || value === 0 ? undefined : value)

export const clbenchJudge = defineJudgePostprocessor({
  names: ['clbench_llmjudge_postprocess'],
  ofNothing: { accuracy: 0, solving_rate: 0, correct_count: 0, total_count: 0 },
  does: 'CL-bench\'s "Overall Score" of 0 or 1, in JSON or after its name: the share of ones, of all and of each `context_category`.',
  example: { judged: [{ said: '{"Overall Score": 1}', row: { context_category: 'Law' } }], figures: { accuracy: 100, solving_rate: 1 } },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read({ said, row }) {
    const category = truthy(fieldOf(row, 'context_category')) ?? truthy(fieldOf(fieldOf(row, 'metadata'), 'context_category')) ?? 'Unknown'
    return { right: overallScore(said) === 1, category: String(category) }
  },
  score: ({ right }) => Number(right),
  figures(kept) {
    const right = kept.filter((one) => one.right).length
    const tally = new Tally()
    for (const one of kept) tally.add(one.category, Number(one.right))
    return {
      accuracy: (right / kept.length) * 100,
      solving_rate: right / kept.length,
      correct_count: right,
      total_count: kept.length,
      ...tally.means({ scale: 100, name: (category) => `category_accuracy.${category}` }),
    }
  },
  detail: ({ said, row, index }, kept) => ({
    task_id: truthy(fieldOf(row, 'task_id')) ?? truthy(fieldOf(fieldOf(row, 'metadata'), 'task_id')) ?? index,
    context_category: kept?.category ?? 'Unknown',
    pred: fieldOf(row, 'prediction') ?? '',
    rubrics: fieldOf(row, 'rubrics') ?? [],
    origin_grade_response: said,
    score: Number(kept?.right ?? false),
    correct: kept?.right ?? false,
  }),
})

type LongContext = { judgement: 'CORRECT' | 'INCORRECT' | 'UNKNOWN'; category: string }

export const aaLcr = defineJudgePostprocessor({
  names: ['aa_lcr_llmjudge_postprocess'],
  ofNothing: { accuracy: 0, correct_count: 0, incorrect_count: 0, unknown_count: 0, total: 0 },
  does: 'INCORRECT or CORRECT as a word, in that order: the share of the correct, of all and of each `document_category`; anything else is unknown, and not correct.',
  example: { judged: [{ said: 'CORRECT' }, { said: 'unclear' }], figures: { accuracy: 50, unknown_count: 1 } },
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read({ said, row }): LongContext {
    const words = strip(said).toUpperCase()
    const judgement = search(String.raw`\bINCORRECT\b`, words)
      ? 'INCORRECT'
      : search(String.raw`\bCORRECT\b`, words)
        ? 'CORRECT'
        : 'UNKNOWN'
    return { judgement, category: String(fieldOf(row, 'document_category') ?? 'unknown') }
  },
  score: ({ judgement }) => Number(judgement === 'CORRECT'),
  figures(kept) {
    const count = (wanted: string) => kept.filter(({ judgement }) => judgement === wanted).length
    const tally = new Tally()
    for (const { judgement, category } of kept) tally.add(category, Number(judgement === 'CORRECT'))
    const safe = (category: string) =>
      strip(
        guardedPattern(String.raw`\W+`).replace(category, () => '_'),
        '_',
      )
    return {
      accuracy: (count('CORRECT') / kept.length) * 100,
      correct_count: count('CORRECT'),
      incorrect_count: count('INCORRECT'),
      unknown_count: count('UNKNOWN'),
      total: kept.length,
      ...tally.means({ scale: 100, name: (category) => `accuracy_${safe(category)}` }),
    }
  },
  detail: ({ said, row, index }, kept) => ({
    id: index,
    question_id: fieldOf(row, 'question_id') ?? null,
    document_category: fieldOf(row, 'document_category') ?? 'unknown',
    document_set_id: fieldOf(row, 'document_set_id') ?? null,
    question: fieldOf(row, 'question') ?? null,
    gold: fieldOf(row, 'answer') ?? null,
    candidate_answer: fieldOf(row, 'prediction') ?? null,
    judge_response: said,
    judgement: kept?.judgement ?? 'UNKNOWN',
    correct: kept?.judgement === 'CORRECT',
  }),
})

const unread: PyValue = [{ label: 'C', explanation: 'Error processing judge output' }]

/** ATLAS's judgements: JSON in a code block, or starting at "judgements" or "label". */
export function atlasJudgements(said: string, thinkEnd = '</think>'): readonly PyValue[] {
  const text = said.split(thinkEnd).at(-1)!
  const block =
    guardedPattern('```json(.*?)```', { dotAll: true }).first(text) ?? guardedPattern('```(.*?)```', { dotAll: true }).first(text)
  const last = (mark: string) => text.split(mark).at(-1)!
  const json = block
    ? jsonOf(escapeLoneBackslashes(strip(block.groups[0] ?? '')))
    : (jsonOf(escapeLoneBackslashes(`{"judgements"${last('"judgements"')}`)) ??
      jsonOf(escapeLoneBackslashes(`{"judgements": [{"label"${last('"label"')}}]}`)))
  const judgements = isList(json) ? json : (fieldOf(json, 'judgements') ?? unread)
  return isList(judgements) ? judgements : [judgements]
}

export const atlasJudge = defineJudgePostprocessor({
  names: ['atlas_judge_postprocess'],
  does: 'JSON with a `label` for each answer, right where all of them are A; what cannot be read is wrong.',
  example: { judged: [{ said: '```json\n{"judgements": [{"label": "A"}]}\n```' }, { said: 'no JSON' }], figures: { accuracy: 50 } },
  options: z.strictObject({
    think_tags: z
      .tuple([z.string(), z.string()])
      .default(['<think>', '</think>'])
      .describe('Where thinking begins and ends; the judgement follows the last end.'),
  }),
  metric: 'accuracy',
  unit: 'percent',
  kind: 'verdict',
  read: ({ said }, { think_tags: [, end] }) => Number(atlasJudgements(said, end).every((one) => fieldOf(one, 'label') === 'A')),
  score: (right) => right,
  figures: (rights) => ({ accuracy: meanOf(rights) * 100 }),
})
