import { writesChatTemplate } from '@rolecall/core/internal/format'
import type { Value } from '@rolecall/core/internal/python'
import { PythonError } from '@rolecall/core/internal/python'
import { inferencerNames } from '../../../evaluation/config/inferencer-names.ts'
import { retrievers } from '../../../evaluation/dataset/retrieve/retrievers.ts'
import { evaluators } from '../../../evaluation/score/evaluate/evaluators.ts'
import { judgePostprocessors } from '../../../evaluation/score/postprocess/judge-postprocessors.ts'
import { postprocessors } from '../../../evaluation/score/postprocess/postprocessors.ts'
import { modelTypeNamed } from '../../../model/model-types/index.ts'
import { isMutableDict } from '../../../python/interpreter/containers.ts'
import { toPyValue } from '../../../python/interpreter/convert.ts'
import { localPaths } from '../loaders/data-paths.ts'
import { loaderNamed } from '../loaders/load.ts'
import { registerOpenCompass } from '../register-opencompass.ts'
import { className, fieldsOf, type ImportedEntry } from './imported-entry.ts'
import { type LocalModelServer, localModelServer } from './local-model-server.ts'
import { promptHash } from './prompt-hash.ts'

/** What Rolecall supports of an imported model or dataset. */
export type EntryReport = {
  abbr: string
  /** What the user must provide before it runs. Rendering needs only rows. */
  needs: string[]
  /** Datasets only: the expected location of the data, and a description. */
  data?: string
  /** Names that Rolecall does not have; they stay in the config. */
  missing: string[]
  /** Models of local classes only: how to start a server for it. */
  serve?: LocalModelServer
  /** Datasets only: the config's names for the loader, the evaluator and the postprocessors. */
  uses?: { loader: string[]; evaluator: string[]; postprocessor: string[]; own: string[] }
  /** Datasets only: OpenCompass's hash of the prompts. */
  promptHash?: string
}

const templates = new Set(['PromptTemplate', 'RawPromptTemplate'])
const retrieverNames = new Set(['ZeroRetriever', 'FixKRetriever', ...Object.keys(retrievers)])
const inferencers = new Set<string>(inferencerNames)
const judgeReaders: Names = { has: (name) => postprocessors.has(name) || judgePostprocessors.has(name) }
const rowFile = /\.(jsonl|json|csv|tsv)(\.gz)?$/

type Converted = { value: Value; entry: ImportedEntry }

export function describeModels(models: readonly Converted[], modelTypes: readonly string[]): EntryReport[] {
  const types = new Set(modelTypes)
  return models.map(({ entry }, index) => {
    const serve = localModelServer(entry)
    return {
      abbr: nameOf(entry, `model ${index}`),
      needs: modelNeeds(entry),
      missing: unknown('type', entry.type, types),
      ...(serve ? { serve } : {}),
    }
  })
}

export function describeDatasets(datasets: readonly Converted[], withHashes: boolean): EntryReport[] {
  registerOpenCompass()
  const hashes = new Map<Value, string>()
  return datasets.map(({ value, entry }, index) => ({
    abbr: nameOf(entry, `dataset ${index}`),
    ...describeDataset(entry),
    ...(withHashes ? hashOf(value, hashes) : {}),
  }))
}

function nameOf({ abbr }: ImportedEntry, otherwise: string): string {
  return typeof abbr === 'string' ? abbr : otherwise
}

/** OpenCompass's hash of the prompts; absent if Python code determines a part of them. Datasets with the same prompts share a hash. */
function hashOf(dataset: Value, hashes: Map<Value, string>): { promptHash?: string } {
  const infer = isMutableDict(dataset) ? dataset.get('infer_cfg') : undefined
  if (infer === undefined) return {}
  const before = hashes.get(infer)
  if (before !== undefined) return { promptHash: before }
  try {
    const hash = promptHash(toPyValue(dataset) as never)
    // An infer_cfg with a reader_cfg is hashed with its columns, so its hash is not shared.
    if (!(isMutableDict(infer) && infer.has('reader_cfg'))) hashes.set(infer, hash)
    return { promptHash: hash }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    return {}
  }
}

function modelNeeds({ type, path, ...model }: ImportedEntry): string[] {
  if (
    writesChatTemplate(typeof type === 'string' ? type : undefined) &&
    ['chat_template', 'format', 'conv_template'].every((key) => !(key in model))
  )
    return [
      "the chat template of its tokenizer: the model's folder as path, tokenizer_path or --chat-template, or a server that writes it (--models NAME=URL)",
    ]
  const found = typeof type === 'string' ? modelTypeNamed(type) : undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return found?.lacks?.({ path: text(path), base_url: text(model.base_url) }) ?? []
}

function describeDataset({
  infer_cfg,
  eval_cfg,
  path,
  data_files,
  rows,
  type,
  object,
}: ImportedEntry): Pick<EntryReport, 'needs' | 'missing' | 'data' | 'uses'> {
  const infer = fieldsOf(infer_cfg)
  const score = fieldsOf(eval_cfg)
  const evaluator = fieldsOf(score.evaluator)
  const [rule, judge] = [fieldsOf(evaluator.rule_evaluator), fieldsOf(evaluator.llm_evaluator)]
  const cleaned: [role: string, name: unknown, own: unknown][] = [
    ['pred_postprocessor', score.pred_postprocessor],
    ['dataset_postprocessor', score.dataset_postprocessor],
    ['evaluator.pred_postprocessor', evaluator.pred_postprocessor],
    ['rule_evaluator.pred_postprocessor', rule.pred_postprocessor],
  ].flatMap(([role, given]) => [given].flat().map((one): [string, unknown, unknown] => [role as string, typeOf(one), fieldsOf(one).object]))
  const loader = typeof type === 'string' ? loaderNamed(type) : undefined
  const hasRows = Array.isArray(rows) || loader !== undefined || (type === undefined && typeof path === 'string' && rowFile.test(path))
  const of = typeof type === 'string' ? ` that ${type} reads` : ''
  const given = typeof data_files === 'string' ? data_files : path
  return {
    ...(loader && !Array.isArray(rows)
      ? { data: `${typeof given === 'string' ? `${localPaths[given] ?? given}: ` : ''}${loader.reads}` }
      : {}),
    needs: [
      ...(hasRows
        ? []
        : [
            `a file with its rows as "path" (.jsonl, .json, .csv or .tsv)${typeof type === 'string' ? ' and no "type"' : ''}, in place of ${typeof path === 'string' ? `"${path}"` : 'the data'}${of}`,
          ]),
      ...embeddingNeeds(fieldsOf(infer.retriever)),
      ...[evaluator, judge].flatMap(judgeNeeds),
    ],
    missing: [
      ...(infer_cfg === undefined ? ['infer_cfg'] : []),
      ...(typeof type === 'string' && !loader && !Array.isArray(rows) ? [`loader ${type}`] : []),
      ...unknown('ice_template', fieldsOf(infer.ice_template).type, templates),
      ...unknown('prompt_template', fieldsOf(infer.prompt_template).type, templates),
      ...unknown('retriever', fieldsOf(infer.retriever).type, retrieverNames),
      ...unknown('inferencer', fieldsOf(infer.inferencer).type, inferencers),
      ...unknown('evaluator', evaluator.type, evaluators),
      ...unknown('rule_evaluator', rule.type, evaluators),
      ...unknown('llm_evaluator', judge.type, evaluators),
      ...cleaned.flatMap(([role, name]) => unknown(role, name, postprocessors)),
      ...[evaluator, judge].flatMap(({ dict_postprocessor }) => unknown('dict_postprocessor', typeOf(dict_postprocessor), judgeReaders)),
    ],
    uses: {
      loader: named([object ?? type]),
      evaluator: named([evaluator.object ?? evaluator.type, rule.type, judge.type]),
      postprocessor: named(cleaned.map(([, name, own]) => own ?? name)),
      own: named([object, evaluator.object, ...cleaned.map(([, , own]) => own)]),
    },
  }
}

/** OpenCompass downloads a sentence encoder for some retrievers; here the user must name one. */
function embeddingNeeds({ type, embeddings }: Record<string, unknown>): string[] {
  const [name] = named([type])
  const needs = name !== undefined && Object.hasOwn(retrievers, name) && retrievers[name]!.needsEmbeddings === true
  return needs && embeddings === undefined ? [`embeddings for ${name}: "embeddings" in its retriever`] : []
}

/** OpenCompass can take the judge from the command line. */
function judgeNeeds({ type, judge_cfg }: Record<string, unknown>): string[] {
  const [name] = named([type])
  if (name !== 'GenericLLMEvaluator' || Object.keys(fieldsOf(judge_cfg)).length > 0) return []
  return [`a model that judges: "judge_cfg" of its ${name}`]
}

/** The strings among these values, deduplicated, without the module prefix. */
function named(names: readonly unknown[]): string[] {
  const texts = names.filter((name) => typeof name === 'string')
  return [...new Set(texts.map(className))]
}

/** A name, alone or with options. */
function typeOf(value: unknown): unknown {
  return typeof value === 'string' ? value : fieldsOf(value).type
}

type Names = { has(name: string): boolean }

function unknown(role: string, name: unknown, names: Names): string[] {
  if (typeof name !== 'string' || names.has(name) || names.has(className(name))) return []
  return [`${role} ${name}`]
}
