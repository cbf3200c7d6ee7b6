import { retrieverType } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { check, isSecret, isSecretMark, kindOf, PromptError, placeOf } from '@rolecall/core/internal/errors'
import type { z } from 'zod'
import { readRange } from '../dataset/row-range.ts'
import { configSchema } from './config-schema.ts'
import { datasetSchema, inferSchema } from './dataset-schema.ts'
import { fieldWarnings } from './field-warnings.ts'
import { judgeOf } from './judge-of.ts'
import { isForeignClass, keysOfDataset, keysOfGenConfig, keysOfGenerationKwargs, keysOfModel, knownKeys } from './known-keys.ts'
import { modelOutline } from './model-schema.ts'
import { type KeysOfPlace, type UnusedKey, unreadKeys } from './unread-keys.ts'

/** A config that passed all checks, with warnings and unused keys. */
export type CheckedConfig = z.output<typeof configOutline> & {
  /** Legal, but probably mistakes: fields that are not declared columns. */
  warnings: readonly Note[]
  /** Keys that nothing reads, with the reason; every command prints them. */
  unused: readonly UnusedKey[]
}

/** Templates are checked when they are compiled, which knows the documents' decoding rule. */
const datasetOutline = datasetSchema.omit({ infer_cfg: true })
const inferOutline = inferSchema.omit({ prompt_template: true, ice_template: true })
const configOutline = configSchema.extend({ models: modelOutline.array().default([]), datasets: datasetOutline.array().default([]) })

export type CheckOptions = {
  /** Whether probable misspellings are only listed: configs of OpenCompass and AISBench have other keys. */
  foreignKeys?: boolean
}

/**
 * Checks a whole configuration: names, types, unknown keys. A mistake is thrown as a `PromptError` with its place;
 * warnings and unused keys are part of the result. Templates and formats are checked when they are compiled.
 */
export function checkConfig(config: unknown, where = 'config', { foreignKeys = false }: CheckOptions = {}): CheckedConfig {
  refuseUnreadable(config, where)
  const checked = check(configOutline, config, where)
  const unused: UnusedKey[] = []
  const warnings: Note[] = []
  const lookAt = (value: object | undefined, keys: KeysOfPlace, place: string, isOurs = true) =>
    unused.push(...unreadKeys(value ?? {}, keys, place, { isOurs, foreignKeys }))
  const lookAtModel = (model: { type?: string; key?: unknown; generation_kwargs?: object; gen_config?: object }, place: string) => {
    const isOurs = !isForeignClass(model)
    lookAt(model, keysOfModel(model), place, isOurs)
    lookAt(model.generation_kwargs, keysOfGenerationKwargs, `${place}.generation_kwargs`, isOurs)
    lookAt(model.gen_config, keysOfGenConfig, `${place}.gen_config`, isOurs)
    if (isSecret('key', model.key)) warnings.push(keyWarning(`${place}.key`))
  }
  for (const [index, model] of checked.models.entries()) lookAtModel(model, placeOf(where, ['models', index]))
  for (const [index, dataset] of checked.datasets.entries()) {
    const place = placeOf(where, ['datasets', index])
    const keys = keysOfDataset(dataset)
    lookAt(dataset, keys.dataset, place, !isForeignClass(dataset))
    lookAt(dataset.reader_cfg, keys.reader, `${place}.reader_cfg`)
    for (const key of ['test_range', 'train_range'] as const) readRange(dataset.reader_cfg?.[key], `${place}.reader_cfg.${key}`)
    if (dataset.infer_cfg === undefined) {
      throw new PromptError('missing', {
        where: `${place}.infer_cfg`,
        problem: '"infer_cfg" is missing',
        fix: 'add it, with a prompt_template',
      })
    }
    const infer = check(inferOutline, dataset.infer_cfg, `${place}.infer_cfg`)
    lookAt(infer, knownKeys.infer, `${place}.infer_cfg`)
    lookAt(infer.retriever, knownKeys.retriever, `${place}.infer_cfg.retriever`)
    lookAt(infer.inferencer, knownKeys.inferencer, `${place}.infer_cfg.inferencer`)
    lookAt(dataset.eval_cfg, knownKeys.evaluation, `${place}.eval_cfg`)
    const judged = judgeOf(dataset)
    if (judged) lookAtModel(check(modelOutline, judged.judge, `${place}.${judged.place}`), `${place}.${judged.place}`)
    warnings.push(...fieldWarnings(dataset, place), ...retrieverWarnings(dataset, place), ...sourceWarnings(dataset, place))
  }
  lookAt(checked.summarizer, knownKeys.summarizer, placeOf(where, ['summarizer']))
  refuseSameNames(checked.models, placeOf(where, ['models']))
  refuseSameNames(checked.datasets, placeOf(where, ['datasets']))
  refuseOtherRows(checked.datasets, placeOf(where, ['datasets']))
  return { ...checked, models: checked.models.map(withoutSecret), warnings, unused }
}

/** Rows in the config take precedence over a file. */
function sourceWarnings(dataset: object, place: string): Note[] {
  return [['rows', 'path'] as const, ['train_rows', 'train_path'] as const].flatMap(([written, file]): Note[] =>
    written in dataset && file in dataset
      ? [{ code: 'two-sources', where: `${place}.${file}`, text: `it is not read: "${written}" has the rows. Leave one of them out` }]
      : [],
  )
}

/** A config is copied into results, which users share. */
function withoutSecret<Model extends { key?: unknown }>(model: Model): Model {
  if (!isSecret('key', model.key)) return model
  const { key: _, ...rest } = model
  return rest as Model
}

function keyWarning(where: string): Note {
  return {
    code: 'key-in-config',
    where,
    text: 'a key does not belong in a config, which is copied into results: it is left out. Put it in the environment variable OPENAI_API_KEY',
  }
}

function refuseSameNames(entries: readonly { abbr?: string }[], where: string): void {
  const seen = new Map<string, number>()
  for (const [index, { abbr }] of entries.entries()) {
    if (abbr === undefined) continue
    const first = seen.get(abbr)
    if (first !== undefined) {
      throw new PromptError('duplicate-name', {
        where: placeOf(where, [index, 'abbr']),
        problem: `"${abbr}" is already the name of ${placeOf(where, [first])}`,
        fix: 'give each its own abbr',
      })
    }
    seen.set(abbr, index)
  }
}

/** Datasets at one place on the axis of the data are compared row by row, so they must have the same rows. */
function refuseOtherRows(datasets: CheckedConfig['datasets'], where: string): void {
  const seen = new Map<string | number, { index: number; rows: string }>()
  for (const [index, { axes, path, rows, type, map_columns, row_format, file_type, reader_cfg: reader = {} }] of datasets.entries()) {
    if (axes?.data === undefined) continue
    const { test_range: range, test_split: split } = reader as Readonly<Record<string, unknown>>
    const text = JSON.stringify([path, rows, type, map_columns, row_format, file_type, range, split])
    const first = seen.get(axes.data)
    if (first !== undefined && first.rows !== text)
      throw new PromptError('other-rows', {
        where: placeOf(where, [index, 'axes', 'data']),
        problem: `"${axes.data}" is also the place of ${placeOf(where, [first.index])}, which has other rows`,
        fix: 'give other rows another name on this axis',
      })
    seen.set(axes.data, first ?? { index, rows: text })
  }
}

/** Deeper than any config needs, including the rows in it. */
const maxDepth = 200

/** Rejects unreadable values: the placeholder of a removed secret, and values that contain themselves through YAML aliases. Each
 * shared value is visited once. */
function refuseUnreadable(value: unknown, where: string, above: readonly unknown[] = [], seen = new WeakSet()): void {
  if (typeof value !== 'object' || value === null) return
  if (above.includes(value)) {
    throw new PromptError('circular', {
      where,
      problem: `${kindOf(value)} contains itself`,
      fix: 'remove the alias (*name) that points back to it',
    })
  }
  if (isSecretMark(value)) {
    throw new PromptError('secret-left-out', {
      where,
      problem: 'a secret stood here, which was left out when the config was written beside results',
      fix: 'put it back, or run from the config that this was made of',
    })
  }
  if (above.length > maxDepth)
    throw new PromptError('too-deep', { where: 'config', problem: `it is nested more than ${maxDepth} levels deep`, fix: 'correct it' })
  if (seen.has(value)) return
  seen.add(value)
  if (Object.hasOwn(value, '__proto__')) {
    throw new PromptError('unknown-key', {
      where: placeOf(where, ['__proto__']),
      problem: '"__proto__" is not known here',
      fix: 'remove it, or give it another name: JavaScript keeps this one for itself',
    })
  }
  for (const [key, entry] of Object.entries(value))
    refuseUnreadable(entry, placeOf(where, [Array.isArray(value) ? Number(key) : key]), [...above, value], seen)
}

/** Settings that a retriever ignores: FixKRetriever shows the rows of its list, regardless of ice_num. */
export function retrieverWarnings(dataset: object, where: string): Note[] {
  const { infer_cfg: { retriever = {} } = {} } = dataset as {
    infer_cfg?: { retriever?: { type?: string; fix_id_list?: readonly number[]; ice_num?: number; choose?: unknown } }
  }
  if (retrieverType(retriever) !== 'FixKRetriever' || retriever.choose !== undefined) return []
  const { fix_id_list: ids, ice_num: count } = retriever
  const place = `${where}.infer_cfg.retriever`
  if (ids === undefined) {
    return [
      {
        code: 'no-examples',
        where: place,
        text: 'FixKRetriever has no fix_id_list, so that no examples are shown; write e.g. fix_id_list: [0, 1]',
      },
    ]
  }
  if (count === undefined || count === ids.length) return []
  return [
    {
      code: 'unused-option',
      where: `${place}.ice_num`,
      text: `ice_num: ${count} is not used: FixKRetriever shows the rows of fix_id_list (${ids.length})`,
    },
  ]
}
