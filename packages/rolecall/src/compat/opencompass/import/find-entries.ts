import { isListValue, pythonError, Tuple, type Value } from '@rolecall/core/internal/python'
import { isMutableDict, refuseUnknown } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { NameRef, Unknown } from '../../../python/interpreter/values.ts'
import { fromChatml } from './chatml-datasets.ts'
import { combineParts } from './loose-parts.ts'

export type FoundEntries = { models: Value[]; datasets: Value[]; unused: string[]; combinations?: readonly Combination[]; isSnippet?: true }

/** Models paired with some of the datasets. */
export type Combination = { models: readonly Value[]; datasets: readonly Value[] }

/** Top-level names that OpenCompass and AISBench read and Rolecall ignores. */
const knownKeys = [
  'work_dir',
  'summarizer',
  'infer',
  'eval',
  'lark_bot_url',
  'judge_models',
  'cli_args',
  'analyzer',
  'model_dataset_combinations',
]

/** The models and datasets of a config, found as OpenCompass finds them. */
export function findEntries(session: Session, names: ReadonlyMap<string, Value>, file: string): FoundEntries {
  const unused = knownKeys.filter((key) => names.has(key))
  const combinations = combinationsOf(names.get('model_dataset_combinations'))
  // As in OpenCompass, combinations replace the lists.
  if (combinations.length > 0) {
    const all = (key: 'models' | 'datasets') => [...new Set(combinations.flatMap((one) => one[key]))]
    const others = unused.filter((key) => key !== 'model_dataset_combinations')
    return { models: all('models'), datasets: all('datasets'), combinations, unused: others }
  }
  const datasets = datasetsOf(session, names, file)
  const models = entriesOf(session, names, file, 'models', ['_models', '_model']) ?? []
  const hasLists = datasets.length > 0 || models.length > 0 || names.has('datasets') || names.has('models')
  const others = hasLists ? [] : otherDatasets(names)
  return others.length > 0 ? { models, datasets: others, unused } : { ...combineParts(session, names, { models, datasets }, file), unused }
}

/** OpenCompass runs `chatml_datasets` in addition to the others. */
function datasetsOf(session: Session, names: ReadonlyMap<string, Value>, file: string): Value[] {
  const listed = entriesOf(session, names, file, 'datasets', ['_datasets']) ?? []
  const chats = flatten(names.get('chatml_datasets') ?? []) ?? []
  return [...new Set([...listed, ...chats])].map((entry) => fromChatml(session, entry, file))
}

/** `datasets`, or, in a file for OpenCompass's --datasets, the lists whose names end in `_datasets`. */
function entriesOf(
  session: Session,
  names: ReadonlyMap<string, Value>,
  file: string,
  key: string,
  endings: readonly string[],
): Value[] | undefined {
  const given = names.get(key)
  // A library named `datasets` is not a list of datasets.
  if (given !== undefined && !(given instanceof NameRef && given.declared)) {
    const list = flatten(given)
    if (list !== undefined) return list
    if (given instanceof Unknown && session.lenient) {
      session.notes.push({ code: 'skipped', where: given.error.where, text: `"${key}" was left out: ${given.error.problem}` })
      return []
    }
    refuseUnknown(session, given)
    throw pythonError({ file, line: 1, column: 1 }, `"${key}" is not a list`, `write ${key} = [ … ]`)
  }
  for (const ending of endings) {
    const lists = [...names].filter(([name, value]) => name.endsWith(ending) && isListValue(value))
    // A list built from others repeats their entries; duplicates are dropped.
    const found = [...new Set(lists.flatMap(([, value]) => flatten(value) ?? []))].filter(isMutableDict)
    if (found.length > 0) return found
  }
  return undefined
}

/** Datasets under any other name, as in files meant to be imported by others: lists or a single dataset. */
function otherDatasets(names: ReadonlyMap<string, Value>): Value[] {
  const all = [...names.values()].flatMap((value) => (isMutableDict(value) ? [value] : (flatten(value) ?? [])))
  return [...new Set(all)].filter((value) => isMutableDict(value) && value.has('infer_cfg') && (value.has('type') || value.has('abbr')))
}

/** Nested lists are flattened. */
function flatten(value: Value, depth = 0): Value[] | undefined {
  if (value instanceof Tuple) return flatten(value.items, depth)
  if (!isListValue(value)) return undefined
  return value.flatMap((item) => (depth < 5 ? flatten(item, depth + 1) : undefined) ?? [item])
}

function combinationsOf(value: Value | undefined): Combination[] {
  if (value === undefined || !isListValue(value)) return []
  const listOf = (each: Value, key: string) => (isMutableDict(each) ? (flatten(each.get(key) ?? []) ?? []) : [])
  return value.map((each) => ({ models: listOf(each, 'models'), datasets: listOf(each, 'datasets') }))
}
