import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { wholeNumber } from '../flag-values.ts'
import { printJson } from '../print-json.ts'
import { colors, printable } from '../terminal.ts'

type Options = {
  metric?: string
  secondMetric?: string
  model?: string
  dataset?: string
  rows?: string
  examples: number
  export?: string
  json: boolean
}

export const whyCommand = new Command('why')
  .description('explain why two scores differ: row by row, cause by cause')
  .argument('<first>', "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness")
  .argument('<second>', 'the run to compare it with; it may be the same with another --second-metric')
  .option('--metric <name>', 'the metric to explain (default: the main metric of each run)')
  .option('--second-metric <name>', 'the metric of the second run (default: that of --metric)')
  .option('--model <name>', 'of runs with several models, this one')
  .option('--dataset <name>', 'of runs with several datasets, this one')
  .option('--rows <cause>', 'show the rows of this cause, with replies and verdicts of both runs; `all` for every cause')
  .option('--examples <number>', 'number of rows that --rows and --export show per cause', wholeNumber, 20)
  .option('--export <file>', 'write one HTML page to publish')
  .option('--json', 'print the explanation as JSON, with the rows of each cause', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall why results/lm-eval results/opencompass       the same benchmark in two harnesses
  rolecall why before after --rows "max tokens"
  rolecall why run run --metric exact_match,strict-match --second-metric exact_match,flexible-extract
  rolecall why results#1 results#2 --export why.html     two runs in one folder

Rows are joined by doc_hash, sample_hash or id where both have them, else by the text of the question. Each row's change of
score goes to the first step that explains it: rows, prompt, sampling, replies, extraction, gold and metric, noise. The parts
add up to the difference. Where a rule can be executed on the other run's replies, it is; causes that the records cannot
separate are reported together.
Reads runs of Rolecall, lm-evaluation-harness, Inspect, OpenCompass, AISBench, Every Eval Ever, evalscope and promptfoo, and JSON Lines.
Exit code: 0, 2 when the runs cannot be read or joined`,
  )
  .action(async (first: string, second: string, options: Options) => {
    const { openRunOrResults } = await import('../../node/runs/foreign/open-run-or-results.ts')
    const { openWhySide } = await import('../../node/runs/why-side.ts')
    const { explain } = await import('../../../workbench/why/explain.ts')
    const { showCauseRows, showWhy } = await import('./show-why.ts')
    const { model, dataset, metric } = options
    const selected = { model, dataset, metric }
    const one = await openWhySide(await openRunOrResults(first), first, selected)
    const other = await openWhySide(await openRunOrResults(second), second, {
      ...selected,
      metric: options.secondMetric ?? sharedMetric(metric, one.side.metric, first, second),
    })
    try {
      const sides = [one.side, other.side] as const
      const report = explain(...sides)
      if (report.join.matched === 0)
        throw new PromptError('no-common-rows', {
          where: `${first}, ${second}`,
          problem: 'no row of one is in the other: neither hashes, ids nor questions agree',
          fix: 'compare runs over the same dataset',
        })
      report.notes.push(...[one, other].flatMap(({ side, notes }) => notes.map((text) => `${side.name}: ${text}`)))
      if (options.export !== undefined) {
        const { whyPage } = await import('./why-page.ts')
        writeFileSync(options.export, whyPage(report, sides, options.examples))
      }
      if (options.json) return printJson(report)
      const parts = [
        showWhy(report),
        ...(options.rows === undefined
          ? []
          : [showCauseRows(sides, chosenCauses(options.rows, report.causes), report.join, options.examples)]),
      ]
      if (options.export !== undefined) parts.push(colors.dim(`Written: ${printable(options.export)}`))
      process.stdout.write(`${parts.join('\n\n')}\n`)
    } finally {
      one.close()
      other.close()
    }
  })

/** The metric of the second run: the given one; else, in the same run, that of the first; else its main metric. */
function sharedMetric(given: string | undefined, found: string, first: string, second: string): string | undefined {
  return given ?? (first === second ? found : undefined)
}

function chosenCauses<Cause extends { cause: string; parts?: string[] }>(name: string, causes: readonly Cause[]): Cause[] {
  const found = causes.filter(({ cause, parts }) => name === 'all' || cause === name || parts?.includes(name))
  if (found.length > 0 || name === 'all') return found
  const known = causes.map(({ cause }) => cause).join(', ')
  throw new PromptError('no-cause', {
    where: '--rows',
    problem: `"${name}" is not one of the causes`,
    fix: known === '' ? 'the runs do not differ' : `choose one of ${known}`,
  })
}
