import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { withoutMarks, withoutSecrets } from '@rolecall/core/internal/errors'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { modelSchema } from '../../evaluation/config/model-schema.ts'
import { tokenizerNamed } from '../../model/model-types/index.ts'
import { shippedTokenizer } from '../../model/model-types/model-type.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import type { RecordedRows } from './recorded-rows.ts'
import { ViewedRows } from './viewed-rows.ts'
import type { ConfigSite, DatasetSite, ModelSite, TokenizerSite } from './viewer-data.ts'

/** A config in the viewer: the data of the page, and the sources of its rows and tokenizers. */
export type ViewedConfig = { site: ConfigSite; rows: readonly ViewedRows[]; tokenizers: ReadonlyMap<string, string> }

/**
 * Opens a config for the page; `index` is its number on the site. `run`: the run that recorded it, which may be somebody else's; only the
 * rows that it recorded are shown.
 */
export function openViewedConfig(
  { file, folder, config }: LoadedConfig,
  index: number,
  run?: { title: string; recordedRows(dataset: number): RecordedRows | undefined },
): ViewedConfig {
  const models = config.models as readonly ModelConfig[]
  // CheckedConfig leaves `infer_cfg` out of its type, because templates are checked when compiled; the value keeps it.
  const datasets = config.datasets as unknown as readonly DatasetConfig[]
  const tokenizers = new Map<string, string>()
  return {
    site: {
      name: run?.title ?? (file === '' ? 'the shipped example' : basename(file)),
      models: models.map((model, number): ModelSite => {
        const tokenizer = tokenizerSite(model, folder, `tokenizers/${index}/${number}`, tokenizers)
        return { name: model.abbr ?? `model-${number}`, config: publicModel(model), tokenizer }
      }),
      datasets: datasets.map(
        (dataset, number): DatasetSite => ({ name: dataset.abbr ?? `dataset-${number}`, config: withoutRows(dataset) }),
      ),
      warnings: config.warnings,
      unused: config.unused,
      ...(file === '' ? { isExample: true as const } : {}),
    },
    rows: datasets.map((dataset, number) => new ViewedRows(dataset, folder, run?.recordedRows(number))),
    tokenizers,
  }
}

/** Without keys that are not in the schema. */
function publicModel(model: ModelConfig): ModelConfig {
  return toPublicJson(Object.fromEntries(Object.entries(model).filter(([key]) => Object.hasOwn(modelSchema.shape, key)))) as ModelConfig
}

function withoutRows({ rows: _, train_rows: __, ...dataset }: DatasetConfig): DatasetConfig {
  return toPublicJson(dataset) as DatasetConfig
}

/** A config as JSON without its secrets, since pages are shared. Functions of a TypeScript config are omitted. */
function toPublicJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(withoutMarks(withoutSecrets(value)), (_, entry: unknown) => {
      if (entry instanceof Map) return Object.fromEntries(entry)
      return typeof entry === 'bigint' ? Number(entry) : entry
    }),
  )
}

/** The files of a model's tokenizer, which the page loads. */
function tokenizerSite(model: ModelConfig, folder: string, url: string, files: Map<string, string>): TokenizerSite | undefined {
  const named = tokenizerNamed(model)
  if (named === shippedTokenizer) return { kind: 'embedded' }
  const path = named === undefined ? undefined : resolve(folder, named)
  if (path === undefined || !existsSync(path)) return undefined
  const file = statSync(path).isDirectory()
    ? ['tokenizer.json', 'tokenizer.model'].map((name) => join(path, name)).find((candidate) => existsSync(candidate))
    : path
  if (file === undefined) return undefined
  const add = (from: string, name: string) => {
    files.set(`${url}/${name}`, from)
    return `${url}/${name}`
  }
  if (file.endsWith('.gguf')) return { kind: 'gguf', name: basename(file), url: add(file, 'vocabulary.json') }
  if (file.endsWith('.model')) return { kind: 'sentencepiece', name: basename(file), url: add(file, 'tokenizer.model') }
  const beside = join(dirname(file), 'tokenizer_config.json')
  return {
    kind: 'hugging-face',
    name: named!,
    url: add(file, 'tokenizer.json'),
    ...(existsSync(beside) ? { config: add(beside, 'tokenizer_config.json') } : {}),
  }
}
