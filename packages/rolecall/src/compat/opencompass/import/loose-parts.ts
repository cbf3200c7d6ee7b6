import { PromptError } from '@rolecall/core/internal/errors'
import { namesFormat } from '@rolecall/core/internal/format'
import { isListValue, type Value } from '@rolecall/core/internal/python'
import { isMutableDict, type MutableDict, newDict, setItem } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { datasetOfMessages, hasTemplate, looseMessages, modelOfMessages, modelOfTemplate, templateKeys } from './loose-conversation.ts'
import { assumeAsDocuments, datasetOfPromptList } from './snippet-dataset.ts'

type Names = ReadonlyMap<string, Value>
type Entries = { models: Value[]; datasets: Value[] }

/** The entries of a config; `isSnippet`: some are made of parts that documents show without `models` or `datasets`. */
export type CombinedEntries = Entries & { isSnippet?: true }

/**
 * Combines the lists of a config with the parts that stand beside them at the top level, as documents show them: a meta template, a
 * template, a row. A part belongs to the entries that lack it; if all have their own, two say the same thing, which is an error.
 */
export function combineParts(session: Session, names: Names, listed: Entries, file: string): CombinedEntries {
  const models = modelsOf(session, names, listed.models, file)
  const isLooseModel = models.length > 0 && listed.models.length === 0 ? { isSnippet: true as const } : {}
  if (listed.datasets.length > 0 || names.has('datasets')) {
    const before = session.notes.length
    completeDatasets(session, names, listed.datasets, file)
    const isCompleted = session.notes.slice(before).some(({ code }) => code === 'combined')
    return { models, datasets: listed.datasets, ...(isCompleted ? { isSnippet: true } : isLooseModel) }
  }
  const dataset = datasetOf(session, names, file)
  if (dataset !== undefined) return { models, datasets: [dataset], isSnippet: true }
  const messages = looseMessages(names)
  if (messages !== undefined) {
    const isAlone = models.length === 0
    const text = isAlone
      ? 'its messages become a dataset of one row'
      : 'the messages beside its conversation format become a dataset of one row'
    session.note('combined', text, { file, line: 1, column: 1 })
    const speakers = isAlone ? [modelOfMessages(session)] : models
    return { models: speakers, datasets: [datasetOfMessages(session, messages, names.get('tools'))], isSnippet: true }
  }
  const [row] = Object.keys(rowsIn(names))
  if (row !== undefined) throw lacksTemplate(file)
  return { models, datasets: [], ...isLooseModel }
}

/** The last value whose name is or ends in this one, such as `mmlu_prompt_template`. */
function last(names: Names, ending: string): Value | undefined {
  const named = [...names].filter(
    ([name, value]) => (name === ending || name.endsWith(`_${ending}`)) && (isMutableDict(value) || isListValue(value)),
  )
  return named.at(-1)?.[1]
}

function modelsOf(session: Session, names: Names, models: Value[], file: string): Value[] {
  if (models.length > 0) {
    const bare = models.filter((model) => isMutableDict(model) && !declaresFormat(model))
    const lacks = (model: MutableDict) => bare.includes(model)
    for (const key of ['meta_template', ...templateKeys]) give(session, { names, file, key, list: 'models' }, models, lacks)
    return models
  }
  const meta = last(names, 'meta_template')
  if (meta === undefined) return hasTemplate(names) ? [modelOfTemplate(session, names)] : []
  return [
    newDict(session, [
      ['abbr', 'model'],
      ['meta_template', meta],
    ]),
  ]
}

function declaresFormat(model: MutableDict): boolean {
  return namesFormat(Object.fromEntries([...model].filter(([key, value]) => typeof key === 'string' && value !== null)))
}

function datasetOf(session: Session, names: Names, file: string): MutableDict | undefined {
  const infer = last(names, 'infer_cfg') ?? inferOf(session, last(names, 'ice_template'), last(names, 'prompt_template'))
  const promptList = session.promptLists.at(-1)
  if (infer === undefined) return promptList === undefined ? undefined : datasetOfPromptList(session, promptList, file)
  noteUnusedList(session, file)
  const dataset = newDict(session, [['abbr', 'dataset']])
  for (const key of ['reader_cfg', 'eval_cfg']) {
    const value = last(names, key)
    if (value !== undefined) dataset.set(key, value)
  }
  dataset.set('infer_cfg', infer)
  for (const [key, rows] of Object.entries(rowsIn(names))) dataset.set(key, rows)
  assumeAsDocuments(session, dataset, file)
  return dataset
}

/** Datasets of a list get what they lack. */
function completeDatasets(session: Session, names: Names, datasets: readonly Value[], file: string): void {
  const part = (key: string) => ({ names, file, key, list: 'datasets' as const })
  for (const key of ['infer_cfg', 'reader_cfg', 'eval_cfg']) give(session, part(key), datasets, (dataset) => !dataset.has(key))
  for (const key of ['prompt_template', 'ice_template']) {
    const infers = datasets.flatMap((dataset) => {
      if (!isMutableDict(dataset)) return []
      const infer = dataset.get('infer_cfg') ?? newDict(session)
      if (names.has(key) && !dataset.has('infer_cfg')) dataset.set('infer_cfg', infer)
      return [infer]
    })
    give(session, part(key), infers, (infer) => !infer.has(key))
  }
  for (const [key, rows] of Object.entries(rowsIn(names))) {
    const lacks = (dataset: MutableDict) => !['rows', 'path', 'type', 'preset'].some((source) => dataset.has(source))
    const name = names.has('example') ? 'example' : 'ex1'
    if (key === 'rows') give(session, { ...part(key), name, value: rows }, datasets, lacks)
    else for (const dataset of datasets) if (isMutableDict(dataset) && !dataset.has('train_path')) dataset.set(key, rows)
  }
  for (const dataset of datasets) if (isMutableDict(dataset) && dataset.has('rows')) assumeAsDocuments(session, dataset, file)
  noteUnusedList(session, file)
}

function noteUnusedList(session: Session, file: string): void {
  if (session.promptLists.length > 0)
    session.note('prompt-list', 'the PromptList is what the template beside it comes to, and was left aside', { file, line: 1, column: 1 })
}

type Part = { names: Names; file: string; key: string; list: 'models' | 'datasets'; name?: string; value?: Value }

/** Gives a part to the entries that lack it, unless an entry refers to it already. */
function give(session: Session, part: Part, entries: readonly Value[], lacks: (entry: MutableDict) => boolean): void {
  const { names, file, key, list, name = key, value = names.get(key) } = part
  if (
    value === undefined ||
    !(isMutableDict(value) || isListValue(value) || isTemplateName(key, value)) ||
    entries.some((entry) => contains(entry, value))
  )
    return
  const dicts = entries.filter(isMutableDict)
  const lacking = dicts.filter(lacks)
  if (lacking.length === 0)
    throw new PromptError('two-parts', {
      where: `${file} › ${name}`,
      problem: `it stands beside ${list}, and ${dicts.length === 1 ? `${list}[0] has its own` : `all ${list} have their own`}`,
      fix: `remove one of the two: ${name}, or what is in ${list}`,
    })
  for (const entry of lacking) setItem(session, entry, key, value)
  const whose = lacking.length === dicts.length ? list : `the ${list} without one`
  session.note('combined', `${name} stands beside ${list}: it is that of ${whose}`, { file, line: 1, column: 1 })
}

function isTemplateName(key: string, value: Value): boolean {
  return key === 'conv_template' && typeof value === 'string'
}

/** Whether a value is part of another: the same object, wherever it stands. */
function contains(whole: Value, part: Value, seen = new Set<Value>()): boolean {
  if (whole === part) return true
  if (seen.has(whole)) return false
  seen.add(whole)
  if (isListValue(whole)) return [...whole].some((item) => contains(item, part, seen))
  return isMutableDict(whole) && [...whole.values()].some((item) => contains(item, part, seen))
}

/** Document 002 names a row `example`; of `ex1`, `ex2`, `ex3` the last is the evaluated row and the others are its examples. */
function rowsIn(names: Names): { rows?: Value[]; train_rows?: Value[] } {
  const numbered = [...names].filter(([name, value]) => /^ex\d+$/.test(name) && isMutableDict(value)).map(([, value]) => value)
  const example = names.get('example')
  const isRow = example !== undefined && isMutableDict(example)
  const rows = isRow ? [example] : numbered.slice(-1)
  const trainRows = isRow ? numbered : numbered.slice(0, -1)
  return { ...(rows.length > 0 ? { rows } : {}), ...(trainRows.length > 0 ? { train_rows: trainRows } : {}) }
}

function lacksTemplate(file: string): PromptError {
  return new PromptError('missing', {
    where: `${file} › prompt_template`,
    problem: 'there is a row (example), and no template that it fills',
    fix: "add one: prompt_template = dict(template='{question}')",
  })
}

function inferOf(session: Session, ice: Value | undefined, prompt: Value | undefined): Value | undefined {
  if (ice === undefined && prompt === undefined) return undefined
  const asTemplate = (value: Value) => {
    // Document 000 gives the labels directly as the prompt_template.
    const isWrapped = isMutableDict(value) && (value.has('template') || value.has('messages'))
    return isWrapped ? value : newDict(session, [['template', value]])
  }
  const infer = newDict(session)
  if (ice !== undefined) infer.set('ice_template', asTemplate(ice))
  if (prompt !== undefined) infer.set('prompt_template', asTemplate(prompt))
  return infer
}
