import type { PythonKind } from '../../python/host/python-host.ts'
import { className, fieldsOf, type ImportedEntry } from '../opencompass/import/imported-entry.ts'
import type { OwnPython } from './own-object.ts'

/** Finds a class or function of a user's own by the `type` of a config; undefined if the type is one of ours. */
export type FindOwn = (type: string, kind: PythonKind) => Pick<OwnPython, 'object' | 'folder' | 'from' | 'code'> | undefined

/** Keys of a dataset that are not arguments of its class. */
const ofDataset = ['abbr', 'type', 'reader_cfg', 'infer_cfg', 'eval_cfg', 'n', 'k', 'compat', 'rows', 'mode']

/** A dataset whose own classes and functions are named as what runs them. */
export function markOwn(entry: ImportedEntry, find: FindOwn): ImportedEntry {
  const scored = { ...entry, ...(entry.eval_cfg === undefined ? {} : { eval_cfg: markScoring(fieldsOf(entry.eval_cfg), find) }) }
  const found = typeof entry.type === 'string' && entry.rows === undefined ? find(entry.type, 'dataset') : undefined
  if (found === undefined) return scored
  const kept = Object.entries(scored).filter(([key]) => ofDataset.includes(key) && key !== 'type')
  const settings = Object.fromEntries(Object.entries(entry).filter(([key]) => !ofDataset.includes(key)))
  return { ...Object.fromEntries(kept), type: 'PythonDataset', ...found, settings }
}

function markScoring(scoring: ImportedEntry, find: FindOwn): ImportedEntry {
  const made: ImportedEntry = { ...scoring }
  if (scoring.evaluator !== undefined) made.evaluator = markEvaluator(scoring.evaluator, find)
  for (const key of ['pred_postprocessor', 'dataset_postprocessor'])
    if (scoring[key] !== undefined) made[key] = markSteps(scoring[key], find)
  return made
}

function markEvaluator(evaluator: unknown, find: FindOwn): unknown {
  const { type, pred_postprocessor: steps, ...settings } = typeof evaluator === 'string' ? { type: evaluator } : fieldsOf(evaluator)
  if (typeof type !== 'string') return evaluator
  // `check:` of a config: several evaluators, each with what reads replies for it.
  if (type === 'ChecksEvaluator' && Array.isArray(settings.checks))
    return { ...fieldsOf(evaluator), checks: settings.checks.map((check) => markScoring(fieldsOf(check), find)) }
  const found = find(type, 'evaluator')
  if (found === undefined) {
    const marked = steps === undefined ? {} : { pred_postprocessor: markSteps(steps, find) }
    return typeof evaluator === 'string' ? { type } : { ...withOwnReader(fieldsOf(evaluator), find), ...marked }
  }
  const all = steps === undefined ? settings : { ...settings, pred_postprocessor: steps }
  return { type: 'PythonEvaluator', ...found, ...(Object.keys(all).length > 0 ? { settings: all } : {}) }
}

/** A judge whose `dict_postprocessor` is the user's own; so of the judge that a cascade asks. */
function withOwnReader(evaluator: ImportedEntry, find: FindOwn): ImportedEntry {
  const { dict_postprocessor: given, llm_evaluator: judge } = evaluator
  const inner = judge === undefined ? {} : { llm_evaluator: withOwnReader(fieldsOf(judge), find) }
  const { type, ...settings } = typeof given === 'string' ? { type: given } : fieldsOf(given)
  const found = typeof type === 'string' ? find(type, 'dict_postprocessor') : undefined
  if (found === undefined) return { ...evaluator, ...inner }
  const reader = { type: 'PythonDictPostprocessor', ...found, ...(Object.keys(settings).length > 0 ? { settings } : {}) }
  return { ...evaluator, ...inner, dict_postprocessor: reader }
}

function markSteps(steps: unknown, find: FindOwn): unknown {
  if (Array.isArray(steps)) return steps.map((step) => markSteps(step, find))
  const { type, ...settings } = typeof steps === 'string' ? { type: steps } : fieldsOf(steps)
  const found = typeof type === 'string' ? find(type, 'postprocessor') : undefined
  if (found === undefined) return steps
  return { type: 'PythonPostprocessor', ...found, ...(Object.keys(settings).length > 0 ? { settings } : {}) }
}

/** Whether a type names a file or a module, as users' own do. */
export function namesFile(type: string): boolean {
  return /\.py:\w+$/.test(type) || className(type) !== type
}
