import { entriesOf, isDictValue, makeDict, notUnderstood, PythonError, typeError, type Value } from '@rolecall/core/internal/python'
import { attributeOf } from '../../../python/interpreter/access.ts'
import { call } from '../../../python/interpreter/call.ts'
import { Instance, UserClass } from '../../../python/interpreter/classes.ts'
import { toMutable } from '../../../python/interpreter/convert.ts'
import { defineModule, native } from '../../../python/interpreter/modules/define-module.ts'
import type { Scope } from '../../../python/interpreter/scope.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { type ModuleValue, NativeObject } from '../../../python/interpreter/values.ts'
import { readTask } from '../task/task-config.ts'
import type { TaskKeys } from '../yaml/load-task-file.ts'

/** The `TaskConfig` of a task that is a class: the keys that the class gives, and the harness's defaults. */
export class TaskConfigValue extends NativeObject {
  readonly typeName = 'TaskConfig'

  constructor(readonly keys: TaskKeys) {
    super()
  }

  attribute(session: Session, name: string): Value | undefined {
    const { outputType, generation, repeats, targetDelimiter, fewshotDelimiter } = readTask(this.keys, 'config')
    const byDefault: Readonly<Record<string, Value>> = {
      output_type: outputType,
      generation_kwargs: outputType === 'generate_until' ? makeDict(generation) : null,
      target_delimiter: targetDelimiter,
      fewshot_delimiter: fewshotDelimiter,
      repeats,
      description: '',
      should_decontaminate: false,
    }
    return toMutable(session, this.keys.get(name) ?? (Object.hasOwn(byDefault, name) ? byDefault[name]! : null))
  }
}

/** A request of a document, `lm_eval.api.instance.Instance`. */
export class RequestValue extends NativeObject {
  readonly typeName = 'Instance'

  constructor(
    readonly kind: Value,
    readonly args: Value,
  ) {
    super()
  }

  attribute(): undefined {
    return undefined
  }
}

const instanceModule = defineModule('lm_eval.api.instance', {
  Instance: native('Instance(request_type, doc, arguments, idx, metadata=None, **kwargs)', (_, [kind, , args]) => {
    return new RequestValue(kind!, args!)
  }),
})

type Method = (session: Session, self: Instance, given: readonly Value[], scope: Scope) => Value

function method(signature: string, run: Method): [string, Value] {
  const made = native(signature, (session, [self, ...given], _, scope) => {
    if (!(self instanceof Instance)) throw typeError('self is not an object of this class')
    return run(session, self, given, scope)
  })
  return [made.name, made]
}

function keysOf(self: Instance): TaskKeys {
  const config = self.fields.get('config')
  return config instanceof TaskConfigValue ? config.keys : new Map()
}

/** A split of the dataset, by its name in the config, after `process_docs`. */
function docsOf(session: Session, self: Instance, key: string, scope: Scope): Value {
  const split = keysOf(self).get(key) ?? null
  if (split === null) return null
  const dataset = attributeOf(session, self, 'dataset')
  const rows = dataset instanceof NativeObject ? dataset.item?.(session, split) : undefined
  if (rows === undefined) throw new PythonError('KeyError', String(split))
  const process = keysOf(self).get('process_docs') ?? null
  return process === null ? rows : call(session, process, [rows], undefined, scope)
}

/** What a class must say itself: what the harness does otherwise needs templates, which a YAML file says better. */
export const ownMethods = ['doc_to_text', 'doc_to_target', 'construct_requests', 'process_results', 'aggregation', 'higher_is_better']

/** The classes of the harness that tasks inherit from. */
export function taskClasses(loadDataset: Value): ModuleValue[] {
  const splits = ['training', 'validation', 'test'].flatMap((name) => [
    method(`has_${name}_docs(self)`, (_, self) => (keysOf(self).get(`${name}_split`) ?? null) !== null),
    method(`${name}_docs(self)`, (session, self, _, scope) => docsOf(session, self, `${name}_split`, scope)),
  ])
  const task = new UserClass(
    'ConfigurableTask',
    [],
    new Map<string, Value>([
      ['VERSION', 'Yaml'],
      ['DATASET_PATH', null],
      ['DATASET_NAME', null],
      ['OUTPUT_TYPE', null],
      method('__init__(self, data_dir=None, cache_dir=None, download_mode=None, config=None)', (session, self, given, scope) => {
        const config = given[3] ?? null
        const keys = new Map(isDictValue(config) ? entriesOf(config).map(([key, value]) => [String(key), value] as const) : [])
        const held = new TaskConfigValue(keys)
        for (const name of ['config', '_config']) self.fields.set(name, held)
        for (const [name, key] of [
          ['DATASET_PATH', 'dataset_path'],
          ['DATASET_NAME', 'dataset_name'],
        ] as const)
          if ((keys.get(key) ?? null) !== null) self.fields.set(name, keys.get(key)!)
        call(session, attributeOf(session, self, 'download'), [keys.get('dataset_kwargs') ?? null], undefined, scope)
        return null
      }),
      method('download(self, dataset_kwargs=None, **kwargs)', (session, self, [options = null], scope) => {
        const named = isDictValue(options) ? entriesOf(options).map(([key, value]) => [String(key), value] as const) : []
        const [path, name] = ['DATASET_PATH', 'DATASET_NAME'].map((one) => attributeOf(session, self, one))
        self.fields.set('dataset', call(session, loadDataset, [path!, name!], new Map(named), scope))
        return null
      }),
      method('_process_doc(self, doc)', (_, __, [doc]) => doc!),
      ...splits,
      ...ownMethods.map((name) =>
        method(`${name}(self, *args, **kwargs)`, (session) => {
          throw notUnderstood(session.at, `a class that leaves ${name} to the harness`, 'write a YAML task, or the method')
        }),
      ),
    ]),
  )
  return [instanceModule, defineModule('lm_eval.api.task', { Task: task, ConfigurableTask: task })]
}
