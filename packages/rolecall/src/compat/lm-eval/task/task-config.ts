import type { Note } from '@rolecall/core/internal/errors'
import { nearestName, PromptError, suggestName } from '@rolecall/core/internal/errors'
import { entriesOf, floatOf, intOf, isDictValue, isListValue, type PyValue, pyFloat, type Value } from '@rolecall/core/internal/python'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { TaskKeys } from '../yaml/load-task-file.ts'

export const outputTypes = ['generate_until', 'multiple_choice', 'loglikelihood', 'loglikelihood_rolling'] as const
export type OutputType = (typeof outputTypes)[number]

/** A step of a task's `filter_list`. */
export type FilterStep = { name: string | FunctionMark; options: ReadonlyMap<string, Value>; where: string }
export type FilterPipeline = { name: string; steps: readonly FilterStep[] }

/** An entry of `metric_list`; undefined values default to those of the metric. */
export type MetricConfig = {
  metric: string | FunctionMark
  aggregation: string | FunctionMark | undefined
  higherIsBetter: Value | undefined
  isHuggingFace: boolean
  options: ReadonlyMap<string, Value>
  where: string
}

/** How examples are rendered, if different from documents. */
export type FewshotConfig = {
  sampler: string
  split: string | undefined
  samples: Value | undefined
  processDocs: FunctionMark | undefined
  docToText: Value
  docToTarget: Value
  docToChoice: Value
  genPrefix: Value
  targetDelimiter: string
  fewshotDelimiter: string
}

/** A task of lm-evaluation-harness with its defaults. */
export type TaskConfig = {
  name: string
  /** Where the task is defined, for errors. */
  where: string
  outputType: OutputType
  dataset: { path: string | undefined; name: string | undefined; options: ReadonlyMap<string, Value> }
  splits: { training: string | undefined; validation: string | undefined; test: string | undefined }
  processDocs: FunctionMark | undefined
  /** Makes the rows of all splits. */
  customDataset: FunctionMark | undefined
  processResults: FunctionMark | undefined
  docToText: Value
  docToTarget: Value
  /** Null if the task has no choices. */
  docToChoice: Value
  /** Null if the task has no images, or no audio. */
  docToImage: Value
  docToAudio: Value
  description: Value
  genPrefix: Value
  targetDelimiter: string
  fewshotDelimiter: string
  fewshot: FewshotConfig
  numFewshot: number | undefined
  repeats: number
  /** Whether replies are programs that are run: in the Python sandbox here. */
  runsCode: boolean
  generation: ReadonlyMap<string, Value>
  /** Undefined if the task has none: the first reply is taken, under the name "none". */
  filters: readonly FilterPipeline[] | undefined
  /** Undefined if the task has none: the defaults of its output type apply. */
  metrics: readonly MetricConfig[] | undefined
  notes: readonly Note[]
  /** Of a task that is a class: its name, and the keys that it gives to the harness's own class. */
  own?: { mark: FunctionMark; keys: TaskKeys }
}

/** Keys that affect neither prompts nor scores. */
const silentKeys = [
  'task',
  'task_alias',
  'tag',
  'group',
  'metadata',
  'class',
  'should_decontaminate',
  'doc_to_decontamination_query',
  'dataset_kwargs',
]

/** Unsupported keys that would change prompts. */
const refusedKeys: Readonly<Record<string, string>> = {
  use_prompt: 'prompts of promptsource',
}

const readKeys = [
  'output_type',
  'dataset_path',
  'dataset_name',
  'training_split',
  'validation_split',
  'test_split',
  'fewshot_split',
  'custom_dataset',
  'process_docs',
  'process_results',
  'doc_to_text',
  'doc_to_target',
  'doc_to_choice',
  'doc_to_image',
  'doc_to_audio',
  'description',
  'gen_prefix',
  'target_delimiter',
  'fewshot_delimiter',
  'fewshot_config',
  'num_fewshot',
  'repeats',
  'generation_kwargs',
  'filter_list',
  'metric_list',
  'unsafe_code',
]

const fewshotKeys = [
  'sampler',
  'split',
  'samples',
  'process_docs',
  'fewshot_indices',
  'doc_to_text',
  'doc_to_target',
  'doc_to_choice',
  'gen_prefix',
  'target_delimiter',
  'fewshot_delimiter',
]

/** Reads the keys of a task file; unsupported keys are refused by name, keys without an effect are noted. */
export function readTask(keys: TaskKeys, file: string): TaskConfig {
  const notes: Note[] = []
  const name = typeof keys.get('task') === 'string' ? String(keys.get('task')) : file
  const where = `${file} › ${name}`
  const get = (key: string): Value => keys.get(key) ?? null
  const fail = (key: string, problem: string, fix: string) => new PromptError('bad-task', { where: `${where} › ${key}`, problem, fix })
  const text = (key: string, from: ReadonlyMap<string, Value> = keys, at = key): string | undefined => {
    const value = from.get(key) ?? null
    if (value === null) return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number') return String(value)
    throw fail(at, 'it is not text', 'write a text')
  }
  const func = (key: string, from: ReadonlyMap<string, Value> = keys, at = key): FunctionMark | undefined => {
    const value = from.get(key) ?? null
    if (value === null || value instanceof FunctionMark) return value ?? undefined
    throw fail(at, 'it is not a function', 'write "!function module.name"')
  }
  const map = (key: string): ReadonlyMap<string, Value> | undefined => {
    const value = get(key)
    if (value === null) return undefined
    if (isDictValue(value)) return new Map(entriesOf(value).map(([entry, item]) => [String(entry), item]))
    throw fail(key, 'it is not a map', 'write "key: value" lines below it')
  }

  for (const [key, what] of Object.entries(refusedKeys)) {
    const value = get(key)
    if (value !== null && value !== false)
      throw fail(key, `${what} cannot be followed`, 'leave the task out, or give it as a dataset of your own')
  }
  for (const key of keys.keys()) {
    if (readKeys.includes(key) || silentKeys.includes(key) || key in refusedKeys) continue
    // A misspelt required key is a more useful report than the missing one.
    const meant = nearestName(key, ['doc_to_text', 'doc_to_target'])
    if (meant !== undefined && get(meant) === null) throw fail(key, 'it is not known here', `did you mean "${meant}"?`)
    notes.push({ code: 'unread-key', where: `${where} › ${key}`, text: `it is not read; ${suggestName(key, readKeys)}` })
  }
  const outputType = get('output_type') ?? 'generate_until'
  if (!outputTypes.includes(outputType as OutputType))
    throw fail('output_type', `there is no ${JSON.stringify(outputType)}`, suggestName(String(outputType), outputTypes))
  const mediaAt = (key: string): Value => {
    const value = get(key)
    if (value === null || outputType === 'generate_until') return value
    throw fail(key, `media cannot be scored by log-likelihood (output_type ${outputType})`, 'leave the task out, or use generate_until')
  }
  const common = {
    processDocs: func('process_docs'),
    docToText: get('doc_to_text'),
    docToTarget: get('doc_to_target'),
    docToChoice: get('doc_to_choice'),
    genPrefix: get('gen_prefix'),
    targetDelimiter: text('target_delimiter') ?? (keys.has('target_delimiter') ? '' : ' '),
    fewshotDelimiter: text('fewshot_delimiter') ?? (keys.has('fewshot_delimiter') ? '' : '\n\n'),
  }
  const given = map('fewshot_config') ?? new Map<string, Value>()
  for (const key of given.keys())
    if (!fewshotKeys.includes(key))
      notes.push({
        code: 'unread-key',
        where: `${where} › fewshot_config.${key}`,
        text: `it is not read; ${suggestName(key, fewshotKeys)}`,
      })
  if ((given.get('fewshot_indices') ?? null) !== null)
    notes.push({
      code: 'unread-key',
      where: `${where} › fewshot_config.fewshot_indices`,
      text: 'lm-evaluation-harness does not read it, either',
    })
  const own = (key: string, byDefault: Value): Value => given.get(key) ?? byDefault
  const sampler = given.get('sampler') ?? 'default'
  if (sampler !== 'default' && sampler !== 'first_n')
    throw fail('fewshot_config.sampler', `there is no sampler ${JSON.stringify(String(sampler))}`, 'write default or first_n')
  const fewshot: FewshotConfig = {
    sampler,
    split: text('split', given, 'fewshot_config.split') ?? text('fewshot_split'),
    samples: given.get('samples') ?? undefined,
    processDocs: func('process_docs', given, 'fewshot_config.process_docs') ?? common.processDocs,
    docToText: own('doc_to_text', common.docToText),
    docToTarget: own('doc_to_target', common.docToTarget),
    docToChoice: own('doc_to_choice', common.docToChoice),
    genPrefix: own('gen_prefix', common.genPrefix),
    targetDelimiter: text('target_delimiter', given, 'fewshot_config.target_delimiter') ?? common.targetDelimiter,
    fewshotDelimiter: text('fewshot_delimiter', given, 'fewshot_config.fewshot_delimiter') ?? common.fewshotDelimiter,
  }
  const filters = filtersOf(get('filter_list'), where)
  notes.push(...(filters ?? []).flatMap(({ steps }) => notesOfFilters(steps)))
  const shots = get('num_fewshot')
  const repeats = get('repeats')
  return {
    name,
    where,
    outputType: outputType as OutputType,
    dataset: { path: text('dataset_path'), name: text('dataset_name'), options: map('dataset_kwargs') ?? new Map() },
    splits: { training: text('training_split'), validation: text('validation_split'), test: text('test_split') },
    ...common,
    docToImage: mediaAt('doc_to_image'),
    docToAudio: mediaAt('doc_to_audio'),
    customDataset: func('custom_dataset'),
    processResults: func('process_results'),
    description: get('description'),
    fewshot,
    numFewshot: shots === null ? undefined : Number(shots),
    runsCode: get('unsafe_code') === true,
    repeats: repeats === null ? 1 : Number(intOf(repeats as PyValue) ?? 1n),
    generation: generationOf(map('generation_kwargs'), common.fewshotDelimiter),
    filters,
    metrics: metricsOf(get('metric_list'), where),
    notes,
  }
}

/** `generation_kwargs` with the harness's defaults: all of them if the task has none, only `until` if it has some. */
function generationOf(given: ReadonlyMap<string, Value> | undefined, fewshotDelimiter: string): Map<string, Value> {
  if (given === undefined)
    return new Map<string, Value>([
      ['temperature', pyFloat(0)],
      ['do_sample', false],
      ['max_gen_toks', 256],
      ['until', [fewshotDelimiter]],
    ])
  const made = new Map(given)
  const temperature = floatOf((given.get('temperature') ?? null) as PyValue)
  if (temperature !== undefined) made.set('temperature', pyFloat(temperature))
  if (!made.has('until')) made.set('until', [fewshotDelimiter])
  return made
}

function filtersOf(given: Value, where: string): FilterPipeline[] | undefined {
  if (given === null) return undefined
  return listAt(given, `${where} › filter_list`).map((pipeline, index) => {
    const place = `${where} › filter_list[${index}]`
    const keys = mapAt(pipeline, place)
    const steps = listAt(keys.get('filter') ?? null, `${place}.filter`).map((step, number): FilterStep => {
      const at = `${place}.filter[${number}]`
      const options = mapAt(step, at)
      const name = options.get('function') ?? null
      if (typeof name !== 'string' && !(name instanceof FunctionMark)) throw badList(`${at}.function`, 'it names no filter')
      options.delete('function')
      return { name, options, where: at }
    })
    return { name: String(keys.get('name') ?? `filter ${index}`), steps }
  })
}

/** Filters take lists of replies: after take_first they iterate over the characters of one reply. */
function notesOfFilters(steps: readonly FilterStep[]): Note[] {
  const first = steps.findIndex(({ name }) => name === 'take_first')
  if (first < 0 || first === steps.length - 1) return []
  const text = 'what follows take_first is given the characters of the reply, one by one, as in lm-evaluation-harness'
  return [{ code: 'filters-characters', where: steps[first + 1]!.where, text }]
}

const metricKeys = ['metric', 'aggregation', 'higher_is_better', 'hf_evaluate']

function metricsOf(given: Value, where: string): MetricConfig[] | undefined {
  if (given === null) return undefined
  return listAt(given, `${where} › metric_list`).map((entry, index): MetricConfig => {
    const place = `${where} › metric_list[${index}]`
    const keys = mapAt(entry, place)
    const metric = keys.get('metric') ?? null
    if (typeof metric !== 'string' && !(metric instanceof FunctionMark)) throw badList(`${place}.metric`, 'it names no metric')
    const aggregation = keys.get('aggregation')
    return {
      metric,
      aggregation: typeof aggregation === 'string' || aggregation instanceof FunctionMark ? aggregation : undefined,
      higherIsBetter: keys.get('higher_is_better'),
      isHuggingFace: keys.get('hf_evaluate') === true,
      options: new Map([...keys].filter(([key]) => !metricKeys.includes(key))),
      where: place,
    }
  })
}

function listAt(value: Value, where: string): readonly Value[] {
  if (isListValue(value)) return value
  throw badList(where, 'it is not a list')
}

function mapAt(value: Value, where: string): Map<string, Value> {
  if (isDictValue(value)) return new Map(entriesOf(value).map(([key, item]) => [String(key), item]))
  throw badList(where, 'it is not a map')
}

function badList(where: string, problem: string): PromptError {
  return new PromptError('bad-task', { where, problem, fix: 'write it as lm-evaluation-harness does: a list of maps' })
}
