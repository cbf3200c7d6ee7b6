import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { promptText } from '@rolecall/core/internal/format'
import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import { hasUnread, namedAnswersTable } from '../../evaluation/run/record/answers-table.ts'
import { comparisonText } from '../../evaluation/run/record/compare-models.ts'
import { oneClusterText } from '../../evaluation/run/record/compare-rows.ts'
import { modelText, nameOf, type PairName } from '../../evaluation/run/record/pair-name.ts'
import { plainTable } from '../../evaluation/run/record/results-table.ts'
import { fixed } from '../../evaluation/run/record/round.ts'
import { differencesText, readingOf } from '../../evaluation/run/record/row-differences.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import { digitsOf } from '../../evaluation/run/record/show-metric.ts'
import type { ChangedRow, ComparedRuns } from '../../node/runs/compare-run-folders.ts'
import type { RunReader } from '../../node/runs/run-reader.ts'
import { colors, printable } from '../terminal.ts'

/** A changed row with its prompts, if they differ and are available. */
export type ShownRow = ChangedRow & { prompts?: { first: string; second: string } }

export type ShownComparison = { comparison: ComparedRuns[number]['comparison']; examples: readonly ShownRow[] }

/** Adds the prompts of rows whose prompts differ: as recorded, else rendered again. `notes` says which cannot be. */
export async function withPrompts(
  compared: ComparedRuns,
  runs: readonly [RunReader, RunReader],
): Promise<{ shown: ShownComparison[]; notes: Note[] }> {
  const notes: Note[] = []
  const shown: ShownComparison[] = []
  for (const { comparison, examples } of compared) {
    const differing = examples.filter(({ first, second }) => first.prompt_hash !== second.prompt_hash)
    const textsOf = (side: 0 | 1) => {
      const records = differing.map((row) => (side === 0 ? row.first : row.second))
      const note = (text: string) => notes.push({ code: 'no-prompts', where: runs[side].folder, text })
      return promptTexts(runs[side], pairOf(comparison, side), records, note)
    }
    const [first, second] = [await textsOf(0), await textsOf(1)]
    const rows = examples.map((row): ShownRow => {
      const texts = [first.get(row.first.id), second.get(row.second.id)]
      return texts[0] === undefined || texts[1] === undefined ? row : { ...row, prompts: { first: texts[0], second: texts[1] } }
    })
    shown.push({ comparison, examples: rows })
  }
  return { shown, notes }
}

/** The prompts of some rows of a pair, by row number. */
async function promptTexts(
  run: RunReader,
  name: PairName,
  records: readonly RowRecord[],
  note: (text: string) => void,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>()
  for (const { id, prompts } of records) if (prompts) texts.set(id, prompts.join('\n'))
  const lacking = records.filter(({ id }) => !texts.has(id)).sort((one, other) => one.id - other.id)
  if (lacking.length === 0) return texts
  try {
    for await (const { record, sent } of run.find(name)?.prompts(note, lacking) ?? [])
      if (sent)
        texts.set(record.id, sent.prompts.map((prompt) => (prompt.kind === 'chat' ? promptText(prompt) : sentText(prompt))).join('\n'))
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    note(`prompts cannot be rendered again: ${error.problem} (${error.where})`)
  }
  return texts
}

export function pairOf({ models, formats, dataset }: ShownComparison['comparison'], side: 0 | 1): PairName {
  return nameOf({ model: models[side], format: formats?.[side], dataset })
}

/** A comparison for the terminal: the difference, its basis, and some rows. */
export function showComparison({ comparison, examples }: ShownComparison): string {
  const models = [modelText(pairOf(comparison, 0)), modelText(pairOf(comparison, 1))]
  const { dataset, rows, better, worse, otherAnswers, otherPrompts, onlyInFirst, onlyInSecond } = comparison
  const names = models[0] === models[1] ? ['first', 'second'] : models
  const title = colors.bold(printable(`${[...new Set(models)].join(' → ')} on ${dataset}`))
  const counts = [
    `${rows} rows in both`,
    ...(onlyInFirst > 0 ? [`${onlyInFirst} only in the first`] : []),
    ...(onlyInSecond > 0 ? [`${onlyInSecond} only in the second`] : []),
    ...(comparison.excluded === undefined ? [] : [`${comparison.excluded} excluded by a reviewer, counted nowhere`]),
    `${worse.length} worse`,
    `${better.length} better`,
    `${otherAnswers} with another answer and the same score`,
    `${otherPrompts} sent another prompt`,
    ...(comparison.failedInFirst > 0 ? [`${comparison.failedInFirst} failed in the first only`] : []),
    ...(comparison.failedInSecond > 0 ? [`${comparison.failedInSecond} failed in the second only`] : []),
  ]
  const lines = differenceLines(comparison, names[0]!, names[1]!).map(printable)
  const what = colors.bold(printable(differencesText(comparison.differs, rows)))
  return [title, what, ...lines, counts.join(', '), ...answerLines(comparison), ...examples.map((row) => showRow(row))].join('\n')
}

/** Outcomes of the answers in both runs, unless all were parsed. */
function answerLines({ answers = [undefined, undefined] }: ShownComparison['comparison']): string[] {
  if (!answers.some((one) => one && hasUnread(one))) return []
  const lines = answers.flatMap((one, side) => (one ? [[side === 0 ? 'first' : 'second', one] as const] : []))
  return [plainTable(namedAnswersTable(lines), { ...colors, printable })]
}

function differenceLines(
  { metrics, figures, comparison, oneCluster, unit }: ShownComparison['comparison'],
  first: string,
  second: string,
): string[] {
  if (metrics) return [`the first is scored by ${metrics[0]}, the second by ${metrics[1]}; \`rolecall score\` scores a run again`]
  if (oneCluster !== undefined) return [oneClusterText(oneCluster)]
  if (!comparison) return ['no row has a score in both']
  const difference = comparisonText({ ...comparison, first, second, firstFormat: undefined, secondFormat: undefined })
  if (!figures) return [difference]
  // Resampling would need the evaluator, which is not recorded; only row scores are known.
  const [before, after] = [figures.first, figures.second].map((value) => fixed(value, digitsOf(unit)))
  return [
    `${figures.metric} ${before} in the first, ${after} in the second. This metric is not a mean of row scores, which differ as follows:`,
    difference,
  ]
}

/** Lists pairs that only one run has. */
export function showUnmatched({ first, second }: { first: readonly string[]; second: readonly string[] }): string[] {
  return [
    ...(first.length > 0 ? [printable(`only in the first run: ${first.join(', ')}`)] : []),
    ...(second.length > 0 ? [printable(`only in the second run: ${second.join(', ')}`)] : []),
  ]
}

const maxCharacters = 200

function showRow({ change, differs, first, second, prompts }: ShownRow): string {
  const sign = { better: colors.green('better'), worse: colors.red('worse'), otherwise: colors.yellow('same score') }[change]
  const place = first.id === second.id ? `row ${first.id}` : `row ${first.id}, now ${second.id}`
  const about = differs.length === 0 ? '' : colors.dim(`: another ${differs.join(', ')}`)
  const lines = [
    ...twice('gold', first.gold, second.gold),
    ...(differs.includes('answer') ? diff('answer', pyStr(first.prediction), pyStr(second.prediction)) : once('answer', first.prediction)),
    ...twice('read', readingOf(first), readingOf(second)),
    ...twice('outcome', outcomeOf(first), outcomeOf(second)),
    ...(differs.includes('score') ? [`    score   ${shownScore(first)} → ${shownScore(second)}`] : []),
    ...(prompts ? diff('prompt', prompts.first, prompts.second) : []),
  ]
  return [`  ${sign} ${place}${about}`, ...lines].join('\n')
}

/** One value if both runs agree, else both. */
function twice(name: string, first: PyValue | undefined, second: PyValue | undefined): string[] {
  const [one, other] = [first, second].map((value) => (value === undefined ? undefined : cut(pyStr(value))))
  if (one === undefined && other === undefined) return []
  return [`    ${name.padEnd(7)} ${one === other ? one : `${one ?? '–'} → ${other ?? '–'}`}`]
}

function once(name: string, value: PyValue): string[] {
  return [`    ${name.padEnd(7)} ${cut(pyStr(value))}`]
}

/** Two single lines, or the differing lines of longer texts. */
function diff(name: string, first: string, second: string): string[] {
  const areShort = ![first, second].some((text) => text.includes('\n'))
  const lines: readonly ChangedLine[] = areShort
    ? [
        { sign: '-', text: first },
        { sign: '+', text: second },
      ]
    : changedLines(first, second)
  if (lines.length === 0) return []
  const paint = { '-': colors.red, '+': colors.green, ' ': colors.dim }
  return [`    ${name}`, ...lines.map(({ sign, text }) => paint[sign](`    ${sign} ${cut(text)}`))]
}

/** The outcome of the answer, if recorded. */
function outcomeOf({ outcome, error }: RowRecord): string | undefined {
  if (outcome === undefined) return error === undefined ? undefined : 'failed'
  return typeof outcome === 'string' ? outcome : outcome.join(', ')
}

function shownScore({ score }: RowRecord): string {
  return score === undefined ? 'none' : Number.isInteger(score) ? String(score) : fixed(score, 4)
}

function cut(text: string): string {
  const shown = printable(text.replaceAll('\n', '⏎'))
  return shown.length > maxCharacters ? `${shown.slice(0, maxCharacters)}…` : shown
}

export type ChangedLine = { sign: '-' | '+' | ' '; text: string }

/** The differing lines of two texts, with one line of context on each side. */
export function changedLines(first: string, second: string): ChangedLine[] {
  if (first === second) return []
  const [before, after] = [first.split('\n'), second.split('\n')]
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const around = (lines: readonly string[], from: number, to: number) => lines.slice(Math.max(0, from), to)
  return [
    ...around(before, start - 1, start).map((text): ChangedLine => ({ sign: ' ', text })),
    ...before.slice(start, before.length - end).map((text): ChangedLine => ({ sign: '-', text })),
    ...after.slice(start, after.length - end).map((text): ChangedLine => ({ sign: '+', text })),
    ...around(before, before.length - end, before.length - end + 1).map((text): ChangedLine => ({ sign: ' ', text })),
  ]
}
