import { join, relative } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { Command, Option } from 'commander'
import { relationships } from '../../compat/publish/every-eval-ever-files.ts'
import { type HubBenchmark, readHubBenchmark } from '../../compat/publish/hub-eval-results.ts'
import { type PublishFormat, publishFormats } from '../../node/runs/publish-run.ts'
import { exitHelp } from '../exit-codes.ts'
import { collects } from '../flag-values.ts'
import { printJson } from '../print-json.ts'
import { printReport } from '../screen/print-screen.ts'
import { colors, printable } from '../terminal.ts'

type Flags = {
  exportFormat: PublishFormat[]
  output?: string
  organization?: string
  relationship: (typeof relationships)[number]
  developer?: string
  benchmark: Map<string, HubBenchmark>
  json: boolean
}

export const publishCommand = new Command('publish')
  .description('write the results of a run in formats that other tools read')
  .argument('<run>', "a run's folder, a folder of runs (its latest is used), or the config that was run")
  .requiredOption('--export-format <names>', `${publishFormats.join(', ')}; several separated by commas`, readFormats)
  .option('-o, --output <folder>', "output folder (default: published in the run's folder)")
  .option('--organization <name>', 'who publishes the results; every-eval-ever requires it')
  .addOption(new Option('--relationship <kind>', "the publisher's relationship to the model").choices(relationships).default('third_party'))
  .option('--developer <name>', 'who made the model (default: the first part of its name, ORG/NAME)')
  .option(
    '--benchmark <dataset=org/name:task>',
    "the hub's name of a dataset, for hub; repeat for several",
    collects((text: string, before: Map<string, HubBenchmark>) => new Map([...before, readHubBenchmark(text)])),
    new Map<string, HubBenchmark>(),
  )
  .option('--json', 'print what was written as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall export results outputs/sums --export-format every-eval-ever --organization "Acme Lab"
  rolecall export results outputs/sums --export-format hub --benchmark gsm8k=openai/gsm8k:gsm8k
  rolecall export results outputs/sums --export-format opencompass -o shared
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 rolecall export results outputs/sums --export-format opentelemetry
  MLFLOW_TRACKING_URI=http://127.0.0.1:5000 rolecall export results outputs/sums --export-format mlflow

every-eval-ever   schema 0.3.0: metrics with intervals, and a line per row with the exact prompt
hub               .eval_results/*.yaml for the model's repository on Hugging Face
opencompass       predictions/, results/ and summary/ as OpenCompass writes them
opentelemetry     an event gen_ai.evaluation.result per row, without prompts and replies
mlflow            a finished run per model and dataset on a tracking server: settings and scores, without rows

Keys, addresses of servers and local paths are never written.
${exitHelp({ refused: 'when the run cannot be published' })}`,
  )
  .action(async (name: string, { exportFormat, output, organization, relationship, developer, benchmark, json }: Flags) => {
    const { runAt } = await import('../../node/runs/find-run.ts')
    const { openPublishedRun } = await import('../../node/runs/open-published-run.ts')
    const { checkPublish, isSent, publishRun } = await import('../../node/runs/publish-run.ts')
    const notes = new Set<string>()
    const note = (text: string) => notes.add(text)
    const folder = runAt(name)
    const publisher = { organization: organization ?? '', relationship, developer }
    const target = output ?? join(folder, 'published')
    const options = { output: target, publisher, benchmarks: benchmark, environment: process.env, note }
    const { openRun } = await import('../../node/runs/run-reader.ts')
    checkPublish(exportFormat, [...new Set(openRun(folder).pairs.map(({ dataset }) => dataset))], options)
    const run = await openPublishedRun(folder, note)
    const written = []
    for (const format of exportFormat)
      for (const one of await publishRun(run, format, options))
        written.push(isSent(format) ? one : { ...one, to: relative(process.cwd(), join(target, one.to)) })
    for (const text of notes) process.stderr.write(`${colors.yellow('note')} ${printable(text)}\n`)
    if (json) return printJson({ written, notes: [...notes] })
    for (const { to, rows } of written) printReport(`${printable(to)}${rows === undefined ? '' : colors.dim(`  ${rows} rows`)}`)
  })

function readFormats(text: string): PublishFormat[] {
  return text.split(',').map((given) => {
    const found = publishFormats.find((format) => format === given.trim())
    if (found) return found
    throw new PromptError('bad-value', {
      where: '--export-format',
      problem: `"${given}" is not a format`,
      fix: `write ${publishFormats.join(', ')}, or several separated by commas`,
    })
  })
}
