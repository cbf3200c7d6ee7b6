/** How a command can end: the exit codes of all commands, with what they mean. */
export const exitCodes = {
  ok: { code: 0, means: 'done, and nothing that was checked failed' },
  failed: { code: 1, means: 'nothing to do or not finished (a dataset without rows, rows not sent yet), or an unexpected error' },
  refused: { code: 2, means: 'a mistake in the command, a config or a file, or a server or queue that cannot be used' },
  'check-failed': { code: 3, means: 'a check failed: a score, a finding or a difference that the command was asked to report' },
  'rows-failed': { code: 4, means: 'the run is complete, but more rows have no answer or no score than --allow-failed allows' },
  'limit-reached': { code: 5, means: 'the run reached --max-cost, --max-tokens-total or --max-time' },
  stopped: { code: 130, means: 'interrupted, by Ctrl-C or a signal' },
} as const satisfies Record<string, { code: number; means: string }>

export type ExitName = keyof typeof exitCodes
export type ExitCode = (typeof exitCodes)[ExitName]['code']

/** The exit code of this process, when the command has ended: that of a failure, if there is one. */
export function setExitCode(failure: { exit_code: ExitCode } | undefined): void {
  if (failure) process.exitCode = failure.exit_code
}

/** Ends this process at once; without a name, with the code that was set. */
export function exitNow(name?: ExitName): never {
  if (name !== undefined) process.exitCode = exitCodes[name].code
  process.exit()
}

/** Lines of help are at most this long. */
const helpWidth = 120

/**
 * The exit codes of one command, for its help: when it ends with each.
 *
 * @example
 * exitHelp({ refused: 'when the runs cannot be read' }) // => 'Exit code: 0, 2 when the runs cannot be read'
 */
export function exitHelp(when: Partial<Record<ExitName, string>>): string {
  const parts = entriesOf({ ok: '', ...when }).map(([name, text]) => `${exitCodes[name].code} ${text}`.trimEnd())
  const lines: string[] = []
  for (const [index, part] of parts.entries()) {
    const shown = index === parts.length - 1 ? part : `${part},`
    const line = index === 0 ? `Exit code: ${shown}` : `${lines.at(-1)} ${shown}`
    if (index > 0 && line.length > helpWidth) lines.push(shown)
    else lines.splice(-1, 1, line)
  }
  return lines.join('\n')
}

/** The exit codes of all commands, for `rolecall --help`, which fits one screen; docs/evaluate.md has what they mean. */
export function exitList(): string {
  const named = Object.entries(exitCodes).map(([name, { code }]) => `${code} ${name}`)
  return `Exit codes: ${named.slice(0, 4).join(', ')},\n            ${named.slice(4).join(', ')}`
}

/** In the order of the table. */
function entriesOf(when: Partial<Record<ExitName, string>>): [ExitName, string][] {
  return (Object.keys(exitCodes) as ExitName[]).flatMap((name): [ExitName, string][] => {
    const text = when[name]
    return text === undefined ? [] : [[name, text]]
  })
}
