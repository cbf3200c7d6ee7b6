import { writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { Command } from 'commander'
import { redisQueue } from '../../cluster/redis-queue.ts'
import { refuseUnknownChecks } from '../../evaluation/run/record/metric-checks.ts'
import type { HarnessModel } from '../../node/config/harness-model.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import type { OpenedConfig } from '../../node/config/open-config.ts'
import { quickstart } from '../../node/config/quickstart.ts'
import type { Servers } from '../../node/config/server-flags.ts'
import { formatFlagsIn } from '../../node/formats/format-flags.ts'
import type { EngineRecord } from '../../node/launch/launch-engines.ts'
import { quoteWord } from '../../node/platform.ts'
import type { EvaluationOptions, EvaluationRun, LimitOptions } from '../../node/runs/evaluation-options.ts'
import { runName } from '../../node/runs/outputs-folder.ts'
import { pickRemembered } from '../../node/runs/remembered-options.ts'
import type { Watchdog } from '../../node/watchdog/watchdog.ts'
import { reportRun } from '../ci/report-run.ts'
import { collectEarly } from '../collect-early.ts'
import { exitHelp, setExitCode } from '../exit-codes.ts'
import { queueAddress, shownQueue } from '../queue/queue-address.ts'
import { failureOfError } from '../report-error.ts'
import { ownCommand } from '../screen/own-command.ts'
import { colors } from '../terminal.ts'
import { warnConfig } from '../warn-config.ts'
import { onCrash } from './on-crash.ts'
import { printRun, runFailure } from './print-run.ts'
import { refuseFlags, refuseSharedOutput } from './refuse-flags.ts'
import type { RunFlags } from './run-flags.ts'
import { withRunOptions } from './run-options.ts'
import type { RunWatcher } from './run-watchers.ts'

export const runCommand = withRunOptions(new Command('run'))
  .description('evaluate models: send prompts, score the answers, write the results')
  .argument('[config]', 'the config file (default: the nearest rolecall.config.ts, .js, .json or .yaml, else the built-in quickstart)')
  .addHelpText(
    'after',
    `
Examples:
  rolecall run                                   the config in this folder, or the quickstart: no network, key or GPU
  rolecall run --limit 20 --models tiny          a first look
  rolecall run --formats chatml,internlm2,plain  one model in several formats, compared row by row
  rolecall run --mlc-config dist/vicuna          with the template and settings of an mlc-chat-config.json
  rolecall run --preset mmlu --data ~/data/mmlu  a known benchmark from files you have (see rolecall list presets)
  rolecall run --datasets gsm8k_gen --models NAME=http://127.0.0.1:8000/v1  OpenCompass config files by name, from its folder
  rolecall run --model local-completions --model_args model=m,base_url=http://127.0.0.1:8000/v1/completions --tasks arc_easy --output_path out --log_samples  as lm_eval runs
  rolecall run -r                                resume the latest run after Ctrl-C, a crash or a change of the config
  rolecall run --shard 2/4 -w runs               the second quarter of the rows
  rolecall run eval.yaml --queue redis://10.0.0.5  distributed to the workers on this server
  rolecall run eval.yaml --max-cost 5 --max-time 2h  stops at a limit, and resumes with -r and a higher one
  rolecall run eval.yaml --dry-run               what would be sent, how many tokens, with which settings, and where each is set
  rolecall run --print-config > full.yaml         what a config of ten lines stands for
  rolecall run -w results --json > summary.json  for programs
  rolecall run --fail-under accuracy=0.8 --junit figures.xml  for CI

Results go to outputs/<name>/<time> beside the config, or in this folder if there is none:
configs/, predictions/<model>/<dataset>.jsonl, results/<model>/<dataset>.json, summary/summary.{txt,csv,md,json}
${exitHelp({
  failed: 'when a dataset has no rows',
  refused: 'when the config is invalid or the server unreachable',
  'check-failed': 'when a score is worse than --fail-under allows',
  'rows-failed': 'when the run is complete but more rows failed than --allow-failed',
  'limit-reached': 'when --max-cost, --max-tokens-total or --max-time is reached',
  stopped: 'when interrupted',
})}`,
  )
  .action(async (config: string | undefined, options: RunFlags) => {
    if (options.printConfig) {
      const { fullForm } = await import('../../node/config/full-form.ts')
      process.stdout.write(await fullForm(config))
      return
    }
    refuseSharedOutput(options)
    if (options.queue !== undefined) collectEarly()
    const { Watchdog } = await import('../../node/watchdog/watchdog.ts')
    const watchdog = new Watchdog()
    const log = await (await import('./run-watchers.ts')).openWatchers(options)
    const off = onCrash(log, options.json)
    try {
      refuseFlags(options)
      if (options.queue !== undefined) queueAddress(options.queue)
      await evaluate(config, options, watchdog, log)
    } catch (error) {
      log.finish(failureOfError(error))
      throw error
    } finally {
      off()
      await watchdog.stop()
      await log.close()
    }
  })

async function evaluate(config: string | undefined, given: RunFlags, watchdog: Watchdog, log: RunWatcher): Promise<void> {
  const { openConfig } = await import('../../node/config/open-config.ts')
  const opened = await openConfig(config, given)
  if (given.launch === undefined || given.dryRun) return evaluateOpened(config, opened, given, watchdog, log)
  if (opened === undefined)
    throw new PromptError('missing', { where: '--launch', problem: 'there is no model to start', fix: 'give a config, or --hf-path PATH' })
  const { launchEngines } = await import('../../node/launch/launch-engines.ts')
  const engines = await launchEngines(opened.loaded.config.models, opened.models, {
    engine: given.launch,
    seconds: given.launchTime ?? 1800,
    note: (text) => process.stderr.write(`${colors.yellow('note')} ${text}\n`),
  })
  try {
    const served = await openConfig(config, { ...given, launched: new Map(engines.records.map(({ model, url }) => [model, { url }])) })
    await evaluateOpened(config, served, given, watchdog, log, engines.records)
  } finally {
    await engines.stop()
  }
}

async function evaluateOpened(
  config: string | undefined,
  opened: OpenedConfig | undefined,
  given: RunFlags,
  watchdog: Watchdog,
  log: RunWatcher,
  engines: readonly EngineRecord[] = [],
): Promise<void> {
  const { readServers } = await import('../../node/config/server-flags.ts')
  const { names, servers } = readServers(given)
  const options = { ...given, ...(opened ? { models: opened.models, datasets: opened.datasets } : { models: names }) } as RunFlags
  const isShipped = opened === undefined || opened.loaded.file === quickstart
  // The quickstart can be named, and its results go to the working folder all the same.
  const found = isShipped ? undefined : opened.loaded.file
  const { withGuardedTemplates } = await import('../../node/templates/guard-config.ts')
  refuseFormats(options)
  const model = await modelGiven(options)
  if (options.batchSize !== undefined) process.stderr.write(`${colors.yellow('note')} ${batchNote}\n`)
  const base = await runnable(opened?.loaded ?? (await ownQuestions(given, servers)), options)
  // Tasks may make their rows with the tokenizer of the model.
  const preset = await withPreset(model ? withModel(base, model) : base, options, isShipped)
  const { withCompat } = await import('../../node/config/dataset-flags.ts')
  const whole = withServerWait(withEpochs(withCompat(preset, options.compat), options.epochs), options.waitForServer)
  const priced = options.prices === undefined ? whole : (await import('../../node/config/read-prices.ts')).withPrices(whole, options.prices)
  const loaded = withGuardedTemplates(await withFormat(priced, options), watchdog.compile)
  warnConfig(loaded)
  const name =
    opened?.name ??
    (found === undefined
      ? (options.preset ?? (options.tasks === undefined ? 'quickstart' : nameOfTasks(options.tasks)))
      : runName(loaded.file))
  // Results of the quickstart and of named config files go to the working directory, not next to the config.
  const evaluation = { ...evaluationOptions(options, name), ...(found ? {} : { outputsIn: process.cwd() }) }
  if (options.dryRun) {
    const { showDryRun } = await import('./show-dry-run.ts')
    const failure = await showDryRun(loaded, evaluation, { isJson: options.json, output: outputOf(options) })
    log?.finish(failure)
    return
  }
  await refuseChecks(loaded, options)
  if (options.outputPath !== undefined)
    (await import('../../node/tasks/write-harness-results.ts')).checkHarnessOutput(loaded, evaluation, options.outputPath, model?.given)
  const { runWithProgress } = await import('./run-with-progress.ts')
  const done = await runWithProgress(loaded, evaluation, resumeCommand(config, given, opened?.name !== undefined), watchdog, options, log)
  await writeHarnessFiles(done, options, model)
  await recordPrograms(done.folder, engines)
  const checked = reportRun(done.summary, options, options.json ? process.stderr : outputOf(options))
  await printRun(
    done,
    loaded,
    options,
    found === undefined && [options.preset, options.tasks, options.baseUrl, options.model].every((flag) => flag === undefined),
    checked,
  )
  const failure = runFailure(done, loaded, checked, options.allowFailed)
  log.finish(failure, done.unfinished)
  setExitCode(failure)
}

/** Records the engines that were started, and the Python that ran own classes, beside the config of the run. */
async function recordPrograms(folder: string, engines: readonly EngineRecord[]): Promise<void> {
  const { ownPythonInUse } = await import('../../node/with-python/use-own-python.ts')
  const python = ownPythonInUse()?.versions
  if (engines.length === 0 && (python === undefined || Object.keys(python).length === 0)) return
  writeFileSync(join(folder, 'configs', 'programs.json'), `${JSON.stringify({ engines, python }, null, 2)}\n`)
}

/** Where tables and annotations go: standard output, unless it has the events. */
function outputOf({ events }: RunFlags): NodeJS.WritableStream {
  return events === '-' ? process.stderr : process.stdout
}

/** The quickstart, also for a server given only by its address. */
async function ownQuestions({ models, baseUrl, preset, tasks }: RunFlags, servers: Servers): Promise<LoadedConfig> {
  const { loadConfig } = await import('../../node/config/load-config.ts')
  if (baseUrl === undefined || models !== undefined) return loadConfig(quickstart, servers)
  const { quickstartForServer } = await import('./server-quickstart.ts')
  const { config, ...loaded } = await loadConfig(quickstart)
  const isReplaced = preset !== undefined || tasks !== undefined
  return quickstartForServer({ ...loaded, config: isReplaced ? { ...config, datasets: [] } : config }, baseUrl)
}

/** Files that only describe a format or a conversation use the embedded model; those without datasets, the quickstart's. */
async function runnable(given: LoadedConfig, options: RunFlags): Promise<LoadedConfig> {
  const { configuredModels, lacksType } = await import('../runnable-model.ts')
  const models = configuredModels(given, options.formats ?? formatFlagsIn(options)[0]?.[1]) as LoadedConfig['config']['models']
  const loaded = { ...given, config: { ...given.config, models } }
  const areFormats = given.config.models.length > 0 && given.config.models.every(lacksType)
  if ((loaded.recognised === undefined && !areFormats) || loaded.config.datasets.length > 0) return loaded
  const { loadConfig } = await import('../../node/config/load-config.ts')
  const { folder, config } = await loadConfig(quickstart)
  const absolute = (paths: string | string[] | undefined) =>
    typeof paths === 'string' ? resolve(folder, paths) : paths?.map((path) => resolve(folder, path))
  const datasets = config.datasets.map(({ path, train_path: trainPath, ...dataset }) => ({
    ...dataset,
    ...(path === undefined ? {} : { path: absolute(path) }),
    ...(trainPath === undefined ? {} : { train_path: absolute(trainPath) }),
  })) as LoadedConfig['config']['datasets']
  process.stderr.write(`${colors.yellow('note')} it has no datasets: those of the quickstart are used\n`)
  return { ...loaded, config: { ...loaded.config, datasets } }
}

/** `--epochs`: several answers to each row, of every dataset. */
function withEpochs(loaded: LoadedConfig, n: number | undefined): LoadedConfig {
  if (n === undefined) return loaded
  const { config } = loaded
  return { ...loaded, config: { ...config, datasets: config.datasets.map((dataset) => ({ ...dataset, n })) } }
}

/** `--wait-for-server`: for every model that a server answers for. */
function withServerWait(loaded: LoadedConfig, seconds: number | undefined): LoadedConfig {
  if (seconds === undefined) return loaded
  const { config } = loaded
  const models = config.models.map((model) =>
    'base_url' in model && model.base_url !== undefined ? { ...model, max_server_wait: seconds } : model,
  )
  return { ...loaded, config: { ...config, models: models as LoadedConfig['config']['models'] } }
}

/** Rejects checks of unknown metrics before anything is sent. */
async function refuseChecks(loaded: LoadedConfig, options: RunFlags): Promise<void> {
  if (!options.failUnder) return
  const { plannedPairs } = await import('../../node/runs/planned-pairs.ts')
  const { seed: _, ...selection } = options
  const pairs = plannedPairs(loaded, selection)
  const figures = pairs.flatMap(({ name: { dataset }, model, dataset: { axes }, evaluator: { metric, unit, beside = [] } }) =>
    [{ metric, unit }, ...beside].map((figure) => ({ dataset, axes: { ...axes, ...model.axes }, ...figure })),
  )
  refuseUnknownChecks(options.failUnder, figures, loaded.config.summarizer?.summary_groups?.map(({ name }) => name) ?? [])
}

const batchNote = '--batch-size changes nothing here: rows are sent one by one, as many at once as the model serves (--max-num-workers)'

/** The model of `--model`, which replaces those of the config. */
async function modelGiven(options: RunFlags): Promise<HarnessModel | undefined> {
  if (options.model === undefined && options.modelArgs === undefined) return undefined
  const other = options.models === undefined ? options.baseUrl && '--base-url' : '--models'
  if (other) throw new PromptError('both', { where: '--model', problem: `${other} is also given`, fix: 'keep one of them' })
  return (await import('../../node/config/harness-model.ts')).harnessModel(options)
}

function withModel(loaded: LoadedConfig, { config, notes }: HarnessModel): LoadedConfig {
  const models = [config] as LoadedConfig['config']['models']
  return { ...loaded, config: { ...loaded.config, models, warnings: [...loaded.config.warnings, ...notes] } }
}

/** Writes the results of tasks as lm-evaluation-harness does, and reports where. */
async function writeHarnessFiles(done: EvaluationRun, options: RunFlags, model: HarnessModel | undefined): Promise<void> {
  const { outputPath: path, logSamples = false, batchSize, genKwargs, metadata: given } = options
  if (path === undefined) return
  if (done.unfinished > 0) {
    process.stderr.write(`${colors.yellow('note')} --output-path: nothing is written before the run is complete; resume it with -r\n`)
    return
  }
  const { writeHarnessResults } = await import('../../node/tasks/write-harness-results.ts')
  const { readSettings } = await import('../../node/tasks/key-values.ts')
  const generation = genKwargs === undefined ? undefined : readSettings(genKwargs, '--gen-kwargs')
  const metadata = given === undefined ? undefined : readSettings(given, '--metadata')
  const output = { path, logSamples, batchSize, generation, metadata, modelArguments: model?.given }
  const { files, notes } = await writeHarnessResults(done, output)
  for (const note of notes) process.stderr.write(`${colors.yellow('note')} ${note}\n`)
  for (const file of files) process.stderr.write(`${colors.dim(`wrote ${relative(process.cwd(), file) || file}`)}\n`)
}

async function withFormat(loaded: LoadedConfig, options: RunFlags): Promise<LoadedConfig> {
  return formatFlagsIn(options).length === 0 ? loaded : (await import('../given-format.ts')).inGivenFormat(loaded, options)
}

function refuseFormats(options: RunFlags): void {
  const [given] = formatFlagsIn(options)
  if (options.formats === undefined || given === undefined) return
  throw new PromptError('two-formats', {
    where: `--formats, ${given[0]}`,
    problem: 'formats are set in two ways',
    fix: 'list all of them with --formats, or set only one',
  })
}

/** Replaces the config's datasets by those of `--preset` or `--tasks`; without a config, uses the embedded model in its own format. */
async function withPreset(loaded: LoadedConfig, options: RunFlags, isQuickstart: boolean): Promise<LoadedConfig> {
  const {
    preset,
    data,
    shots,
    subjects,
    tasks,
    includePath,
    numFewshot,
    applyChatTemplate,
    fewshotAsMultiturn,
    systemInstruction,
    genKwargs,
    dataDir,
    samples,
    metadata,
    pythonPackages,
  } = options
  const ofTasks = [
    ...[tasks, includePath, numFewshot, applyChatTemplate, fewshotAsMultiturn, systemInstruction, genKwargs, dataDir, samples, metadata],
    pythonPackages,
  ]
  const hasFormat = formatFlagsIn(options).length > 0
  if (isQuickstart && hasFormat && preset === undefined && tasks === undefined)
    return { ...loaded, config: { ...loaded.config, models: loaded.config.models.slice(0, 1) } }
  if ([preset, data, shots, subjects, ...ofTasks].every((flag) => flag === undefined)) return loaded
  const { withDatasetFlags } = await import('../../node/config/dataset-flags.ts')
  const { config, ...rest } = await withDatasetFlags(loaded, options)
  return { ...rest, config: isQuickstart ? { ...config, models: config.models.slice(0, 1) } : config }
}

function evaluationOptions(options: RunFlags, name: string): EvaluationOptions {
  const { seed, workDir, stop: stopTexts, maxNumWorkers: workers, prompts, reuse, retryErrors, cache } = options
  return {
    // The default cache folder is not recorded.
    ...pickRemembered({
      ...options,
      ...(typeof seed === 'number' ? { seed } : { seed: undefined }),
      stopTexts,
      workers,
      prompts: prompts || undefined,
      cache: cache === true ? undefined : cache,
    }),
    ...limitsGiven(options),
    ...(workDir === undefined ? {} : { workDir }),
    name,
    ...(options.score ? {} : { score: false }),
    ...(options.queue === undefined ? {} : { queue: redisQueue(queueAddress(options.queue), { waitForWorkers: options.waitForWorkers }) }),
    retryErrors,
    retryCut: options.retryCut,
    ...(reuse === undefined ? {} : { reuse: reuse === true ? 'latest' : reuse }),
  }
}

function limitsGiven({ maxCost, maxTokensTotal, maxTime }: RunFlags): LimitOptions {
  const read = (limit: number | 'none' | undefined) => (limit === 'none' ? null : limit)
  return { maxCost: read(maxCost), maxTokensTotal: read(maxTokensTotal), maxTime: read(maxTime) }
}

/** The command that resumes this run: the same arguments, and -r with its time. */
export function resumeCommand(config: string | undefined, options: RunFlags, isNamed: boolean): (folder: string) => string {
  const { prices, workDir, shard, preset, data, mode, shots, subjects, models, datasets, baseUrl, judge } = options
  const { tasks, includePath = [], numFewshot, applyChatTemplate, fewshotAsMultiturn, systemInstruction, genKwargs, dataDir } = options
  const { seed, samples, metadata, pythonPackages } = options
  const { model, modelArgs, outputPath, logSamples } = options
  const described = openCompassFlagsIn(options)
  const ofTasks = {
    tasks,
    'num-fewshot': numFewshot,
    'apply-chat-template': applyChatTemplate,
    'fewshot-as-multiturn': fewshotAsMultiturn,
    'system-instruction': systemInstruction,
    'gen-kwargs': genKwargs,
    'data-dir': dataDir,
    seed: tasks === undefined ? undefined : seed,
    samples,
    metadata,
    'python-packages': pythonPackages,
    'output-path': outputPath,
    'log-samples': logSamples,
  }
  return (folder) => {
    // Config file names are repeated; names of entries are recorded with the run.
    const named = isNamed ? { models, datasets } : models?.includes('=') ? { models } : {}
    const flags = Object.entries({
      preset,
      data,
      mode,
      shots,
      subjects,
      ...named,
      'base-url': baseUrl,
      judge,
      model,
      'model-args': modelArgs,
      ...described,
      ...ofTasks,
    })
    const words = [
      ...(config === undefined ? [] : [config]),
      ...flags.flatMap(([name, value]) => (value === undefined ? [] : value === true ? [`--${name}`] : [`--${name}`, String(value)])),
      ...includePath.flatMap((path) => ['--include-path', path]),
      ...formatFlagsIn(options).flat(),
      ...(prices === undefined ? [] : ['--prices', prices]),
      ...(workDir === undefined ? [] : ['-w', workDir]),
      ...(shard === undefined ? [] : ['--shard', shard]),
      ...(options.queue === undefined ? [] : shownQueue(options.queue)),
      ...(options.waitForWorkers === undefined ? [] : ['--wait-for-workers', waitText(options.waitForWorkers)]),
      ...(options.allowFailed === undefined ? [] : ['--allow-failed', options.allowFailed.text]),
    ]
    return [`${ownCommand()} run`, ...words.map((word) => quoteWord(word)), '-r', basename(folder)].join(' ')
  }
}

/** The flags that describe models, data and what runs them, by their names. */
function openCompassFlagsIn(options: RunFlags): Record<string, unknown> {
  const { hfPath, hfType, tokenizerPath, modelKwargs, tokenizerKwargs, generationKwargs, peftPath, maxSeqLen, hfNumGpus } = options
  const { customDatasetPath, customDatasetMetaPath, customDatasetDataType, customDatasetInferMethod } = options
  const { launch, withPython, pythonEnv, opencompass } = options
  return {
    'hf-path': hfPath,
    'hf-type': hfType,
    'tokenizer-path': tokenizerPath,
    'model-kwargs': modelKwargs,
    'tokenizer-kwargs': tokenizerKwargs,
    'generation-kwargs': generationKwargs,
    'peft-path': peftPath,
    'max-seq-len': maxSeqLen,
    'hf-num-gpus': hfNumGpus,
    'custom-dataset-path': customDatasetPath,
    'custom-dataset-meta-path': customDatasetMetaPath,
    'custom-dataset-data-type': customDatasetDataType,
    'custom-dataset-infer-method': customDatasetInferMethod,
    launch,
    opencompass,
    'with-python': withPython === 'true' ? true : withPython,
    'python-env': pythonEnv,
  }
}

function waitText(seconds: number): string {
  return Number.isFinite(seconds) ? `${seconds}s` : 'forever'
}

/** A folder name for tasks given by name or file. */
export function nameOfTasks(tasks: string): string {
  const names = tasks.split(',').map((task) => basename(task.trim()).replace(/\.ya?ml$/, ''))
  return names
    .join('+')
    .replace(/[^\w.+-]+/g, '-')
    .slice(0, 80)
}
