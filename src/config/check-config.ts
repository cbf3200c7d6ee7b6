import type { z } from 'zod'
import { readRange } from '../dataset/row-range.ts'
import { nearestName } from '../nearest.ts'
import type { Note } from '../note.ts'
import { PromptError } from '../prompt-error.ts'
import { check, kindOf, placeOf } from './check.ts'
import { configSchema, unusedKeys } from './config-schema.ts'
import { datasetSchema, inferencerSchema, inferSchema, readerSchema, retrieverSchema } from './dataset-schema.ts'
import { fieldWarnings } from './field-warnings.ts'
import { modelOutline, modelSchema } from './model-schema.ts'
import { modelTypeFields, modelTypeOf } from './model-types/index.ts'
import { retrieverWarnings } from './retriever-warnings.ts'
import { isSecret, isSecretMark } from './secrets.ts'

export type CheckedConfig = z.output<typeof configOutline> & {
  /** What is legal and probably not meant: fields that no declared column has. */
  warnings: readonly Note[]
  /** Places of keys that are known from OpenCompass and AISBench and not used here. */
  unused: readonly string[]
}

/** Templates are checked where they are compiled, which knows the documents' decoding rule. */
const datasetOutline = datasetSchema.omit({ infer_cfg: true })
const inferOutline = inferSchema.omit({ prompt_template: true, ice_template: true }).loose()
const configOutline = configSchema.extend({ models: modelOutline.array().default([]), datasets: datasetOutline.array().default([]) })

const modelKeys = Object.keys(modelSchema.shape)
/** What one type of models may say means nothing to another: OpenCompass has batch_size and retry for all of them. */
function keysOf(model: object): { known: readonly string[]; foreign: readonly string[] } {
  const own = modelTypeOf(model)?.fields ?? {}
  const others = Object.keys(modelTypeFields).filter((key) => !Object.hasOwn(own, key))
  return { known: modelKeys.filter((key) => !others.includes(key)), foreign: [...unusedKeys.model, ...others] }
}

export type CheckOptions = {
  /** Whether keys that look like misspelt ones are only listed: configs of OpenCompass and AISBench have keys of their own. */
  foreignKeys?: boolean
}

/**
 * Checks a whole configuration: names, types, unknown keys. A mistake is thrown as a `PromptError` with its place;
 * warnings and unused keys are part of the result. Templates and formats are checked when they are compiled.
 */
export function checkConfig(config: unknown, where = 'config', { foreignKeys = false }: CheckOptions = {}): CheckedConfig {
  const unknownKeys = foreignKeys ? listUnknownKeys : refuseSlips
  refuseUnreadable(config, where)
  const checked = check(configOutline, config, where)
  const unused: string[] = []
  const warnings: Note[] = []
  const unusedOfModel = (model: object, place: string) => {
    const { known, foreign } = keysOf(model)
    return unknownKeys(model, known, foreign, place)
  }
  for (const [index, model] of checked.models.entries()) {
    unused.push(...unusedOfModel(model, placeOf(where, ['models', index])))
    if (isSecret('key', model.key)) warnings.push(keyWarning(placeOf(where, ['models', index, 'key'])))
  }
  for (const [index, dataset] of checked.datasets.entries()) {
    const place = placeOf(where, ['datasets', index])
    unused.push(...unknownKeys(dataset, Object.keys(datasetSchema.shape), unusedKeys.dataset, place))
    unused.push(
      ...unknownKeys(dataset.reader_cfg ?? {}, Object.keys(readerSchema.shape), ['train_split', 'test_split'], `${place}.reader_cfg`),
    )
    for (const key of ['test_range', 'train_range'] as const) readRange(dataset.reader_cfg?.[key], `${place}.reader_cfg.${key}`)
    if (dataset.infer_cfg === undefined) {
      throw new PromptError('missing', {
        where: `${place}.infer_cfg`,
        problem: '"infer_cfg" is missing',
        fix: 'add it, with a prompt_template',
      })
    }
    const infer = check(inferOutline, dataset.infer_cfg, `${place}.infer_cfg`)
    unused.push(...unknownKeys(infer, Object.keys(inferSchema.shape), [], `${place}.infer_cfg`))
    unused.push(
      ...unknownKeys(infer.retriever ?? {}, Object.keys(retrieverSchema.shape), unusedKeys.retriever, `${place}.infer_cfg.retriever`),
    )
    unused.push(
      ...unknownKeys(infer.inferencer ?? {}, Object.keys(inferencerSchema.shape), unusedKeys.inferencer, `${place}.infer_cfg.inferencer`),
    )
    const judge = judgeOf(dataset)
    if (judge) {
      check(modelOutline, judge, `${place}.eval_cfg.evaluator.judge_cfg`)
      unused.push(...unusedOfModel(judge, `${place}.eval_cfg.evaluator.judge_cfg`))
      if ('key' in judge && isSecret('key', judge.key)) warnings.push(keyWarning(`${place}.eval_cfg.evaluator.judge_cfg.key`))
    }
    warnings.push(...fieldWarnings(dataset, place), ...retrieverWarnings(dataset, place))
  }
  refuseSameNames(checked.models, placeOf(where, ['models']))
  refuseSameNames(checked.datasets, placeOf(where, ['datasets']))
  return { ...checked, models: checked.models.map(withoutSecret), warnings, unused }
}

/** The model that judges a dataset's answers is a model like the others. */
function judgeOf({ eval_cfg: evaluation }: z.output<typeof datasetOutline>): object | undefined {
  const evaluator = evaluation?.evaluator
  const judge = typeof evaluator === 'object' ? evaluator.judge_cfg : undefined
  return typeof judge === 'object' && judge !== null ? judge : undefined
}

/** A config is copied into results, which people share. */
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

/** A key near a known one is a slip of the pen; others are kept and listed. */
function refuseSlips(value: object, known: readonly string[], ignored: readonly string[], where: string): string[] {
  return Object.keys(value).flatMap((key) => {
    if (known.includes(key)) return []
    const near = ignored.includes(key) ? undefined : nearestName(key, known)
    if (near === undefined) return [placeOf(where, [key])]
    throw new PromptError('unknown-key', {
      where: placeOf(where, [key]),
      problem: `"${key}" is not known here`,
      fix: `did you mean "${near}"?`,
    })
  })
}

function listUnknownKeys(value: object, known: readonly string[], _: readonly string[], where: string): string[] {
  return Object.keys(value).flatMap((key) => (known.includes(key) ? [] : [placeOf(where, [key])]))
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

/** Deeper than anything a config needs; rows written in it may be nested, too. */
const maxDepth = 200

/** A config that was written beside results lacks its secrets. YAML's aliases can make a value part of itself. What was looked at once is not looked at again: aliases can share, too. */
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
  for (const [key, entry] of Object.entries(value))
    refuseUnreadable(entry, placeOf(where, [Array.isArray(value) ? Number(key) : key]), [...above, value], seen)
}
