import { Command, Option } from 'commander'
import { exitHelp } from '../exit-codes.ts'
import { printJson } from '../print-json.ts'
import { printReport } from '../screen/print-screen.ts'
import { printWarnings } from '../terminal.ts'

type Flags = { json: boolean; csv: boolean }

export const annotationsCommand = new Command('annotations')
  .description('show what reviewers noted on rows in `rolecall view`, and how far their verdicts agree with the scores')
  .argument('<run>', "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness")
  .option('--json', 'print counts, agreement and all annotations as JSON', false)
  .addOption(new Option('--csv', 'print the annotations as a table for spreadsheets, one line per row').default(false).conflicts('json'))
  .addHelpText(
    'after',
    `
Examples:
  rolecall view --annotations outputs/mmlu                the latest run in the folder
  rolecall view --annotations outputs/mmlu --csv > reviewed.csv
  rolecall view --annotations outputs/mmlu --json | jq '.pairs[].review.agreement'

Annotations are in annotations.jsonl in the run's folder; for results of another harness, beside them, in a file whose name ends
in rolecall-annotations.jsonl. The file only grows; the last line of a row counts. A verdict on an answer that has been replaced
since does not count.
${exitHelp({ refused: 'when the run cannot be read' })}`,
  )
  .action(async (name: string, { json, csv }: Flags) => {
    const { openRunOrResults } = await import('../../node/runs/foreign/open-run-or-results.ts')
    const { reviewRun } = await import('../../node/runs/annotations/review-run.ts')
    const reviewed = reviewRun(await openRunOrResults(name))
    const { file, unreadable, pairs } = reviewed
    if (unreadable > 0)
      printWarnings([
        { code: 'unreadable-annotations', where: file, text: `unreadable lines: ${unreadable} (damaged, or of a newer Rolecall)` },
      ])
    if (json) return printJson({ ...reviewed, pairs: pairs.filter(({ rows }) => rows.length > 0) })
    const { annotationsCsv, showReviews } = await import('./show-reviews.ts')
    if (csv) process.stdout.write(annotationsCsv(pairs))
    else printReport(showReviews(reviewed))
  })
