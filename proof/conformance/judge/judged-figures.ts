import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { dictGet, isList, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { plain } from '../scoring/vector.ts'
import type { JudgedRun } from './run-judged.ts'
import type { JudgeVector } from './vector.ts'

type Dict = Record<string, unknown>
type Figures = Record<string, number>

/** A row of a result: its name, and if the reference includes it, what the judge replied about each of its answers and how that was counted. */
type JudgedRow = { name: string; said?: unknown; counted?: readonly number[] }
export type JudgedResult = { figures: Figures; rows: readonly JudgedRow[] }

/** Metrics over several answers to a row, which the reference has only where its details say what is right. */
const overAnswers = /pass@|G-Pass@|majority@/i

/** Our result of a run. */
export function oursOf({ result, records }: JudgedRun, { rows }: JudgeVector): JudgedResult {
  if (result.value === undefined) {
    throw new PromptError('not-decided', { where: 'the run', problem: result.notes.map(({ text }) => text).join('; '), fix: 'none' })
  }
  const figures = Object.entries(result.figures ?? { [result.metric]: result.value }).filter(([name]) => !overAnswers.test(name))
  return {
    figures: Object.fromEntries(figures),
    rows: records.map(({ details = {} }, index) => {
      const samples = isList(details.samples ?? null) ? (details.samples as Dict[]) : [details]
      return {
        name: `${plain(dictGet(rows[index]! as never, 'subdivision'))}_${plain(dictGet(rows[index]! as never, 'idx'))}`,
        said: [plain(details.judge_said as PyValue)].flat().filter((one) => one !== null),
        counted: samples.map(({ correct, score }) => Number(correct ?? score)),
      }
    }),
  }
}

/** The reference's result; undefined if it has a message in place of figures. */
export function theirsOf(expected: Dict, n: number): JudgedResult | undefined {
  const { details, cascade_stats: stats, category_accuracy: categories, ...figures } = expected
  if ('error' in figures) return undefined
  return {
    figures: {
      ...(Object.fromEntries(Object.entries(figures).filter(([name]) => !overAnswers.test(name))) as Figures),
      ...(Array.isArray(stats) ? cascadeFigures(stats as Figures[], n) : {}),
      ...(Array.isArray(categories)
        ? Object.fromEntries(Object.entries(categories[0] as Figures).map(([name, figure]) => [`category_accuracy.${name}`, figure]))
        : {}),
    },
    rows: (details as Dict[]).map(rowOf),
  }
}

/** The means of the runs' statistics; the mode is a setting, and the final accuracy the metric. */
function cascadeFigures(stats: readonly Figures[], n: number): Figures {
  const names = Object.keys(stats[0]!).filter((name) => name !== 'parallel_mode' && name !== 'final_accuracy')
  return Object.fromEntries(
    names.map((name) => [
      n > 1 ? `${name} (${n} runs average)` : name,
      stats.reduce((sum, one) => sum + Number(one[name]), 0) / stats.length,
    ]),
  )
}

function rowOf(row: Dict): JudgedRow {
  const judged = row.llm_evaluation as readonly Dict[] | undefined
  const said = row.origin_grade_response ?? row.judge_response ?? row.prediction
  const counted = row.cascade_correct ?? row.is_correct ?? row.correct ?? row.score
  return {
    name: String(row.example_abbr),
    // The extracted letter is beside `is_correct`.
    ...('is_correct' in row ? {} : { said: 'cascade_correct' in row ? (judged ?? []).map(({ prediction }) => prediction) : said }),
    ...(Array.isArray(counted) ? { counted: counted.map(Number) } : {}),
  }
}

/** Our rows without what the reference does not say. */
export function withRowsOf(ours: JudgedResult, theirs: JudgedResult | undefined): JudgedResult {
  const rows = ours.rows.map((row, index) => {
    const known = theirs?.rows[index] ?? {}
    return Object.fromEntries(Object.entries(row).filter(([key]) => key in known)) as JudgedRow
  })
  return { ...ours, rows }
}
