import { PromptError } from '@rolecall/core/internal/errors'
import { compileTemplate } from '@rolecall/core/internal/jinja'
import { entriesOf, isDictValue, isListValue, type Value } from '@rolecall/core/internal/python'
import { isOfPython } from '../../python/interpreter/session.ts'
import { pipelinesOf } from './filter/apply-filters.ts'
import { metricsOfTask } from './metric/task-metrics.ts'
import { firstUnavailable, sandboxHint } from './python/download-command.ts'
import { scoringFunctions } from './python/scoring-functions.ts'
import type { UnsupportedPart } from './python/unsupported-parts.ts'
import { configOf } from './task/class-config.ts'
import type { TaskConfig } from './task/task-config.ts'
import { askedSplit } from './task/task-docs.ts'
import type { FindFunction } from './task/task-function.ts'
import { taskDialect } from './task/template-dialect.ts'
import { FunctionMark } from './yaml/function-mark.ts'
import type { TaskKeys } from './yaml/load-task-file.ts'

/**
 * Checks what a task says without its data: keys, templates, filters, metrics, and that every function is there. What its functions do with
 * documents shows only when they run.
 */
export function checkTask(keys: TaskKeys, file: string, find: FindFunction): TaskConfig {
  // Before an object of its class is made, which may need what is not supported.
  if (keys.has('class')) refuseUnsupported(keys, undefined, find)
  const config = configOf(keys, file, find)
  for (const mark of functionsOf(keys)) find(mark)
  for (const field of [config.docToText, config.docToTarget, config.docToChoice, config.description, config.genPrefix])
    if (typeof field === 'string') compileTemplate(field, { name: file, dialect: taskDialect })
  pipelinesOf(config.filters, config.where, find)
  metricsOfTask(config, find)
  askedSplit(config)
  return config
}

/** Refuses functions that would reach something unsupported in every run, before anything is sent; not those that Python itself runs. */
export function refuseUnsupported(
  keys: TaskKeys,
  config: TaskConfig | undefined,
  find: FindFunction,
  inPython: readonly string[] = [],
): void {
  const scoring = new Set([...(config ? scoringFunctions(config).keys() : [])].map(({ path }) => path))
  const loaders = new Set(['custom_dataset', 'process_docs', 'fewshot_config', 'class'].flatMap((key) => marksIn(keys.get(key) ?? null)))
  for (const mark of functionsOf(keys)) {
    if (inPython.includes(mark.path)) continue
    if (!loaders.has(mark)) refuseLoads(mark, find)
    const parts = find(mark).unsupported()
    const part = parts.find(({ isCertain }) => isCertain)
    if (part === undefined) continue
    const isScoring = scoring.has(mark.path) && !find(mark).callMethod
    throw new PromptError('not-understood', {
      where: part.where,
      problem: `the function ${mark.path} is not supported: it needs ${part.name}${part.package === undefined ? '' : `, which its file defines only with the package ${part.package}`}`,
      fix:
        mark === keys.get('custom_dataset')
          ? 'let lm-evaluation-harness make the rows, and give them as a dataset of your own'
          : `${packageHint([part, ...parts], isScoring)}leave the task out`,
    })
  }
}

/** What to do about the first package that one of these parts belongs to. */
function packageHint(parts: readonly UnsupportedPart[], isScoring: boolean): string {
  const module = parts.map(packageOf).find((name) => name !== '' && !isOfPython(name))
  if (module === undefined) return ''
  if (module === 'jieba') return 'run npm install jieba-wasm; or '
  if (isScoring || firstUnavailable([module]) !== undefined) return `${sandboxHint(module)}; or `
  return 'the Python sandbox runs only functions that score replies; give processed rows, or '
}

function packageOf({ name, package: owner }: UnsupportedPart): string {
  return owner ?? /^(\w+)(?:\.[\w.]+| \(importlib\.util\.find_spec\))$/.exec(name)?.[1] ?? ''
}

/** Data is read before the first request, not while replies are scored. */
function refuseLoads(mark: FunctionMark, find: FindFunction): void {
  const load = [...find(mark).loads().values()].find(({ isCertain }) => isCertain)
  if (load === undefined) return
  throw new PromptError('not-understood', {
    where: load.where,
    problem: `the function ${mark.path} is not supported: it calls ${load.name}, which only process_docs and custom_dataset can`,
    fix: 'load the data there, and keep it in the documents; or leave the task out',
  })
}

/** All functions that a task names. */
export function functionsOf(keys: TaskKeys): FunctionMark[] {
  return [...keys.values()].flatMap(marksIn)
}

function marksIn(value: Value): FunctionMark[] {
  if (value instanceof FunctionMark) return [value]
  if (isListValue(value)) return value.flatMap(marksIn)
  return isDictValue(value) ? entriesOf(value).flatMap(([, item]) => marksIn(item)) : []
}
