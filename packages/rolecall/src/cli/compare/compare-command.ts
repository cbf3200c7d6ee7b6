import { Command } from 'commander'
import { type CiCompareFlags, reportComparison, withCiCompareOptions } from '../ci/report-comparison.ts'
import { exitCodes, exitHelp, setExitCode } from '../exit-codes.ts'
import { wholeNumber } from '../flag-values.ts'
import { printJson } from '../print-json.ts'
import { colors, printable, printWarnings } from '../terminal.ts'

export const compareCommand = withCiCompareOptions(new Command('compare'))
  .description('show what changed from one run to another, row by row')
  .argument('<first>', "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness")
  .argument('<second>', 'the run to compare it with')
  .option('--examples <number>', 'number of changed rows to show per kind', wholeNumber, 3)
  .option('--json', 'print the comparison as JSON, with the indices of all changed rows', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall compare outputs/mmlu/20261114_180000 outputs/mmlu/20261115_090000
  rolecall compare before after --examples 10
  rolecall compare before after --json | jq '.[].comparison.worse'
  rolecall compare before after --fail-on worse --junit compared.xml

Rows are paired by content, so a dataset may have gained rows or changed their order. Differences come with a
95 % interval over paired rows and a p value: McNemar's exact test for right and wrong, clustered where the dataset has
\`cluster\`. The p values of several datasets are adjusted for their number (Holm); --fail-on worse uses the adjusted ones.
The output says whether prompts, answers or only the scoring differ, and shows some of the rows.
${exitHelp({ refused: 'when the runs cannot be read', 'check-failed': 'when --fail-on applies' })}`,
  )
  .action(async (first: string, second: string, { examples, json, ...ci }: CiCompareFlags & { examples: number; json: boolean }) => {
    const { adjustmentText } = await import('../../evaluation/run/record/compare-models.ts')
    const { openRunOrResults } = await import('../../node/runs/foreign/open-run-or-results.ts')
    const { compareRuns, unmatchedPairs } = await import('../../node/runs/compare-run-folders.ts')
    const { differentRevisions } = await import('../../node/runs/different-revisions.ts')
    const runs = [await openRunOrResults(first), await openRunOrResults(second)] as const
    printWarnings(runs.flatMap((run) => run.notes()))
    const compared = compareRuns(...runs, examples)
    const { showComparison, showUnmatched, withPrompts } = await import('./show-comparison.ts')
    const { shown, notes } = await withPrompts(compared, runs)
    printWarnings(notes)
    if (!json) {
      const adjusted = adjustmentText(shown.flatMap(({ comparison }) => comparison.comparison ?? []))
      process.stdout.write(`${[...shown.map(showComparison), ...adjusted].join('\n\n')}\n`)
    }
    const unmatched = unmatchedPairs(runs[0].pairs, runs[1].pairs)
    const rest = showUnmatched(unmatched)
    const output = json ? process.stderr : process.stdout
    printWarnings(
      differentRevisions(runs[0].info.hub, runs[1].info.hub).map((text) => ({ code: 'other-revision', text: `the runs used ${text}` })),
    )
    if (rest.length > 0) output.write(`\n${rest.join('\n')}\n`)
    const reported = reportComparison(
      compared.map(({ comparison }) => comparison),
      unmatched.first,
      ci,
      output,
    )
    const failed = reported.filter(({ failure }) => failure !== undefined)
    const failure =
      failed.length === 0
        ? undefined
        : {
            code: 'worse',
            where: `--fail-on ${ci.failOn}`,
            problem: failed.map(({ name, failure: why }) => `${name}: ${why}`).join('; '),
            exit_code: exitCodes['check-failed'].code,
          }
    if (json) printJson(shown, failure)
    if (!failure) return
    setExitCode(failure)
    const lines = failed.map(({ name, failure }) => `${colors.red(`--fail-on ${ci.failOn}`)} ${printable(`${name}: ${failure}`)}`)
    process.stderr.write(`${lines.join('\n')}\n`)
  })
