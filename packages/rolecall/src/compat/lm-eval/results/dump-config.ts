import { entriesOf, isDictValue, isListValue, makeDict, type Value } from '@rolecall/core/internal/python'
import { keysOf, type TaskSpec, taskOf } from '../dataset/task-spec.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { TaskKeys } from '../yaml/load-task-file.ts'
import { functionSource } from './function-source.ts'

/** What a results file records of a task beside its keys. */
type DumpedSettings = {
  numFewshot: number
  /** What lm-evaluation-harness adds to the metadata of every task. */
  metadata: ReadonlyMap<string, Value>
}

/** The keys of a task in the order of lm-evaluation-harness, with their defaults; null is left out, except in `fewshot_config`. */
export function dumpConfig(spec: TaskSpec, { numFewshot, metadata: added }: DumpedSettings): Value {
  const keys = keysWithOwn(spec)
  const { config } = taskOf(spec)
  const key = (name: string, byDefault: Value = null): [string, Value] => [name, keys.get(name) ?? byDefault]
  const { fewshot } = config
  const generates = config.outputType === 'generate_until' || (keys.get('generation_kwargs') ?? null) !== null
  const metadata = keys.get('metadata') ?? null
  const entries: [string, Value][] = [
    key('task'),
    key('task_alias'),
    key('custom_dataset'),
    key('dataset_path'),
    key('dataset_name'),
    ['dataset_kwargs', withoutTrust(keys.get('dataset_kwargs') ?? null)],
    key('training_split'),
    key('validation_split'),
    key('test_split'),
    key('fewshot_split'),
    key('process_docs'),
    key('doc_to_text'),
    key('doc_to_target'),
    key('doc_to_image'),
    key('doc_to_audio'),
    key('unsafe_code', false),
    key('doc_to_choice'),
    key('process_results'),
    key('description', ''),
    ['target_delimiter', config.targetDelimiter],
    ['fewshot_delimiter', config.fewshotDelimiter],
    [
      'fewshot_config',
      makeDict([
        ['sampler', fewshot.sampler],
        ['split', fewshot.split ?? null],
        ['process_docs', fewshot.processDocs ?? null],
        ['fewshot_indices', null],
        ['samples', fewshot.samples ?? null],
        ['doc_to_text', fewshot.docToText],
        ['doc_to_choice', fewshot.docToChoice],
        ['doc_to_target', fewshot.docToTarget],
        ['gen_prefix', fewshot.genPrefix],
        ['fewshot_delimiter', fewshot.fewshotDelimiter],
        ['target_delimiter', fewshot.targetDelimiter],
      ]),
    ],
    ['num_fewshot', numFewshot],
    key('metric_list'),
    ['output_type', config.outputType],
    ['generation_kwargs', generates ? makeDict(config.generation) : null],
    ['repeats', config.repeats],
    key('filter_list'),
    key('should_decontaminate', false),
    key('doc_to_decontamination_query'),
    key('gen_prefix'),
    [
      'metadata',
      config.own ? metadata : makeDict([...(isDictValue(metadata) ? entriesOf(metadata) : []), ...added, ['config_source', spec.file]]),
    ],
  ]
  return makeDict(entries.flatMap(([name, value]) => (value === null ? [] : [[name, withSources(value, spec)] as const])))
}

/** The harness removes this setting, which `datasets` no longer has. */
function withoutTrust(settings: Value): Value {
  return isDictValue(settings) ? makeDict(entriesOf(settings).filter(([key]) => key !== 'trust_remote_code')) : settings
}

/** The keys of a task; of one that is a class, those that it gives to the harness's own class. */
function keysWithOwn(spec: TaskSpec): TaskKeys {
  return taskOf(spec).config.own?.keys ?? keysOf(spec)
}

/** The version in a task's metadata, or what the harness writes without one. */
export function versionOf(spec: TaskSpec): Value {
  const metadata = keysWithOwn(spec).get('metadata') ?? null
  const given = isDictValue(metadata) ? entriesOf(metadata).find(([key]) => key === 'version') : undefined
  return given === undefined ? 'Yaml' : given[1]
}

/** Functions are written as their source, classes as Python shows them. */
function withSources(value: Value, spec: TaskSpec): Value {
  if (value instanceof FunctionMark) return functionSource(value, spec.files)
  if (isListValue(value)) return value.map((item) => withSources(item, spec))
  return isDictValue(value) ? makeDict(entriesOf(value).map(([key, item]) => [key, withSources(item, spec)])) : value
}
