import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { makeDict, PyFloat, type PyValue } from '@rolecall/core/internal/python'
import { checkTask, refuseUnsupported } from '../../compat/lm-eval/check-task.ts'
import { rowsOfTask } from '../../compat/lm-eval/dataset/documents-as-rows.ts'
import { resampleNotes } from '../../compat/lm-eval/dataset/task-evaluator.ts'
import { type TaskSpec, toTaskData } from '../../compat/lm-eval/dataset/task-spec.ts'
import { defaultSeeds } from '../../compat/lm-eval/default-seeds.ts'
import { groupMetrics } from '../../compat/lm-eval/group-metrics.ts'
import { exampleSampler } from '../../compat/lm-eval/prompt/sample-examples.ts'
import { type FunctionHost, functionHost, randomSource } from '../../compat/lm-eval/python/function-host.ts'
import { libraryNotes } from '../../compat/lm-eval/python/library-notes.ts'
import { nothingProvided } from '../../compat/lm-eval/python/provided.ts'
import { isGenerationSetting } from '../../compat/lm-eval/stop-texts.ts'
import { openTask } from '../../compat/lm-eval/task/task.ts'
import { readTask, type TaskConfig } from '../../compat/lm-eval/task/task-config.ts'
import { askedSplit, docsOfTask, exampleSplit } from '../../compat/lm-eval/task/task-docs.ts'
import type { FindFunction } from '../../compat/lm-eval/task/task-function.ts'
import type { TaskKeys } from '../../compat/lm-eval/yaml/load-task-file.ts'
import type { SummaryGroup } from '../../evaluation/config/summary-group-schema.ts'
import type { RandomSource } from '../../python/interpreter/modules/random-module.ts'
import { modelArguments } from '../config/harness-arguments.ts'
import { harnessServer } from '../config/harness-model.ts'
import { classRows } from './class-rows.ts'
import { evalYamlTasks, isHubTask } from './eval-yaml-tasks.ts'
import { functionsWithFiles, refuseOtherCode, scoringKeys, startedFunctions } from './functions-with-files.ts'
import { installedTasks } from './installed-tasks.ts'
import { readSettings } from './key-values.ts'
import { customRows, type Loaders, withLoaded } from './loaded-rows.ts'
import { packageDataNotes, packageFile, pythonNote, pythonPackagesOf, wheelsIn } from './python-packages.ts'
import { explainFilter } from './registered-filters.ts'
import { checkSamples, readSamples, selectDocs } from './select-docs.ts'
import { pageOf, rowsOfRequest, rowsOfSplit, type TaskPlace } from './task-data.ts'
import { type FoundGroup, type FoundTask, TaskIndex } from './task-index.ts'
import { taskInferencer } from './task-inferencer.ts'
import { type MetadataFlags, metadataOf, withTokenizer } from './task-metadata.ts'
import { taskTokenizer } from './task-tokenizer.ts'

/** The task flags of lm-evaluation-harness. */
export type TaskFlags = MetadataFlags & {
  tasks?: string
  includePath?: string[]
  numFewshot?: number
  applyChatTemplate?: boolean
  fewshotAsMultiturn?: boolean
  systemInstruction?: string
  /** `temperature=0.7,max_gen_toks=64`: overrides `generation_kwargs`. */
  genKwargs?: string
  logSamples?: boolean
  dataDir?: string
  /** One seed for everything that is random, or those of `random`, numpy, torch and the few-shot examples. */
  seed?: number | readonly number[]
  /** The documents to evaluate, as JSON or the path of a JSON file: `{"arc_easy": [0, 5]}`. */
  samples?: string
  /** The kind of the model, which may be one of the harness's servers. */
  model?: string
  /** A folder with pure-Python wheels, for functions that import them. */
  pythonPackages?: string
}

export type TaskDatasets = { datasets: object[]; groups: SummaryGroup[]; notes: Note[] }

/** Converts tasks to datasets: their documents become rows, their templates prompts. */
export async function taskDatasets(flags: TaskFlags & { tasks: string }): Promise<TaskDatasets> {
  try {
    return await readTasks(flags)
  } catch (error) {
    throw withRoot(error)
  }
}

/** Task files are addressed without the leading slash; error messages restore it. */
export function withRoot(error: unknown): unknown {
  if (!(error instanceof PromptError) || !/^[^\s/›]+\/[^›]*\.(?:ya?ml|py)(?::|$| ›)/.test(error.where)) return error
  return new PromptError(error.code, { where: `/${error.where}`, problem: error.problem, fix: error.fix })
}

async function readTasks(flags: TaskFlags & { tasks: string }): Promise<TaskDatasets> {
  if (flags.metadata !== undefined) readSettings(flags.metadata, '--metadata')
  if (flags.pythonPackages !== undefined) wheelsIn(flags.pythonPackages)
  const installed = installedTasks()
  const index = new TaskIndex(flags.includePath ?? [], installed)
  const names = flags.tasks
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const found = names.filter((name) => !isHubTask(name)).map((name) => index.find(name))
  const tasks = new Map(found.flatMap((each) => each.tasks).map((task) => [task.name, task]))
  checkSamples(flags.samples, [...tasks.keys()])
  const notes: Note[] = unsentSettings(flags)
  if (index.fromInstalled.size > 0) {
    const [first, ...others] = index.fromInstalled
    const shown = others.length === 0 ? first : `${first} and ${others.length} more`
    notes.push({ code: 'installed-tasks', text: `${shown}: task files of the installed lm_eval in ${installed.folder}` })
  }
  const datasets: object[] = []
  for (const name of names.filter(isHubTask)) {
    notes.push(...unusedFlags(name, flags))
    datasets.push(...(await evalYamlTasks(name, (note) => notes.push(note))))
  }
  // As in the harness, the random numbers of one task follow those of the task before.
  const random = randomSource(seedsOf(flags)?.[0])
  for (const task of tasks.values()) datasets.push(await datasetOf(task, index, flags, notes, checkingHost(index, flags), random))
  if (flags.pythonPackages !== undefined && !notes.some(({ code }) => code === 'python-packages' || code === 'package-data'))
    notes.push({
      code: 'unused-packages',
      text: '--python-packages changes nothing: no function of these tasks that scores replies imports its packages',
    })
  const groups = new Map(found.flatMap((each) => each.groups).map((group) => [group.name, group]))
  return { datasets, groups: [...groups.values()].map(summaryGroup), notes }
}

function seedsOf({ seed }: TaskFlags): readonly number[] | undefined {
  return typeof seed === 'number' ? defaultSeeds.map(() => seed) : seed
}

function settingsOf({ genKwargs }: TaskFlags): Map<string, PyValue> {
  return genKwargs === undefined ? new Map() : readSettings(genKwargs, '--gen-kwargs')
}

/** Settings of `--gen-kwargs` that only a server understands; `--model` sends them. */
function unsentSettings(flags: TaskFlags): Note[] {
  const unsent = [...settingsOf(flags).keys()].filter((name) => !isGenerationSetting(name))
  if (flags.modelArgs !== undefined || unsent.length === 0) return []
  const text = 'not sent: Rolecall does not sample with it; for a server, write it in extra_body of the model'
  return [{ code: 'unused-setting', where: `--gen-kwargs › ${unsent.join(', ')}`, text }]
}

/** Flags of the harness that an eval.yaml has no place for. */
function unusedFlags(name: string, flags: TaskFlags): Note[] {
  const given = {
    '--num-fewshot': flags.numFewshot,
    '--apply-chat-template': flags.applyChatTemplate,
    '--fewshot-as-multiturn': flags.fewshotAsMultiturn,
    '--system-instruction': flags.systemInstruction,
    '--gen-kwargs': flags.genKwargs,
    '--data-dir': flags.dataDir,
    '--metadata': flags.metadata,
    '--python-packages': flags.pythonPackages,
  }
  const unused = Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  return unused.length === 0
    ? []
    : [{ code: 'unused-flag', where: name, text: `no effect: ${unused.join(', ')}; eval.yaml defines the prompt and the rows` }]
}

/** A group weights its tasks by size unless it says otherwise. */
function summaryGroup({ name, tasks, metrics, file }: FoundGroup): SummaryGroup {
  const figures = groupMetrics(metrics, `/${file}`)?.map(({ metric, filters, weightBySize }) => {
    return { metric, ...(filters ? { filters: [...filters] } : {}), weighted_by: weightBySize ? ('rows' as const) : ('datasets' as const) }
  })
  return { name, subsets: [...tasks], weighted_by: figures?.[0]?.weighted_by ?? 'rows', ...(figures ? { figures } : {}) }
}

/** Finds functions to check them, before the data that they load is available; the data of packages is. */
export function checkingHost(index: TaskIndex, { pythonPackages }: TaskFlags, lacks?: ReadonlySet<string>): FunctionHost {
  const provided = { ...nothingProvided, packageFile: (path: string) => packageFile(pythonPackages, path) }
  return functionHost(index.read, { provided, ...(lacks ? { lacks } : {}) })
}

/** Converts a task to a dataset. What is wrong with the task itself is reported before data that is not there. */
export async function datasetOf(
  { name, file, keys: own }: FoundTask,
  index: TaskIndex,
  flags: TaskFlags,
  notes: Note[] = [],
  /** Finds functions for the check; many tasks can share one, which reads each Python file once. */
  shared: FindFunction = checkingHost(index, flags),
  random: RandomSource = randomSource(seedsOf(flags)?.[0]),
): Promise<object> {
  const shown = `/${file}`
  const seeds = seedsOf(flags)
  const keys = withGeneration(own, shown, settingsOf(flags))
  const config = checked(() => checkTask(keys, shown, shared), keys, index)
  notes.push(...config.notes)
  const shots = shotsOf(config, flags.numFewshot)
  if (shots > 0 && (config.docToImage !== null || config.docToAudio !== null))
    throw new PromptError('bad-task', {
      where: config.where,
      problem: 'the images and audio of examples cannot be shown: lm-evaluation-harness passes only those of the question',
      fix: 'use --num-fewshot 0',
    })
  if (shots > 0 && config.own)
    throw new PromptError('bad-task', {
      where: config.where,
      problem:
        'a task that is a class has no examples here: in lm-evaluation-harness, they fail unless doc_to_text takes a second argument',
      fix: 'use --num-fewshot 0',
    })
  if (config.runsCode) refuseOtherCode(keys, config.where, index)
  const python = pythonPackagesOf(flags.pythonPackages, functionsWithFiles(scoringKeys(keys), index).sources, config, (lacks) =>
    checkingHost(index, flags, lacks),
  )
  refuseUnsupported(keys, config, shared, python?.functions)
  if (python) notes.push(pythonNote(name, python.functions, python.names))
  const place: TaskPlace = { file, dataDir: flags.dataDir, note: (note) => notes.push(note) }
  const given = config.customDataset || config.own ? undefined : await rowsBySplit(config, shots, place)
  const metadata = config.customDataset
    ? withTokenizer(metadataOf(keys, shown, flags), config.customDataset, shared, flags, notes)
    : undefined
  const loaders: Loaders = {
    rows: (request) => rowsOfRequest(config, request, place),
    tokenizer: taskTokenizer,
    page: (url) => pageOf(url, place, config.where),
    packageFile: (path) => packageFile(flags.pythonPackages, path),
  }
  const before = random.random
  // The files of all functions are stored with the task.
  const {
    find,
    sources,
    docs: all,
    pool,
    notes: noted,
  } = await withLoaded(loaders, (provided) => {
    const functions = startedFunctions(keys, index, { random, numpySeed: seeds?.[1], provided }, [before, randomSource(seeds?.[0]).random])
    const rows = given ?? (metadata ? customRows(config, functions.find, metadata) : classRows(config, functions.find))
    return { ...functions, ...docsOfTask(config, (split) => rows.get(split), functions.find) }
  })
  notes.push(...packageDataNotes(name, flags.pythonPackages, sources))
  const { docs, selected } = selectDocs(all, readSamples(flags.samples)?.get(name), shown)
  const task = openTask(config, docs, pool, find)
  const named = ({ code, text }: Note): Note => ({ code, text: `${name}: ${text}` })
  notes.push(...[...noted, ...resampleNotes(task), ...(python ? [] : libraryNotes(sources, find.absent))].map(named))
  const draw = exampleSampler(task, config.outputType === 'loglikelihood_rolling' ? 0 : shots, seeds?.[3])
  const { rows, pool: used, notes: drawn } = rowsOfTask(task, find, shots, draw, sources)
  notes.push(...drawn.map(named))
  const spec: TaskSpec = {
    file: shown,
    task: Object.fromEntries([...keys].map(([key, value]) => [key, plain(toTaskData(value))])),
    files: sources,
    rows,
    pool: used,
    apply_chat_template: flags.applyChatTemplate ?? false,
    // The default of lm-evaluation-harness.
    fewshot_as_multiturn: flags.fewshotAsMultiturn ?? flags.applyChatTemplate ?? false,
    ...(flags.systemInstruction === undefined ? {} : { system_instruction: flags.systemInstruction }),
    ...(python ? { python: { wheels: python.wheels, functions: python.functions } } : {}),
    ...(seeds ? { seeds } : {}),
    ...(selected ? { selected } : {}),
    ...(flags.logSamples ? { log_samples: true } : {}),
  }
  return {
    abbr: name,
    ...(config.repeats > 1 ? { n: config.repeats } : {}),
    infer_cfg: { inferencer: taskInferencer(task, settingsOf(flags), harnessServer(flags.model, modelArguments(flags.modelArgs))) },
    lm_eval: spec,
  }
}

function checked(check: () => TaskConfig, keys: TaskKeys, index: TaskIndex): TaskConfig {
  try {
    return check()
  } catch (error) {
    throw explainFilter(error, () => functionsWithFiles(keys, index).sources)
  }
}

/** `--gen-kwargs` overrides what a task that generates says. */
function withGeneration(keys: TaskKeys, file: string, given: ReadonlyMap<string, PyValue>): TaskKeys {
  if (given.size === 0) return keys
  if (keys.has('class'))
    throw new PromptError('bad-task', {
      where: `--gen-kwargs › ${file}`,
      problem: 'the class of a task sets how it generates',
      fix: 'leave it out, or leave the task out',
    })
  const { outputType, generation } = readTask(keys, file)
  if (outputType !== 'generate_until') return keys
  return new Map([...keys, ['generation_kwargs', makeDict([...generation, ...given])]])
}

/** A task with `num_fewshot: 0` stays zero-shot; otherwise the flag overrides it. */
function shotsOf(config: TaskConfig, flag: number | undefined): number {
  return config.numFewshot === 0 ? 0 : (flag ?? config.numFewshot ?? 0)
}

async function rowsBySplit(config: TaskConfig, shots: number, place: TaskPlace): Promise<Map<string, Row[]>> {
  const rows = new Map<string, Row[]>()
  const examples = exampleSplit(config)
  for (const split of new Set([askedSplit(config), ...(examples === undefined ? [] : [examples])])) {
    try {
      rows.set(split, await rowsOfSplit(config, split, place))
    } catch (error) {
      // In a zero-shot task, the split for examples may be missing.
      if (split !== askedSplit(config) && shots === 0 && error instanceof PromptError) rows.set(split, [])
      else throw error
    }
  }
  return rows
}

/** Converts values to plain JSON. */
function plain(value: PyValue): unknown {
  if (value instanceof PyFloat) return value.value
  if (Array.isArray(value)) return value.map((item) => plain(item as PyValue))
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item as PyValue)]))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item as PyValue)]))
  return value
}
