import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import { quoteWord } from '../../node/platform.ts'
import type { ExplainedRuns } from '../../node/runs/explain-runs.ts'
import type { AskedCause } from '../../workbench/why/ask-causes.ts'
import { exitHelp } from '../exit-codes.ts'
import { wholeNumber } from '../flag-values.ts'
import { printJson } from '../print-json.ts'
import { layOut } from '../screen/lay-out.ts'
import { ownCommand } from '../screen/own-command.ts'
import { printNext } from '../screen/print-screen.ts'
import { colors, printable, screenWidth } from '../terminal.ts'

type Options = {
  metric?: string
  secondMetric?: string
  model?: string
  dataset?: string
  group?: string
  rows?: string
  examples: number
  ask?: string
  askRows: number
  export?: string
  json: boolean
  verbose: boolean
}

export const whyCommand = new Command('why')
  .description('explain why two scores differ: row by row, cause by cause')
  .argument('<first>', "a run's folder, a folder of runs (its latest is used), the config that was run, or results of another harness")
  .argument(
    '[second]',
    'the run to compare it with; it may be the same with another --second-metric (default: the two models of the first)',
  )
  .option('--metric <name>', 'the metric to explain (default: the main metric of each run)')
  .option('--second-metric <name>', 'the metric of the second run (default: that of --metric)')
  .option('--model <name>', 'of runs with several models, this one')
  .option('--dataset <name>', 'of runs with several datasets, this one (default: all of them together)')
  .option('--group <name>', 'of runs with several datasets, those of this group, which a run reports')
  .option('--rows <cause>', 'show the rows of this cause, with replies and verdicts of both runs; `all` for every cause')
  .option('--examples <number>', 'number of rows that --rows and --export show per cause', wholeNumber, 20)
  .option(
    '--ask <model>',
    'send rows whose replies differ to this model, with prompt and settings of the second run each alone: openai:NAME@URL',
  )
  .option('--ask-rows <number>', 'number of rows that --ask sends per cause, each up to three times', wholeNumber, 5)
  .option('--export <file>', 'write one HTML page to publish')
  .option('--json', 'print the explanation as JSON, with the rows of each cause', false)
  .option('--verbose', 'print all causes with their details and steps', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall why results/lm-eval results/opencompass       the same benchmark in two harnesses
  rolecall why outputs/two                               the two models of a run
  rolecall why before after --rows "max tokens"
  rolecall why run run --metric exact_match,strict-match --second-metric exact_match,flexible-extract
  rolecall why before after --ask openai:qwen3-8b@http://127.0.0.1:8000/v1
  rolecall why results#1 results#2 --export why.html     two runs in one folder

Rows are joined by doc_hash, sample_hash or id where both have them, else by the text of the question. Each row's change of
score goes to the first step that explains it: rows, prompt, sampling, replies, extraction, gold and metric, noise. The parts
add up to the difference. Where a rule can be executed on the other run's replies, it is; causes that the records cannot
separate are reported together. Runs with several datasets are explained together: the causes of each dataset count with its
weight, and a mean of datasets instead of rows is a cause.
Reads runs of Rolecall, lm-evaluation-harness, Inspect, OpenCompass, AISBench, Every Eval Ever, evalscope and promptfoo, and JSON Lines.
${exitHelp({ refused: 'when the runs cannot be read or joined' })}`,
  )
  .action(async (run: string, other: string | undefined, options: Options, command: Command) => {
    if (options.ask === undefined && command.getOptionValueSource('askRows') === 'cli')
      throw new PromptError('missing', { where: '--ask-rows', problem: 'this flag needs --ask', fix: 'add --ask openai:NAME@URL' })
    const [first, second] = other === undefined ? await twoModels(run) : [run, other]
    const { haveGroups } = await import('../../node/runs/explain-groups.ts')
    if (options.group !== undefined || (await haveGroups(first, second, options))) return explainTogether(first, second, options)
    const { openExplained } = await import('../../node/runs/explain-runs.ts')
    const { showAsked, showCauseRows, showWhy } = await import('./show-why.ts')
    const { nextAfterWhy, whyScreen } = await import('./why-screen.ts')
    const explained = await openExplained(first, second, options)
    const { report, sides, close } = explained
    try {
      const shown = options.rows === undefined ? undefined : chosenCauses(options.rows, report.causes)
      const { checkWritable, writeInto } = await import('../../node/runs/disk-error.ts')
      // A page that cannot be written is found before the first request.
      if (options.export !== undefined && options.ask !== undefined) checkWritable(options.export, '--export')
      const asked = options.ask === undefined ? undefined : await askAgain(explained, options.ask, options.askRows)
      if (options.export !== undefined) {
        const { whyPage } = await import('./why-page.ts')
        writeInto(options.export, whyPage(report, sides, options.examples, asked), '--export')
      }
      if (options.json) return printJson(asked ? { ...report, asked } : report)
      const parts = [
        options.verbose ? showWhy(report) : layOut(whyScreen(report), screenWidth()),
        ...(asked ? [showAsked(asked, report)] : []),
        ...(shown ? [showCauseRows(sides, shown, report, options.examples)] : []),
      ]
      if (options.export !== undefined) parts.push(colors.dim(`Written: ${printable(options.export)}`))
      process.stdout.write(`${parts.join('\n\n')}\n`)
      const names = [first, second].map((name) => quoteWord(name)).join(' ')
      if (!shown) printNext(nextAfterWhy(report, `${ownCommand()} why ${names}`))
    } finally {
      close()
    }
  })

/** The two models of a run, as sides. */
async function twoModels(name: string): Promise<[string, string]> {
  const { openRunOrResults } = await import('../../node/runs/foreign/open-run-or-results.ts')
  const { distinctModels, modelText } = await import('../../evaluation/run/record/pair-name.ts')
  const models = distinctModels((await openRunOrResults(name)).pairs).map(modelText)
  const [first, second] = models
  if (first !== undefined && second !== undefined && models.length === 2) return [`${name}#${first}`, `${name}#${second}`]
  throw new PromptError('several-pairs', {
    where: name,
    problem: `without a second run, the first needs two models (it has ${models.join(', ')})`,
    fix: models.length > 2 ? `name two of them: ${name}#${first} ${name}#${second}` : 'name the run to compare it with',
  })
}

/** Runs with several datasets: all of them, or a group. */
async function explainTogether(first: string, second: string, options: Options): Promise<void> {
  const onlyOne = (
    [
      ['--ask', options.ask],
      ['--rows', options.rows],
    ] as const
  ).find(([, value]) => value !== undefined)
  if (onlyOne)
    throw new PromptError('several-datasets', {
      where: onlyOne[0],
      problem: 'this flag explains one dataset at a time',
      fix: 'add --dataset NAME',
    })
  if (options.group !== undefined && options.dataset !== undefined)
    throw new PromptError('conflict', { where: '--group', problem: 'it cannot be used with --dataset', fix: 'keep one of them' })
  const { explainGroups } = await import('../../node/runs/explain-groups.ts')
  const { showGroup } = await import('./show-group.ts')
  const report = await explainGroups(first, second, options)
  if (options.export !== undefined) {
    const { writeInto } = await import('../../node/runs/disk-error.ts')
    const { groupPage } = await import('./why-page.ts')
    writeInto(options.export, groupPage(report), '--export')
  }
  if (options.json) return printJson(report)
  process.stdout.write(`${showGroup(report)}\n`)
  if (options.export !== undefined) process.stdout.write(`\n${colors.dim(`Written: ${printable(options.export)}`)}\n`)
}

async function askAgain(explained: ExplainedRuns, model: string, rows: number): Promise<AskedCause[]> {
  const { askWhy } = await import('../../node/runs/ask-why.ts')
  const onStart = (requests: number) => void process.stderr.write(`${colors.dim(`asking ${printable(model)}: ${requests} requests`)}\n`)
  const { asked, notes } = await askWhy(explained, { model, rows, onStart })
  explained.report.notes.push(...notes)
  return asked
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
