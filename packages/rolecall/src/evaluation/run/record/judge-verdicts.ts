import { isList } from '@rolecall/core/internal/python'
import { type JudgeWord, judgeWords, type VerdictCounts } from '../../score/evaluate/judge-word.ts'
import { modelText } from './pair-name.ts'
import type { PairResult, RowRecord } from './run-record.ts'

/** Counts the verdicts that the record of a row holds: one for each question to the judge. */
export function countVerdicts(counts: VerdictCounts, { details }: Pick<RowRecord, 'details'>): void {
  const words = details?.judge_verdicts
  if (!isList(words)) return
  for (const word of judgeWords) {
    const found = words.filter((one) => one === word).length
    if (found > 0) counts[word] = (counts[word] ?? 0) + found
  }
}

const headings: Readonly<Record<JudgeWord, string>> = {
  right: 'right',
  wrong: 'wrong',
  win: 'win',
  tie: 'tie',
  loss: 'loss',
  graded: 'graded',
  unreadable: 'unreadable',
  not_asked: 'settled by rule',
}

/** The verdicts of judges per pair: a heading, then a line for each pair with a judge; empty if there is none. */
export function verdictsTable(results: readonly PairResult[]): string[][] {
  const judged = results.filter(({ verdicts }) => verdicts !== undefined)
  if (judged.length === 0) return []
  // Whether verdicts could be read is worth a column even if all could.
  const shown = judgeWords.filter((word) => word === 'unreadable' || judged.some(({ verdicts }) => verdicts![word] !== undefined))
  return [
    ['judges', ...shown.map((word) => headings[word])],
    ...judged.map((result) => [`${modelText(result)} · ${result.dataset}`, ...shown.map((word) => String(result.verdicts![word] ?? '–'))]),
  ]
}
