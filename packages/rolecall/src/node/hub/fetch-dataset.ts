import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError, suggestName } from '@rolecall/core/internal/errors'
import { convertedSplits, type DatasetSplits, datasetSplits, structuredSplits } from './dataset-splits.ts'
import { type HubName, showHubName } from './hub-name.ts'
import { ownFolder } from './hugging-face-cache.ts'
import type { Hub } from './open-hub.ts'
import { unzip } from './unzip.ts'

/** The config and split of a dataset; both may follow its name: `hf://datasets/ORG/NAME/CONFIG/SPLIT`. */
export type DatasetPart = { config?: string; split?: string }

const converted = 'refs/convert/parquet'

/** The local files of one split of a dataset. What was not given and therefore chosen is noted. */
export async function fetchDataset(hub: Hub, name: HubName, part: DatasetPart, note: (note: Note) => void): Promise<string[]> {
  const { files } = await hub.list(name)
  if (name.path !== undefined && files.some(({ path }) => path === name.path)) return download(hub, name, [name.path])
  const { splits, from } = await splitsOf(hub, name, note)
  const asked = askedPart(name, part, splits)
  const config = asked.config ?? splits.defaultConfig
  const found = config === undefined ? undefined : splits.configs.get(config)
  if (found === undefined)
    throw new PromptError('hub-no-config', {
      where: showHubName(name),
      problem:
        config === undefined
          ? `the dataset has ${splits.configs.size} configs, and none is chosen`
          : `the dataset has no config "${config}"`,
      fix: config === undefined ? `add one of them to the name: ${list(splits.configs)}` : suggestName(config, [...splits.configs.keys()]),
    })
  const split = asked.split ?? ['test', 'validation', 'train'].find((one) => found.has(one)) ?? [...found.keys()][0]
  const paths = split === undefined ? undefined : found.get(split)
  if (split === undefined || paths === undefined || paths.length === 0)
    throw new PromptError('hub-no-split', {
      where: showHubName(name),
      problem: found.size === 0 ? 'the dataset has no files with rows' : `the dataset has no split "${split}"`,
      fix: found.size === 0 ? 'name another dataset' : `choose one of: ${list(found)}`,
    })
  if (asked.split === undefined && found.size > 1)
    note({ code: 'hub-split', where: showHubName(name), text: `the split "${split}" is used; it also has ${list(found, split)}` })
  if (from.revision === converted && paths.some((path) => path.includes('/partial-')))
    note({ code: 'partial-data', where: showHubName(name), text: `the hub has converted only the first rows of the split "${split}"` })
  return download(hub, from, paths)
}

async function splitsOf(hub: Hub, name: HubName, note: (note: Note) => void): Promise<{ splits: DatasetSplits; from: HubName }> {
  const { files } = await hub.list(name)
  const own = name.id.split('/').at(-1)
  const isScope = name.site === 'modelscope'
  const described = new Set(['README.md', ...(isScope ? [`${own}.json`] : [])])
  const { paths } = await hub.fetch(name, ({ path }) => described.has(path))
  const textOf = (path: string) => (paths.has(path) ? readFileSync(paths.get(path)!, 'utf8') : undefined)
  const splits = structuredSplits(files, textOf(`${own}.json`)) ?? datasetSplits(files, textOf('README.md'))
  const hasRows = [...splits.configs.values()].some((config) => [...config.values()].some((found) => found.length > 0))
  const hasScript = files.some(({ path }) => path === `${own}.py`)
  if (isScope && hasScript)
    note({
      code: 'hub-script',
      where: showHubName(name),
      text: hasRows
        ? `its script ${own}.py is not run: the splits are found by the names of the files`
        : `its rows come from the script ${own}.py, which is not run`,
    })
  if ((hasRows && !hasScript) || name.revision === converted || isScope) {
    return name.revision === converted ? { splits: convertedSplits(files), from: name } : { splits, from: name }
  }
  const from = { ...name, revision: converted }
  const found = convertedSplits((await hub.list(from)).files)
  note({ code: 'hub-converted', where: showHubName(name), text: `its rows come from the hub's conversion to Parquet (${converted})` })
  return { splits: found, from }
}

/** What follows the name is a config, a split, or both. */
function askedPart({ path }: HubName, part: DatasetPart, { configs, defaultConfig }: DatasetSplits): DatasetPart {
  if (path === undefined) return part
  const [first, ...rest] = path.split('/') as [string, ...string[]]
  if (rest.length > 0) return { config: first, split: rest.join('/') }
  const isSplit = !configs.has(first) && defaultConfig !== undefined && configs.get(defaultConfig)!.has(first)
  return isSplit ? { ...part, split: first } : { ...part, config: first }
}

async function download(hub: Hub, name: HubName, paths: readonly string[]): Promise<string[]> {
  const wanted = new Set(paths)
  const fetched = await hub.fetch(name, ({ path }) => wanted.has(path))
  const files: string[] = []
  for (const path of wanted) {
    const local = fetched.paths.get(path)!
    if (!path.endsWith('.zip')) {
      files.push(local)
      continue
    }
    const folder = join(fetched.folder, '..', '..', ownFolder, 'unpacked', fetched.commit, path)
    const unpacked = await unzip(local, folder)
    files.push(...unpacked.filter((file) => /\.(?:parquet|jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/i.test(file)).sort())
  }
  return files
}

function list(named: ReadonlyMap<string, unknown>, except?: string): string {
  const names = [...named.keys()].filter((one) => one !== except)
  return names.length > 12 ? `${names.slice(0, 12).join(', ')}, … (${names.length})` : names.join(', ')
}
