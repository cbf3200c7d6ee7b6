import { hubRepositories } from './data-paths.ts'
import type { Files } from './files.ts'

/** The hub that OpenCompass reads rows from; undefined for its data folder and archives. */
type DataSource = 'ModelScope' | 'HF'

/** The value of DATASET_SOURCE; OpenCompass takes any other text for `Local`. */
export function dataSource({ environment }: Pick<Files, 'environment'>): DataSource | undefined {
  const source = environment?.DATASET_SOURCE
  return source === 'ModelScope' || source === 'HF' ? source : undefined
}

/** The name of the repository that has the data of an id; undefined if OpenCompass's table has none. */
export function hubRepository(id: string, source: DataSource): string | undefined {
  const repository = Object.hasOwn(hubRepositories, id) ? hubRepositories[id]?.[source] : undefined
  return repository && `${source === 'HF' ? 'hf' : 'ms'}://${repository}`
}

/** Ids whose classes read files, which the repositories have at the same paths as the data folder. */
const sameFiles: ReadonlySet<string> = new Set(['opencompass/ELBench', 'opencompass/needlebench', 'opencompass/seedbench'])

/** The repository whose files stand in for the folder of an id; undefined if it has other files, or there is none. */
export function hubFolder(id: string, source: DataSource): string | undefined {
  return sameFiles.has(id) ? hubRepository(id, source) : undefined
}
