import { relative } from 'node:path'
import { Command } from 'commander'
import { type AllowedFailures, judgeFailedRows, readAllowedFailures } from './ci/failed-rows.ts'
import { exitCodes, exitHelp, setExitCode } from './exit-codes.ts'
import { printJson } from './print-json.ts'
import { colors } from './terminal.ts'

export const mergeCommand = new Command('merge')
  .description('join the parts written by `rolecall run --shard` into one run')
  .argument('<runs...>', 'the parts, or the folder that holds them (the latest run of each part is used)')
  .option('-o, --output <folder>', 'output folder (default: a folder named by the time, next to the parts)')
  .option(
    '--allow-failed <share>',
    `exit with code ${exitCodes.ok.code} instead of ${exitCodes['rows-failed'].code} if at most this many rows failed: 1% of all rows, or a number such as 20`,
    readAllowedFailures,
  )
  .option('--json', 'print the summary as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall merge runs                                  all parts below runs/
  rolecall merge part-1 part-2 part-3 -o joined        parts copied from several machines

Results equal those of one run over all rows. Missing, duplicate and unfinished parts, and parts of another run, are errors.
${exitHelp({ refused: 'when the parts cannot be joined', 'rows-failed': 'when more rows failed than --allow-failed' })}`,
  )
  .action(async (runs: string[], { output, allowFailed, json }: { output?: string; allowFailed?: AllowedFailures; json: boolean }) => {
    const { mergeRuns } = await import('../node/runs/merge-runs.ts')
    const { folder, summary } = await mergeRuns(runs, output)
    const { failure, within } = judgeFailedRows(summary, allowFailed)
    if (within !== undefined) process.stderr.write(`${colors.yellow('note')} ${within}\n`)
    if (json) return printJson(summary, failure)
    setExitCode(failure)
    const { runScreen } = await import('./run/run-screen.ts')
    const { printScreen } = await import('./screen/print-screen.ts')
    const rows = summary.results.reduce((sum, result) => sum + result.rows, 0)
    const done = `${rows.toLocaleString('en')} rows joined`
    printScreen(runScreen(summary, { folder: relative(process.cwd(), folder) || folder, remarks: [], done }))
  })
