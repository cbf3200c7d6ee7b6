import type { Cause, CauseKind, PromptDiff } from '../../../workbench/diff/diff-prompts.ts'
import { colors, printable } from '../terminal.ts'

/** The causes that are seen in the text or the ids of a prompt. */
const inText: ReadonlySet<CauseKind> = new Set(['markup', 'content', 'left-out', 'order', 'tokens'])

/** How much of a text is shown of each example. */
const mostText = 160

/** A comparison for people: counts first, then each cause with some of the rows that show it. */
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
    // What is not text of the prompt is all in the sentence.
    ...(inText.has(cause.kind) ? [`    ${colors.red('-')} ${oneLine(first)}`, `    ${colors.green('+')} ${oneLine(second)}`] : []),
  ])
  return [`${colors.yellow(share(cause).padStart(width))}  ${printable(cause.text)}`, ...lines].join('\n')
}

function oneLine(text: string): string {
  const line = printable(text.replaceAll('\n', '⏎'))
  return line.length > mostText ? `${line.slice(0, mostText - 1)}…` : line
}
