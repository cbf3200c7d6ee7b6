import { inferencerName } from '@rolecall/core/internal/compile'
import { retrieverType } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { nearestName, PromptError, suggestName } from '@rolecall/core/internal/errors'
import { findTemplate, isFormatName, templateNamed, unknownFormat } from '@rolecall/core/internal/format'
import { modelTypeOf, modelTypes } from '../../model/model-types/index.ts'
import type { CheckedConfig } from '../config/check-config.ts'
import type { DatasetConfig } from '../config/config-schema.ts'
import { isForeignClass } from '../config/known-keys.ts'
import type { UnusedKey } from '../config/unread-keys.ts'
import { retrieverSchema } from '../dataset/retrieve/retriever-schema.ts'
import { retrievers } from '../dataset/retrieve/retrievers.ts'
import { rowFormats } from '../dataset/row-formats/index.ts'
import { type EvaluatorConfig, evaluatorOf, evaluators } from '../score/evaluate/evaluators.ts'
import type { PostprocessorConfig, PostprocessorsConfig } from '../score/postprocess/postprocessor.ts'
import { postprocessors, readerOf } from '../score/postprocess/postprocessors.ts'
import { inferencers } from './ask/inferencers.ts'
import { refuseModel } from './plan-pairwise.ts'

type Model = CheckedConfig['models'][number]
type Dataset = CheckedConfig['datasets'][number]
type Found = { warnings: Note[]; unused: UnusedKey[] }

/**
 * Looks up every name of a config (types, formats, inferencers, retrievers, evaluators, postprocessors) and checks their options
 * when the config is read, so that every command reports a mistake in the same way. A name
 * similar to a known one is a mistake; another may belong to a program that is not installed, so that prompts can still be previewed.
 */
export function checkNames({ models, datasets }: Pick<CheckedConfig, 'models' | 'datasets'>, where: string): Found {
  const found: Found = { warnings: [], unused: [] }
  for (const [index, model] of models.entries()) checkModel(model, `${where}models[${index}]`, found)
  for (const [index, dataset] of datasets.entries()) {
    const place = `${where}datasets[${index}]`
    checkAsking(dataset, place, found)
    checkScoring(dataset, place, found)
    checkOpponent(dataset, place, models)
  }
  return found
}

function checkModel(model: Model, where: string, found: Found): void {
  const { type, format, conv_template: template } = model
  if (type !== undefined && modelTypeOf({ type }) === undefined) {
    const names = modelTypes.map(({ name }) => name)
    const near = nearestName(type, names)
    if (near !== undefined) throw unknownName('model type', `${where}.type`, type, names)
    if (!isForeignClass({ type }))
      found.warnings.push({
        code: 'not-runnable',
        where: `${where}.type`,
        text: `nothing here can run a model of type "${type}": its prompts can only be looked at`,
      })
  }
  if (format !== undefined && !isFormatName(format)) throw unknownFormat(format, `${where}.format`)
  if (typeof template === 'string' && !findTemplate(template)) templateNamed(template, `${where}.conv_template`)
  checkPostprocessors(model.pred_postprocessor, `${where}.pred_postprocessor`, found)
}

/** Keys that only some inferencers read. */
const inferencerKeys: Readonly<Record<string, readonly string[]>> = {
  labels: ['PPLInferencer', 'LLInferencer'],
  normalizing_str: ['PPLInferencer'],
  choices: ['CLPInferencer'],
  single_token: ['CLPInferencer'],
  infer_mode: ['ChatInferencer'],
  // What it means is decided by its name: GenInferencer with it is a ChatInferencer.
  multiround: ['GenInferencer', 'ChatInferencer'],
  max_out_len: ['GenInferencer', 'ChatInferencer'],
  min_out_len: ['GenInferencer', 'ChatInferencer'],
  stopping_criteria: ['GenInferencer', 'ChatInferencer'],
}

function checkAsking(dataset: Dataset, where: string, found: Found): void {
  const { row_format: layout } = dataset
  const { inferencer = {}, retriever = {} } = dataset.infer_cfg as Pick<DatasetConfig['infer_cfg'], 'inferencer' | 'retriever'>
  const own = knownName('inferencer', inferencerName(inferencer), Object.keys(inferencers), `${where}.infer_cfg.inferencer`, found)
  for (const key of Object.keys(inferencer)) {
    const readers = Object.hasOwn(inferencerKeys, key) ? inferencerKeys[key] : undefined
    if (own === undefined || !readers || readers.includes(own)) continue
    found.unused.push({ where: `${where}.infer_cfg.inferencer.${key}`, why: `${own} does not read it, only ${readers.join(' and ')}` })
  }
  checkRetriever(retriever, `${where}.infer_cfg.retriever`, found)
  if (layout !== undefined && !Object.hasOwn(rowFormats, layout))
    throw unknownName('row format', `${where}.row_format`, layout, Object.keys(rowFormats))
}

function checkRetriever(
  retriever: { type?: string; fix_id_list?: readonly number[]; choose?: unknown },
  where: string,
  found: Found,
): void {
  const names = ['ZeroRetriever', 'FixKRetriever', ...Object.keys(retrievers)]
  if (retriever.type !== undefined && knownName('retriever', retriever.type, names, where, found) === undefined) return
  const type = retrieverType(retriever)
  const heeded = retriever.choose === undefined ? optionsOf(type) : []
  const reader = retriever.choose === undefined ? type : 'a retriever with `choose`'
  for (const key of Object.keys(retriever)) {
    if (!Object.hasOwn(retrieverSchema.shape, key) || commonKeys.includes(key) || heeded.includes(key)) continue
    found.unused.push({ where: `${where}.${key}`, why: `${reader} does not read it` })
  }
}

/** The keys that every retriever reads; `choose` replaces all others. */
const commonKeys = ['type', 'ice_separator', 'ice_eos_token', 'choose']

function optionsOf(type: string): readonly string[] {
  // Another check warns about a wrong number of fixed examples.
  if (type === 'FixKRetriever') return ['fix_id_list', 'ice_num']
  const { options, needsEmbeddings } = retrievers[type] ?? { options: [] }
  return [...options, ...(needsEmbeddings ? ['embeddings'] : []), ...(type === 'MDLRetriever' ? ['ce_model'] : [])]
}

function checkScoring(dataset: Dataset, where: string, found: Found): void {
  const { eval_cfg: evaluation = {}, reader_cfg: reader } = dataset
  const place = `${where}.eval_cfg`
  const { evaluator } = evaluation as { evaluator?: EvaluatorConfig }
  const given = typeof evaluator === 'object' ? evaluator : undefined
  const type = given && 'type' in given ? given.type : undefined
  const isMissing = type !== undefined && knownName('evaluator', type, [...evaluators.keys()], `${place}.evaluator`, found) === undefined
  if (given && !isMissing) evaluatorOf(given, Boolean(reader?.output_column), '', anyWords, { place: `${place}.evaluator` })
  for (const key of ['pred_postprocessor', 'dataset_postprocessor'] as const) checkPostprocessors(evaluation[key], `${place}.${key}`, found)
}

/** The opponent must be one of the models; a config without models only renders prompts. */
function checkOpponent({ eval_cfg: evaluation }: Dataset, where: string, models: readonly Model[]): void {
  const evaluator = evaluation?.evaluator as { against?: unknown } | undefined
  if (models.length === 0 || typeof evaluator !== 'object' || typeof evaluator.against !== 'string') return
  const names = models.map(({ abbr }, number) => abbr ?? `model-${number}`)
  refuseModel(evaluator.against, `${where}.eval_cfg.evaluator.against`, names)
}

function checkPostprocessors(config: PostprocessorsConfig | undefined, where: string, found: Found): void {
  const isKnown = [config ?? []].flat().map((step: PostprocessorConfig, index) => {
    const type = typeof step === 'function' ? undefined : typeof step === 'string' ? step : step.type
    const place = Array.isArray(config) ? `${where}[${index}]` : where
    return type === undefined || knownName('postprocessor', type, [...postprocessors.keys()], place, found) !== undefined
  })
  if (isKnown.every(Boolean)) readerOf(config, where, anyWords)
}

/** Packages missing on this machine are reported when they are needed. */
const anyWords = { words: () => [] }

/** The name without its module if it is known; otherwise a warning, or an error if a known name is similar. */
function knownName(kind: Kind, type: string, names: readonly string[], where: string, { warnings }: Found): string | undefined {
  const name = type.split('.').at(-1)!
  if (names.includes(name)) return name
  const place = kind === 'postprocessor' ? where : `${where}.type`
  if (nearestName(name, names) !== undefined) throw unknownName(kind, place, name, names)
  warnings.push({ code: `unknown-${kind}`, where: place, text: `there is no ${kind} "${name}": ${kinds[kind]}` })
  return undefined
}

/** The consequence of a missing name, by kind. */
const kinds = {
  inferencer: 'its rows cannot be run',
  retriever: 'no examples can be chosen',
  evaluator: 'answers cannot be scored',
  postprocessor: 'answers cannot be scored',
}
type Kind = keyof typeof kinds

function unknownName(kind: string, where: string, name: string, names: readonly string[]): PromptError {
  return new PromptError(`unknown-${kind.replaceAll(' ', '-')}`, {
    where,
    problem: `there is no ${kind} "${name}"`,
    fix: suggestName(name, names),
  })
}
