import { relative } from 'node:path'
import { Command } from 'commander'
import { failedRows } from './ci/report-run.ts'
import { printJson } from './print-json.ts'
import { colors } from './terminal.ts'

export const mergeCommand = new Command('merge')
  .description('join the parts written by `rolecall run --shard` into one run')
  .argument('<runs...>', 'the parts, or the folder that holds them (the latest run of each part is used)')
  .option('-o, --output <folder>', 'output folder (default: a folder named by the time, next to the parts)')
  .option('--json', 'print the summary as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall merge runs                                  all parts below runs/
  rolecall merge part-1 part-2 part-3 -o joined        parts copied from several machines

Results equal those of one run over all rows. Missing, duplicate and unfinished parts, and parts of another run, are errors.
Exit code: 0, 1 when rows have no answer, 2 when the parts cannot be joined`,
  )
  .action(async (runs: string[], { output, json }: { output?: string; json: boolean }) => {
    const { mergeRuns } = await import('../node/runs/merge-runs.ts')
    const { folder, summary } = await mergeRuns(runs, output)
    const failure = failedRows(summary)
    if (json) return printJson(summary, failure)
    if (failure) process.exitCode = failure.exit_code
    const { showSummary } = await import('./run/show-summary.ts')
    const rows = summary.results.reduce((sum, result) => sum + result.rows, 0)
    const closing = colors.dim(`${rows} rows joined. Results: ${relative(process.cwd(), folder) || folder}`)
    process.stdout.write(`${[...showSummary(summary, { withSpread: false }), closing].join('\n\n')}\n`)
  })
