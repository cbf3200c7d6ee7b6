import { PromptError } from '@rolecall/core/internal/errors'
import { entriesOf, isDictValue, isListValue, Tuple, type Value } from '@rolecall/core/internal/python'
import { RequestValue, TaskConfigValue } from '../python/task-classes.ts'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { TaskKeys } from '../yaml/load-task-file.ts'
import type { Doc } from './field.ts'
import { readTask, type TaskConfig } from './task-config.ts'
import type { FindFunction } from './task-function.ts'

/** The config of a task: of its keys, or of the class that `class` names, whose methods take the place of templates and functions. */
export function configOf(keys: TaskKeys, file: string, find: FindFunction): TaskConfig {
  const mark = keys.get('class') ?? null
  if (mark === null) return readTask(keys, file)
  if (!(mark instanceof FunctionMark))
    throw new PromptError('bad-task', { where: `${file} › class`, problem: 'it is not a function', fix: 'write "!function module.NAME"' })
  const made = find(mark)
  const held = made.attribute?.('config') ?? null
  if (!made.attribute || !(held instanceof TaskConfigValue))
    throw new PromptError('bad-task', {
      where: `${file} › class`,
      problem: `${mark.path} is not a class of tasks`,
      fix: 'let it inherit from lm_eval.api.task.ConfigurableTask, and call its __init__',
    })
  const name = keys.get('task') ?? null
  const own = new Map([...(name === null ? [] : [['task', name] as const]), ...held.keys])
  const config = readTask(own, file)
  const method = (called: string) => new FunctionMark(`${mark.path}.${called}`, mark.file)
  const has = (split: string) => find(method(`has_${split}_docs`)).call([]) === true
  const textOf = (attribute: string) => {
    const value = made.attribute!(attribute)
    return typeof value === 'string' ? value : undefined
  }
  return {
    ...config,
    dataset: { ...config.dataset, path: textOf('DATASET_PATH'), name: textOf('DATASET_NAME') },
    // Named by what they are for: the class itself reads the splits of the dataset.
    splits: { training: undefined, validation: has('validation') ? 'validation' : undefined, test: has('test') ? 'test' : undefined },
    processDocs: undefined,
    docToText: method('doc_to_text'),
    docToTarget: method('doc_to_target'),
    processResults: method('process_results'),
    own: { mark, keys: own },
  }
}

/** A method of a task that is a class. */
export function ownMethod({ own }: TaskConfig, name: string): FunctionMark {
  return new FunctionMark(`${own!.mark.path}.${name}`, own!.mark.file)
}

/** A request that a class makes itself. */
export type OwnRequest =
  | { kind: 'generate'; context: string; options: ReadonlyMap<string, Value> }
  | { kind: 'loglikelihood'; context: string; continuation: string }
  | { kind: 'rolling'; text: string }

/** Makes the requests of a document after its prompt. */
export type ConstructRequests = (doc: Doc, context: string, isChat: boolean) => readonly OwnRequest[]

export function constructRequests(config: TaskConfig, find: FindFunction): ConstructRequests {
  const mark = ownMethod(config, 'construct_requests')
  const construct = find(mark)
  return (doc, context, isChat) => {
    const options: [string, Value][] = [
      ['metadata', [config.name, 0, config.repeats]],
      ['apply_chat_template', isChat],
      ['chat_template', null],
    ]
    const made = construct.callForRow([doc as Value, context], new Map(options))
    return (isListValue(made) ? made : [made]).map((one) => requestOf(one, mark))
  }
}

function requestOf(value: Value, mark: FunctionMark): OwnRequest {
  if (value instanceof RequestValue) {
    const [first = null, second = null] = itemsOf(value.args)
    if (value.kind === 'generate_until' && typeof first === 'string' && isDictValue(second))
      return { kind: 'generate', context: first, options: new Map(entriesOf(second).map(([key, item]) => [String(key), item])) }
    if (value.kind === 'loglikelihood' && typeof first === 'string' && typeof second === 'string')
      return { kind: 'loglikelihood', context: first, continuation: second }
    if (value.kind === 'loglikelihood_rolling' && typeof first === 'string') return { kind: 'rolling', text: first }
  }
  throw new PromptError('bad-requests', {
    where: mark.file,
    problem: `${mark.path} makes something other than Instances with texts and settings`,
    fix: 'make Instance("generate_until", doc, (ctx, {...}), 0) or Instance("loglikelihood", doc, (ctx, text), 0)',
  })
}

function itemsOf(value: Value): readonly Value[] {
  return value instanceof Tuple ? value.items : isListValue(value) ? value : []
}
