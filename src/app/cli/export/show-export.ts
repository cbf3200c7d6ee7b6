import type { ExportManifest } from '../../node/exports/export-training.ts'
import { colors, printable } from '../terminal.ts'

const barLength = 30

/** The summary of an export: counts, skipped conversations with reasons, and row lengths. */
export function showExport({ counts, files, policy, format, tokenizer }: ExportManifest, manifest: string): string {
  const number = (value: number) => value.toLocaleString('en')
  const { leftOut, undecided, cut } = counts
  const share = counts.tokens === 0 ? 0 : (100 * counts.trainedTokens) / counts.tokens
  const reasons = [
    [leftOut.undecided, 'a turn is rewritten by the template'],
    [leftOut.tooLong, 'too long'],
    [leftOut.nothingTrained, 'nothing to train on'],
    [leftOut.unreadable, 'no conversation, or one that the format cannot render'],
  ] as const
  return [
    `${number(counts.written)} of ${number(counts.conversations + leftOut.unreadable)} conversations in ${format}, with ${printable(tokenizer)}`,
    `${number(counts.tokens)} tokens, ${number(counts.trainedTokens)} of them trained (${share.toFixed(1)} %): ${policy}`,
    ...reasons.filter(([count]) => count > 0).map(([count, why]) => colors.yellow(`${number(count)} skipped: ${why}`)),
    ...Object.entries(undecided.turns).map(([why, count]) => colors.yellow(`${number(count)} turns undecided: ${why}`)),
    ...(cut.conversations > 0 ? [colors.yellow(`${number(cut.conversations)} cut, by ${number(cut.messages)} messages`)] : []),
    ...Object.entries(counts.notes).map(([text, count]) => colors.yellow(`${number(count)} times: ${printable(text)}`)),
    ...histogram(counts.lengths),
    `${files.length === 1 ? printable(files[0]!) : `${files.length} files`}, ${printable(manifest)}`,
  ].join('\n')
}

function histogram(lengths: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(lengths)
    .map(([upTo, count]) => [Number(upTo), count] as const)
    .sort(([one], [other]) => one - other)
  const most = Math.max(1, ...entries.map(([, count]) => count))
  const width = String(entries.at(-1)?.[0] ?? '').length
  return entries.map(
    ([upTo, count]) =>
      `${colors.dim(`≤ ${String(upTo).padStart(width)} tokens`)} ${'█'.repeat(Math.max(1, Math.round((count / most) * barLength)))} ${count.toLocaleString('en')}`,
  )
}
