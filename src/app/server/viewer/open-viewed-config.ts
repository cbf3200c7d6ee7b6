import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { withoutMarks, withoutSecrets } from '../../../base/errors/secrets.ts'
import type { DatasetConfig, ModelConfig } from '../../../evaluation/config/config-schema.ts'
import { modelSchema } from '../../../evaluation/config/model-schema.ts'
import { tokenizerNamed } from '../../../model/model-types/index.ts'
import { shippedTokenizer } from '../../../model/model-types/model-type.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { DatasetRows } from './viewed-rows.ts'
import type { ConfigSite, DatasetSite, ModelSite, TokenizerSite } from './viewer-data.ts'

/** A config that is looked at: what the page is told, and where the rest is read from. */
export type OpenConfig = { site: ConfigSite; rows: readonly DatasetRows[]; tokenizers: ReadonlyMap<string, string> }

/** Opens a config for the page; `index` is its place among those that are looked at. */
export function openConfig({ file, folder, config }: LoadedConfig, index: number, name?: string): OpenConfig {
  const models = config.models as readonly ModelConfig[]
  const datasets = config.datasets as unknown as readonly DatasetConfig[]
  const tokenizers = new Map<string, string>()
  return {
    site: {
      name: name ?? (file === '' ? 'the shipped example' : basename(file)),
      models: models.map((model, number): ModelSite => {
        const tokenizer = tokenizerSite(model, folder, `tokenizers/${index}/${number}`, tokenizers)
        return { name: model.abbr ?? `model-${number}`, config: shownModel(model), tokenizer }
      }),
      datasets: datasets.map(
        (dataset, number): DatasetSite => ({ name: dataset.abbr ?? `dataset-${number}`, config: withoutRows(dataset) }),
      ),
      warnings: config.warnings,
      unused: config.unused,
      ...(file === '' ? { isExample: true as const } : {}),
    },
    rows: datasets.map((dataset) => new DatasetRows(dataset, folder)),
    tokenizers,
  }
}

/** Only what the schema knows. */
function shownModel(model: ModelConfig): ModelConfig {
  return shown(Object.fromEntries(Object.entries(model).filter(([key]) => Object.hasOwn(modelSchema.shape, key)))) as ModelConfig
}

function withoutRows({ rows: _, train_rows: __, ...dataset }: DatasetConfig): DatasetConfig {
  return shown(dataset) as DatasetConfig
}

/** What JSON can say of a config, without its secrets: pages are shown to others. Functions of a TypeScript config are left out. */
function shown(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(withoutMarks(withoutSecrets(value)), (_, entry: unknown) => {
      if (entry instanceof Map) return Object.fromEntries(entry)
      return typeof entry === 'bigint' ? Number(entry) : entry
    }),
  )
}

/** The files of a model's own tokenizer, which the page reads itself. */
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
