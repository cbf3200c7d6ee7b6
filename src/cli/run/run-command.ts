import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { suggestName } from '../../config/nearest.ts'
import { presets } from '../../format/presets/index.ts'
import { findConfig, type LoadedConfig, loadConfig } from '../../node/load-config.ts'
import { loaderOf, runEnvironment } from '../../node/run-environment.ts'
import { RunFolder } from '../../node/run-folder.ts'
import { writtenConfig } from '../../node/written-config.ts'
import { PromptError } from '../../prompt-error.ts'
import { compareModels, comparisonText, formatSpread, isMoreThanChance, type ScoredPair } from '../../report/compare-models.ts'
import { resultsTable } from '../../report/results-table.ts'
import type { PairResult, RunSummary } from '../../report/run-record.ts'
import { groupResults } from '../../report/summary-groups.ts'
import { remarksOf, showInterval, showValue } from '../../report/summary-markdown.ts'
import { type Pair, planRun, runPairs } from '../../run.ts'
import { inFormat } from '../render/collect-views.ts'
import { selectByName } from '../render/select.ts'
import { showWarning } from '../render/show-warning.ts'
import { colors, printable, terminalWidth } from '../terminal.ts'
import { dryRun, dryRunTable } from './dry-run.ts'
import { Progress } from './progress.ts'

type Options = {
  models?: string
  datasets?: string
  formats?: string
  limit?: number
  workDir?: string
  dryRun: boolean
  prompts: boolean
  json: boolean
}

const quickstart = fileURLToPath(new URL('../../../quickstart/rolecall.config.yaml', import.meta.url))

export const runCommand = new Command('run')
  .description('ask models, score their answers, write the results')
  .argument('[config]', 'the config file; by default the nearest rolecall.config.ts, .js, .json or .yaml, else the shipped quickstart')
  .option('--models <names>', 'only these models, separated by commas')
  .option('--datasets <names>', 'only these datasets, separated by commas')
  .option('--formats <names>', 'every model in each of these formats, separated by commas: how much the format alone changes')
  .option('--limit <number>', 'at most so many rows of each dataset', wholeNumber)
  .option('-w, --work-dir <folder>', 'where results go: a folder with the time is made in it (by default outputs/<name>)')
  .option('--dry-run', 'show what would be asked and how many tokens, and ask nothing', false)
  .option('--prompts', 'write the prompts that were sent, too', false)
  .option('--json', 'print the summary as JSON', false)
  .addHelpText(
    'after',
    `
Examples:
  rolecall run                                   the config in this folder, or the quickstart: no network, key or GPU
  rolecall run --limit 20 --models tiny          a first look
  rolecall run --formats chatml,internlm2,plain  one model in several formats, compared row by row
  rolecall run eval.yaml --dry-run               what would be asked, and how many tokens
  rolecall run -w results --json > summary.json  for programs

Results: configs/, predictions/<model>/<dataset>.jsonl, results/<model>/<dataset>.json, summary/summary.{txt,csv,md,json}
Exit code: 0, 1 when rows could not be asked, 2 when the config is wrong, 130 when interrupted`,
  )
  .action(async (config: string | undefined, options: Options) => {
    const found = config ?? findConfig(process.cwd())
    const loaded = await loadConfig(found ?? quickstart)
    const isQuickstart = found === undefined
    const pairs = chosenPairs(loaded, options)
    const environment = runEnvironment(loaded.folder)
    if (options.dryRun) {
      const plans = await dryRun(pairs, environment, loaded.folder, options.limit ?? Number.POSITIVE_INFINITY)
      process.stdout.write(options.json ? `${JSON.stringify(plans, null, 2)}\n` : `${dryRunTable(plans)}\n`)
      return
    }
    for (const { model } of pairs) loaderOf(model)
    const name = isQuickstart ? 'quickstart' : runName(loaded.file)
    for (const note of loaded.config.warnings) process.stderr.write(`${showWarning(note)}\n`)
    const { summary, folder, interrupted } = await runAll(pairs, loaded, options, name)
    const shown = relative(process.cwd(), folder) || folder
    const missing = pairs.length - summary.results.length
    const table = summary.results.length === 0 ? [] : [resultsTable(summary.results, terminalWidth(), { ...colors, printable })]
    const parts = [
      ...table,
      ...besides(summary, options.formats !== undefined),
      ...remarks(summary.results),
      closing(summary, { folder: shown, missing, isQuickstart }),
    ]
    process.stdout.write(`${options.json ? JSON.stringify(summary, null, 2) : parts.join('\n\n')}\n`)
    if (interrupted) process.exitCode = 130
    else if (summary.results.some(({ failed }) => failed > 0)) process.exitCode = 1
  })

function chosenPairs({ config }: LoadedConfig, options: Options): Pair[] {
  const models: ModelConfig[] = selectByName(config.models as ModelConfig[], options.models, '--models')
  const datasets: DatasetConfig[] = selectByName(config.datasets as DatasetConfig[], options.datasets, '--datasets')
  for (const [key, list] of Object.entries({ models, datasets })) {
    if (list.length === 0) throw new PromptError('missing', { where: key, problem: `the config has no ${key}`, fix: 'add one' })
  }
  return planRun(options.formats === undefined ? models : inFormats(models, options.formats), datasets)
}

function inFormats(models: readonly ModelConfig[], names: string): ModelConfig[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .flatMap((name) => {
      if (!Object.hasOwn(presets, name)) {
        throw new PromptError('unknown-format', {
          where: '--formats',
          problem: `there is no format "${name}"`,
          fix: suggestName(name, Object.keys(presets)),
        })
      }
      return inFormat(models, { name, model: { format: name } })
    })
}

async function runAll(pairs: readonly Pair[], loaded: LoadedConfig, options: Options, name: string) {
  const started = new Date()
  const begin = performance.now()
  const parent = resolve(options.workDir ?? join('outputs', name))
  const info = { name, started: started.toISOString(), rolecall: version(), config: loaded.file, folder: loaded.folder, options: {} }
  const folder = new RunFolder(join(parent, timestamp(started)), info, pairs, writtenConfig(loaded.config))
  const progress = new Progress(process.stderr, pairs.length)
  const scored: ScoredPair[] = []
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  process.once('SIGINT', interrupt)
  try {
    const events = runPairs(pairs, runEnvironment(loaded.folder), {
      stop: abort.signal,
      storeFor: (pair) => folder.storeFor(pair),
      keepPrompts: options.prompts,
      ...(options.limit === undefined ? {} : { limit: options.limit }),
    })
    for await (const event of events) {
      progress.show(event)
      if (event.kind === 'end') {
        scored.push({ result: event.result, scores: event.scores })
        folder.writeResult(event.result)
      }
    }
  } finally {
    process.removeListener('SIGINT', interrupt)
    progress.clear()
    folder.close()
  }
  const results = scored.map(({ result }) => result)
  const comparisons = compareModels(scored)
  const groups = groupResults(loaded.config.summarizer?.summary_groups ?? [], results)
  const summary: RunSummary = {
    name,
    started: started.toISOString(),
    seconds: (performance.now() - begin) / 1000,
    version: version(),
    results,
    ...(comparisons.length > 0 ? { comparisons } : {}),
    ...(groups.length > 0 ? { groups } : {}),
  }
  folder.writeSummary(summary)
  return { summary, folder: folder.path, interrupted: abort.signal.aborted }
}

/** Comparisons beyond these are in the summary. */
const mostShown = 6

/** What the table does not show: groups, and whether differences are more than chance. */
function besides({ results, groups = [], comparisons = [] }: RunSummary, withSpread: boolean): string[] {
  const grouped = groups.map(({ model, group, value, interval }) => {
    const shown = { value, unit: 'percent' as const, ...(interval ? { interval } : {}) }
    return `${model} · ${group} ${showValue(shown)}${showInterval(shown)}`
  })
  const compared = comparisons.filter(isMoreThanChance).slice(0, mostShown).map(comparisonText)
  const more = comparisons.length - compared.length
  const lines = [
    ...grouped,
    ...(withSpread ? formatSpread(results) : []),
    ...compared,
    ...(more > 0
      ? [
          `${more} comparisons of models are in summary/summary.md: ${compared.length > 0 ? 'those above are the clearest' : 'their differences may be chance'}`,
        ]
      : []),
  ]
  return lines.length === 0 ? [] : [lines.map(printable).join('\n')]
}

/** Each remark once, with the pairs it is about. */
function remarks(results: readonly PairResult[]): string[] {
  const about = new Map<string, string[]>()
  for (const result of results) {
    for (const remark of remarksOf(result)) about.set(remark, [...(about.get(remark) ?? []), `${result.model} · ${result.dataset}`])
  }
  const lines = [...about].map(([remark, pairs]) => {
    const who = pairs.length > 3 ? `${pairs.slice(0, 2).join(', ')} and ${pairs.length - 2} more` : pairs.join(', ')
    return `${colors.yellow('note')} ${printable(remark)} ${colors.dim(`(${printable(who)})`)}`
  })
  return lines.length === 0 ? [] : [lines.join('\n')]
}

type Closing = { folder: string; missing: number; isQuickstart: boolean }

function closing({ seconds, results }: RunSummary, { folder, missing, isQuickstart }: Closing): string {
  if (missing > 0)
    return `${colors.yellow('interrupted')} ${missing} of ${missing + results.length} pairs are not done. What there is: ${folder}`
  const rows = results.reduce((sum, result) => sum + result.rows, 0)
  const done = colors.dim(`${rows} rows in ${seconds.toFixed(1)} s. Results: ${folder}`)
  if (!isQuickstart) return done
  return `${done}

The same model and the same questions: only the format differs. Next:
  rolecall render ${relative(process.cwd(), quickstart)} --datasets sums   see the prompts it was sent
  rolecall init                        write a config of your own
  rolecall run --help                  what else there is`
}

/** A config named rolecall.config.* is known by its folder, any other by its own name. */
function runName(file: string): string {
  const own = basename(file).replace(/\.[^.]+$/, '')
  return own === 'rolecall.config' ? basename(dirname(file)) || 'run' : own
}

function timestamp(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
  return `${day}_${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

function version(): string {
  return (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('a whole number above 0 is needed')
}
