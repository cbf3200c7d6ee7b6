import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { entriesOf, isDictValue, type Value } from '@rolecall/core/internal/python'
import type { FindFunction } from '../../compat/lm-eval/task/task-function.ts'
import type { FunctionMark } from '../../compat/lm-eval/yaml/function-mark.ts'
import type { TaskKeys } from '../../compat/lm-eval/yaml/load-task-file.ts'
import { modelArguments } from '../config/harness-arguments.ts'
import { readSettings } from './key-values.ts'

/** The flags that add to the metadata of tasks. */
export type MetadataFlags = {
  /** `model=NAME,base_url=URL`: the arguments of the model, which are part of the metadata of the tasks. */
  modelArgs?: string
  /** The tokenizer of the models, for rows that are made with it. */
  modelTokenizer?: string
  /** `max_seq_lengths=[4096]`: added to the metadata of the tasks. */
  metadata?: string
}

/** The metadata of a task as lm-evaluation-harness completes it: with the arguments of the model, `--metadata` and the file. */
export function metadataOf(keys: TaskKeys, file: string, { modelArgs, metadata }: MetadataFlags): Map<string, Value> {
  const own = keys.get('metadata') ?? null
  return new Map<string, Value>([
    ...(isDictValue(own) ? entriesOf(own).map(([key, value]) => [String(key), value] as const) : []),
    ...(modelArguments(modelArgs) as Map<string, Value>),
    ...(metadata === undefined ? [] : (readSettings(metadata, '--metadata') as Map<string, Value>)),
    ['config_source', file],
  ])
}

/** The metadata with the tokenizer of the models, for a function that makes its rows with one; in the harness, the arguments of the model name it. */
export function withTokenizer(
  metadata: ReadonlyMap<string, Value>,
  mark: FunctionMark,
  find: FindFunction,
  { modelTokenizer }: MetadataFlags,
  notes: Note[],
): ReadonlyMap<string, Value> {
  if (!find(mark).loads().has('tokenizer') || metadata.has('tokenizer') || metadata.has('pretrained')) return metadata
  if (modelTokenizer !== undefined) {
    notes.push({ code: 'rows-by-tokenizer', text: `${mark.path} makes the rows with the tokenizer of the model: ${modelTokenizer}` })
    return new Map([...metadata, ['tokenizer', modelTokenizer]])
  }
  throw new PromptError('missing-data', {
    where: mark.file,
    problem: `${mark.path} makes the rows with the tokenizer of the model, which is unknown`,
    fix: 'name it: --model_args tokenizer=PATH (a folder, a tokenizer.json, or ORG/NAME on a hub), or tokenizer_path of the model',
  })
}
