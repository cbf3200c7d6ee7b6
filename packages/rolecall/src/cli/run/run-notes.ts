import { type AxisName, axisNames } from '../../evaluation/config/axes.ts'
import { outcomesText } from '../../evaluation/run/record/outcome.ts'
import { type Remark, remarksAbout } from '../../evaluation/run/record/remarks.ts'
import type { PairResult, RunSummary } from '../../evaluation/run/record/run-record.ts'
import { placeName, placeOf, type RunTable, runTable, varyingAxes } from '../../evaluation/run/record/run-table.ts'
import { noteRow } from '../../node/notes/all-notes.ts'
import { countText } from '../screen/amounts.ts'

/** A note of a run for the screen: once for its cause, with its extent; the lowest rank matters most. */
export type RunNote = { text: string; rank: number }

/** What may make a score wrong comes first, then what was lost, then the rest. */
const ranks: Readonly<Record<Remark['kind'], number>> = {
  failed: 0,
  'no-gold': 1,
  note: 2,
  skipped: 3,
  'wrong-calls': 4,
  cut: 5,
  'examples-dropped': 6,
  baseline: 8,
  compat: 9,
  cached: 10,
}
const rankOfUnread = 4
/** A note on a change that was made on purpose. */
const rankOfInformation = 7

type Group = { remarks: { remark: Remark; result: PairResult }[]; rank: number }

/** The notes of a run, the most important first. `isMarked`: pairs whose cut answers a mark in the table reports. */
export function runNotes(summary: RunSummary, isMarked: (result: PairResult) => boolean): RunNote[] {
  const { results } = summary
  const table = runTable({ results })
  const groups = new Map<string, Group>()
  for (const result of results) {
    for (const remark of remarksAbout(result)) {
      // Reused answers are part of the last line.
      if (remark.kind === 'cached' || (remark.kind === 'cut' && isMarked(result))) continue
      const key = `${remark.kind} ${remark.code ?? ''} ${remark.kind === 'wrong-calls' ? remark.detail : ''}`
      const group = groups.get(key) ?? { remarks: [], rank: rankOf(remark) }
      group.remarks.push({ remark, result })
      groups.set(key, group)
    }
  }
  const notes = [...groups.values()].map((group): RunNote => ({ text: groupText(group, table), rank: group.rank }))
  return [...notes, ...unreadNote(results, table)].sort((one, other) => one.rank - other.rank)
}

function rankOf({ kind, code }: Remark): number {
  // Why rows have no score belongs to the count of them.
  if (code === 'failed') return ranks.failed
  return kind === 'note' && code !== undefined && noteRow(code)?.severity === 'note' ? rankOfInformation : ranks[kind]
}

/** One text for the same remark on several pairs: numbers are added up, and the pairs are named by what they have in common. */
function groupText({ remarks }: Group, table: RunTable): string {
  const [{ remark } = { remark: undefined }] = remarks
  if (!remark) return ''
  const results = remarks.map(({ result }) => result)
  const extent = extentText(results, table)
  const about = extent === '' ? '' : ` (${extent})`
  if (remarks.length === 1) return `${remark.text}${about}`
  const rows = remarks.reduce((sum, { remark: one }) => sum + (one.rows ?? 0), 0)
  const of = results.reduce((sum, result) => sum + result.rows, 0)
  switch (remark.kind) {
    case 'failed':
      return `${rows} of ${countText(of, 'row')} have no answer or no score${about}; rolecall run -r --retry-errors sends them again`
    case 'no-gold':
      return `${rows} of ${countText(of, 'row')} have no gold answer and no score${about}`
    case 'skipped':
      return `${rows} bad rows of the files were skipped${about}`
    case 'cut':
      return `${rows} of ${of.toLocaleString('en')} answers were cut at the token limit${about}: max_out_len raises it`
    case 'examples-dropped':
      return `${rows} examples were dropped to stay within max_seq_len${about}`
    case 'wrong-calls':
      return `wrong calls in ${rows} of ${countText(of, 'row')}: ${remark.detail}${about}`
    case 'note': {
      const details = new Set(remarks.map(({ remark: one }) => one.detail))
      const general = remark.code === undefined ? undefined : noteRow(remark.code)?.en
      return `${details.size === 1 ? remark.detail : (general ?? remark.detail)}${about}`
    }
    default:
      return `${remark.text}${about}`
  }
}

/** Answers that no rule could read: `85 empty · 23 not found`. Cut and failed answers have notes of their own. */
function unreadNote(results: readonly PairResult[], table: RunTable): RunNote[] {
  const unread = results.filter(({ answers }) => unreadOf(answers) > 0)
  if (unread.length === 0) return []
  const sums = { answered: 0, notFound: 0, cut: 0, refused: 0, empty: 0, toolCall: 0, notDecided: 0, failed: 0 }
  for (const { answers } of unread) {
    for (const key of ['notFound', 'refused', 'empty', 'toolCall', 'notDecided'] as const) sums[key] += answers[key] ?? 0
  }
  const extent = extentText(unread, table)
  const count = unreadOf(sums)
  return [
    {
      text: `${countText(count, 'answer')} could not be read: ${outcomesText(sums).replaceAll(' · ', ', ')}${extent === '' ? '' : ` (${extent})`}`,
      rank: rankOfUnread,
    },
  ]
}

function unreadOf({ notFound, refused, empty, toolCall = 0, notDecided }: PairResult['answers']): number {
  return notFound + refused + empty + toolCall + notDecided
}

/** The pairs that a note is about: by one axis where it is about all that lies there, nothing if it is about all pairs. */
function extentText(results: readonly PairResult[], table: RunTable): string {
  const places = results.map(placeOf)
  if (places.length === table.cells.length) return ''
  const varying = varyingAxes(table)
  const along = varying
    .map((axis) => [axis] as const)
    .find((axes) => {
      const names = new Set(places.map((at) => placeName(at, axes)))
      return table.cells.filter(({ at }) => names.has(placeName(at, axes))).length === places.length
    })
  const axes: readonly AxisName[] = along ?? axisNames.filter((axis) => varying.includes(axis))
  const names = [...new Set(places.map((at) => placeName(at, axes)))]
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : listText(names)
}

function listText(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
