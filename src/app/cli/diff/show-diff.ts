import type { Cause, CauseKind, PromptDiff } from '../../../workbench/diff/diff-prompts.ts'
import { colors, printable } from '../terminal.ts'

/** Causes visible in the text or ids of a prompt. */
const inText: ReadonlySet<CauseKind> = new Set(['markup', 'content', 'left-out', 'order', 'tokens'])

/** Characters shown per example. */
const maxText = 160

/** A comparison for the terminal: counts first, then each cause with example rows. */
export function showDiff({ pairs, same, neither, causes, tokens }: PromptDiff, names: readonly [string, string], unit: string): string {
  const differ = pairs - same - neither
  const counts = [`${same} the same`, `${differ} differ`, ...(neither > 0 ? [`${neither} refused by both`] : [])]
  const heading = [
    `${colors.dim('first ')} ${printable(names[0])}`,
    `${colors.dim('second')} ${printable(names[1])}`,
    colors.bold(`${pairs} ${unit}${pairs === 1 ? '' : 's'}: ${counts.join(', ')}`),
    ...(tokens
      ? [`${tokens.first} tokens in the first, ${tokens.second} in the second, ${tokens.common} of them in common at the start and the end`]
      : []),
  ]
  const width = Math.max(0, ...causes.map((cause) => share(cause).length))
  return `${[heading.join('\n'), ...causes.map((cause) => showCause(cause, width))].join('\n\n')}\n`
}

function share({ count, of }: Cause): string {
  return `${count} of ${of}`
}

function showCause(cause: Cause, width: number): string {
  const lines = cause.examples.flatMap(({ name, first, second }) => [
    `    ${colors.dim(printable(name))}`,
    // Other causes are fully described by their text.
    ...(inText.has(cause.kind) ? [`    ${colors.red('-')} ${oneLine(first)}`, `    ${colors.green('+')} ${oneLine(second)}`] : []),
  ])
  return [`${colors.yellow(share(cause).padStart(width))}  ${printable(cause.text)}`, ...lines].join('\n')
}

function oneLine(text: string): string {
  const line = printable(text.replaceAll('\n', '⏎'))
  return line.length > maxText ? `${line.slice(0, maxText - 1)}…` : line
}
