import type { Value } from '@rolecall/core/internal/python'
import { makeDict, pyFloat } from '@rolecall/core/internal/python'
import { examplesOfRow, keysOf, type TaskSpec, taskOf, taskRows } from '../dataset/task-spec.ts'
import { defaultSeeds } from '../default-seeds.ts'
import { defaultResamples, type TaskResults } from '../evaluate-task.ts'
import { metricsOfTask } from '../metric/task-metrics.ts'
import { dumpConfig, versionOf } from './dump-config.ts'

/** The metrics of a task, and the hash of its samples if they are logged. */
export type ReportedTask = { name: string; spec: TaskSpec; figures: TaskResults['figures']; hash?: string | undefined }

/** A group of tasks; `figures` if it aggregates metrics. */
export type ReportedGroup = { name: string; tasks: readonly string[]; figures?: TaskResults['figures'] | undefined }

/** The model and the settings of a run. */
export type ReportedRun = {
  /** The kind of model in lm-evaluation-harness, e.g. `local-completions`. */
  source: string
  model: string
  modelArguments: ReadonlyMap<string, Value>
  /** What is added to the metadata of every task: the arguments of the model and those of `--metadata`. */
  metadata: ReadonlyMap<string, Value>
  batchSize: Value
  limit: number | undefined
  generation: ReadonlyMap<string, Value>
  chatTemplate: string | null
  /** When the run started, in seconds since 1970. */
  date: number
  seconds: number
  version: string
  environment: string
}

/** The content of `results_*.json`. The version of the harness is replaced by that of Rolecall, and what only Python packages know is "N/A". */
export function resultsDocument(
  tasks: readonly ReportedTask[],
  groups: readonly ReportedGroup[],
  run: ReportedRun,
  sha256: (text: string) => string,
): Value {
  const shots = new Map(tasks.map(({ name, spec }) => [name, shotsOf(spec)]))
  const directions = new Map(tasks.map((task) => [task.name, directionsOf(task)]))
  const groupEntries = groups.map((group): [string, Value] => [group.name, groupResult(group, tasks)])
  const aggregated = groupEntries.filter((_, index) => groups[index]!.figures !== undefined)
  for (const { name, tasks: members } of groups) {
    const counts = new Set(members.flatMap((member) => shots.get(member) ?? []))
    const [only] = counts
    if (counts.size === 1 && only !== undefined) shots.set(name, only)
    directions.set(name, commonDirections(members.flatMap((member) => directions.get(member) ?? [])))
  }
  const [first] = tasks
  const {
    apply_chat_template: isChat = false,
    fewshot_as_multiturn: isMultiturn = false,
    system_instruction: system = null,
    seeds = defaultSeeds,
  } = first?.spec ?? {}
  return makeDict([
    ['results', makeDict([...tasks.map((task): [string, Value] => [task.name, taskResult(task)]), ...groupEntries])],
    ...(aggregated.length === 0 ? [] : [['groups', makeDict(aggregated)] as const]),
    ['group_subtasks', makeDict(groups.map(({ name, tasks: members }) => [name, [...members]]))],
    [
      'configs',
      sorted(tasks.map(({ name, spec }) => [name, dumpConfig(spec, { numFewshot: shots.get(name) ?? 0, metadata: run.metadata })])),
    ],
    ['versions', sorted(tasks.map(({ name, spec }) => [name, versionOf(spec)]))],
    ['n-shot', sorted([...shots])],
    ['higher_is_better', sorted([...directions].map(([name, all]) => [name, makeDict(all)]))],
    [
      'n-samples',
      makeDict(
        tasks.map(({ name, spec, figures }) => [
          name,
          makeDict([
            ['original', spec.selected?.of ?? spec.rows.length],
            ['effective', figures.sample_len ?? 0],
          ]),
        ]),
      ),
    ],
    [
      'config',
      makeDict([
        ['model', run.source],
        ['model_args', makeDict(run.modelArguments)],
        ['batch_size', run.batchSize],
        ['batch_sizes', []],
        ['device', null],
        ['use_cache', null],
        ['limit', run.limit === undefined ? null : pyFloat(run.limit)],
        ['bootstrap_iters', defaultResamples],
        ['gen_kwargs', makeDict(run.generation)],
        ...['random_seed', 'numpy_seed', 'torch_seed', 'fewshot_seed'].map((name, place) => [name, seeds[place] ?? null] as const),
      ]),
    ],
    ['git_hash', null],
    ['date', pyFloat(run.date)],
    ['pretty_env_info', run.environment],
    ['transformers_version', 'N/A'],
    ['lm_eval_version', run.version],
    ['upper_git_hash', null],
    ['task_hashes', makeDict(tasks.flatMap(({ name, hash }) => (hash === undefined ? [] : [[name, hash] as const])))],
    ['model_source', run.source],
    ['model_name', run.model],
    ['model_name_sanitized', sanitizedName(run.model)],
    ['system_instruction', system],
    ['system_instruction_sha', system ? sha256(system) : null],
    ['fewshot_as_multiturn', isChat ? isMultiturn : null],
    ['chat_template', isChat ? run.chatTemplate : null],
    ['chat_template_sha', isChat && run.chatTemplate ? sha256(run.chatTemplate) : null],
    ['total_evaluation_time_seconds', String(run.seconds)],
  ])
}

/** A model's name as a folder, as lm-evaluation-harness writes it. */
export function sanitizedName(model: string): string {
  return model.replace(/["<>:/|\\?*[\]]+/g, '__')
}

function taskResult({ name, spec, figures }: ReportedTask): Value {
  const { sample_len: size = 0, ...metrics } = figures
  return makeDict([['name', name], ['alias', keysOf(spec).get('task_alias') ?? name], ['sample_len', size], ...metricEntries(metrics)])
}

function groupResult({ name, tasks: members, figures }: ReportedGroup, tasks: readonly ReportedTask[]): Value {
  const head: [string, Value][] = [
    ['alias', name],
    ['name', name],
  ]
  if (figures === undefined) return makeDict(head)
  const { sample_len: size = 0, ...metrics } = figures
  const counts = Object.keys(metrics).flatMap((metric): [string, Value][] => {
    if (metric.includes('_stderr,')) return []
    const having = tasks.filter(({ name: task, figures: own }) => members.includes(task) && metric in own)
    return [[metric, having.reduce((sum, { figures: own }) => sum + Number(own.sample_len ?? 0), 0)]]
  })
  return makeDict([...head, ['sample_len', size], ...metricEntries(metrics), ['sample_count', makeDict(counts)]])
}

function metricEntries(metrics: TaskResults['figures']): [string, Value][] {
  return Object.entries(metrics).map(([key, value]) => [key, typeof value === 'number' ? pyFloat(value) : value])
}

function shotsOf(spec: TaskSpec): number {
  const [first] = taskRows(spec.rows)
  return first === undefined ? 0 : examplesOfRow(spec, first).length
}

/** A metric whose function returns several figures, such as pass@1, gives them its direction. */
function directionsOf({ spec, figures }: ReportedTask): [string, Value][] {
  const { config, find } = taskOf(spec)
  const metrics = metricsOfTask(config, find)
  const known = metrics.map(({ name, higherIsBetter }): [string, Value] => [name, higherIsBetter])
  if (config.processResults) return known
  const reported = new Set(Object.keys(figures).flatMap((key) => (/_stderr,|^[^,]*$/.test(key) ? [] : [key.slice(0, key.indexOf(','))])))
  const [source, ...others] = metrics.filter(({ name }) => !reported.has(name))
  if (source === undefined || others.length > 0) return known
  const returned = [...reported].filter((name) => metrics.every((metric) => metric.name !== name))
  return [...known, ...returned.map((name): [string, Value] => [name, source.higherIsBetter])]
}

/** Tasks that contradict each other leave the direction open. */
function commonDirections(all: readonly [string, Value][]): [string, Value][] {
  const found = new Map<string, Value>()
  for (const [metric, direction] of all) found.set(metric, !found.has(metric) || found.get(metric) === direction ? direction : null)
  return [...found]
}

function sorted(entries: readonly (readonly [string, Value])[]): Value {
  return makeDict([...entries].sort(([one], [other]) => (one < other ? -1 : 1)))
}
