import { PromptError } from '@rolecall/core/internal/errors'
import { LinearPattern, UnsupportedPattern } from '@rolecall/core/internal/pattern'
import { parse } from 'yaml'
import { z } from 'zod'
import { groupBy } from '../../evaluation/score/evaluate/replicas.ts'
import type { RepoFile } from './hub-site.ts'

/** The files of each split of each config, as the `datasets` library finds them. */
export type DatasetSplits = {
  /** The config to use if none is given; undefined if one must be. */
  defaultConfig: string | undefined
  configs: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
}

const pathsSchema = z.union([z.string(), z.array(z.string())])
const configSchema = z.object({
  config_name: z.union([z.string(), z.number()]).transform(String),
  data_files: z
    .union([pathsSchema, z.array(z.object({ split: z.coerce.string(), path: pathsSchema })), z.record(z.string(), pathsSchema)])
    .optional(),
  data_dir: z.string().optional(),
  default: z.boolean().optional(),
})
const cardSchema = z.object({ configs: z.array(configSchema).optional() })

const rowFile = /\.(parquet|jsonl|ndjson|json|csv|tsv|zip)(?:\.gz)?$/i
const leftOut = new Set(['README.md', 'config.json', 'dataset_info.json', 'dataset_infos.json', 'dataset_dict.json', 'dummy_data.zip'])
const keywords: Readonly<Record<string, readonly string[]>> = {
  train: ['train', 'training'],
  validation: ['validation', 'valid', 'dev', 'val'],
  test: ['test', 'testing', 'eval', 'evaluation'],
}

/** Finds configs and splits: from the dataset card, else from the names of files and folders. `card` is the text of README.md. */
export function datasetSplits(files: readonly Pick<RepoFile, 'path'>[], card: string | undefined): DatasetSplits {
  const paths = files.map(({ path }) => path)
  const configs = configsOf(card)
  if (configs.length > 0) {
    const chosen = configs.length === 1 ? configs[0] : configs.find((one) => one.default === true || one.config_name === 'default')
    return {
      defaultConfig: chosen?.config_name,
      configs: new Map(configs.map((config) => [config.config_name, splitsOf(config, paths)])),
    }
  }
  return { defaultConfig: 'default', configs: new Map([['default', splitsByName(rowFiles(paths))]]) }
}

const structureSchema = z.record(z.string(), z.record(z.string(), z.object({ meta: z.string().optional() })))

/** `NAME.json` of ModelScope: config → split → the file with its rows (`meta`). Undefined if the text is not such a table. */
export function structuredSplits(files: readonly Pick<RepoFile, 'path'>[], text: string | undefined): DatasetSplits | undefined {
  const paths = new Set(files.map(({ path }) => path))
  const configs = new Map<string, Map<string, string[]>>()
  for (const [config, splits] of Object.entries(structureOf(text) ?? {})) {
    const found = Object.entries(splits).flatMap(([split, { meta = '' }]) =>
      paths.has(meta) ? [[split, [meta]] as [string, string[]]] : [],
    )
    if (found.length > 0) configs.set(config, new Map(found))
  }
  if (configs.size === 0) return undefined
  return { defaultConfig: configs.size === 1 ? [...configs.keys()][0] : ['default'].find((one) => configs.has(one)), configs }
}

function structureOf(text: string | undefined): z.infer<typeof structureSchema> | undefined {
  try {
    return structureSchema.parse(JSON.parse(text ?? ''))
  } catch {
    // A file of rows can have this name, too.
    return undefined
  }
}

/** The converted branch: `CONFIG/SPLIT/NNNN.parquet`. */
export function convertedSplits(files: readonly Pick<RepoFile, 'path'>[]): DatasetSplits {
  const configs = new Map<string, Map<string, string[]>>()
  for (const { path } of files) {
    const [, config, split] = /^([^/]+)\/(?:partial-)?([^/]+)\/[^/]+\.parquet$/.exec(path) ?? []
    if (config === undefined || split === undefined) continue
    const splits = configs.get(config) ?? new Map<string, string[]>()
    configs.set(config, splits.set(split, [...(splits.get(split) ?? []), path].sort()))
  }
  const names = [...configs.keys()]
  return { defaultConfig: names.length === 1 ? names[0] : names.find((name) => name === 'default'), configs }
}

function configsOf(card: string | undefined): z.infer<typeof configSchema>[] {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(card ?? '')?.[1]
  if (head === undefined) return []
  try {
    const { configs = [] } = cardSchema.parse(parse(head))
    return configs
  } catch (error) {
    // Without configs the head does not matter here.
    if (!/^configs\s*:/m.test(head)) return []
    throw new PromptError('hub-card', {
      where: 'README.md › configs',
      problem: `the configs of the dataset card cannot be read (${error instanceof z.ZodError ? error.issues[0]!.message : (error as Error).message.split('\n')[0]})`,
      fix: 'name a file of the dataset (hf://datasets/ORG/NAME/PATH)',
    })
  }
}

function splitsOf({ data_files: given, data_dir: folder }: z.infer<typeof configSchema>, paths: readonly string[]): Map<string, string[]> {
  const inside = folder === undefined ? paths : paths.filter((path) => path.startsWith(`${folder.replace(/\/+$/, '')}/`))
  if (given === undefined) return splitsByName(rowFiles(inside))
  const matching = (patterns: string | readonly string[]) =>
    [patterns].flat().flatMap((pattern) => {
      const expression = globExpression(pattern)
      return inside.filter((path) => expression.test(path)).sort()
    })
  const isPaths = typeof given === 'string' || (Array.isArray(given) && given.every((one) => typeof one === 'string'))
  if (isPaths) return new Map([['train', matching(given as string | string[])]])
  const entries = Array.isArray(given)
    ? (given as { split: string; path: string | string[] }[]).map(({ split, path }) => [split, path] as const)
    : Object.entries(given)
  return new Map(entries.map(([split, path]) => [split, matching(path)]))
}

/** Only files of the commonest type: others hold something else, or the same again. */
function rowFiles(paths: readonly string[]): string[] {
  const usable = paths.filter((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return rowFile.test(name) && !leftOut.has(name) && !path.split('/').some((part) => part.startsWith('.'))
  })
  const typeOf = (path: string) => rowFile.exec(path)![1]!.toLowerCase()
  const counts = groupBy(usable, typeOf)
  const [commonest] = [...counts.values()].sort((a, b) => b.length - a.length)
  return [...(commonest ?? [])].sort()
}

/** The first rule that finds files wins: `data/SPLIT-00000-of-00001…`, then keywords in folders, then keywords in file names. */
function splitsByName(paths: readonly string[]): Map<string, string[]> {
  const sharded = groupBy(
    paths.filter((path) => /^data\/.+-\d{5}-of-\d{5}/.test(path)),
    (path) => /^data\/(.+?)-\d{5}-of-\d{5}/.exec(path)![1]!,
  )
  if (sharded.size > 0) return sharded
  const folders = (path: string) => path.split('/').slice(0, -1)
  const fileName = (path: string) => path.split('/').slice(-1)
  for (const partsOf of [folders, fileName]) {
    const found = Object.entries(keywords).flatMap(([split, words]) => {
      const own = paths.filter((path) => partsOf(path).some((part) => hasKeyword(part, words)))
      return own.length === 0 ? [] : [[split, own] as const]
    })
    if (found.length > 0) return new Map(found)
  }
  return paths.length === 0 ? new Map() : new Map([['train', [...paths]]])
}

function hasKeyword(part: string, words: readonly string[]): boolean {
  return new RegExp(`(?:^|[-._ 0-9])(?:${words.join('|')})(?:[-._ 0-9]|$)`).test(part)
}

/** `*` and `?` stay within a folder, `**` crosses folders; `{a,b}` and `[abc]` as in a shell. */
function globExpression(pattern: string): LinearPattern {
  const text = pattern.replace(/^\.?\//, '').replace(/\*\*\/?|[*?{},.+^$()|\\]/g, (one) => {
    if (one.startsWith('**')) return one.endsWith('/') ? '(?:.*/)?' : '.*'
    const special: Record<string, string> = { '*': '[^/]*', '?': '[^/]', '{': '(?:', '}': ')', ',': '|' }
    return special[one] ?? `\\${one}`
  })
  try {
    return new LinearPattern(`^(?:${text})$`)
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    throw new PromptError('hub-bad-glob', {
      where: 'data_files of the dataset card',
      problem: `the pattern ${JSON.stringify(pattern)} cannot be read (${error.message})`,
      fix: 'name the files: download them, and give their path',
    })
  }
}
