import { BadData, MissingData } from './bad-data.ts'
import type { Files } from './files.ts'
import { readTable } from './load-dataset.ts'
import { Data } from './loader-data.ts'
import type { RowDict } from './row-values.ts'
import { concatenate, dictsOf, type Table } from './table.ts'

/** A dataset on a hub, as the classes of OpenCompass read it with `MsDataset.load`. */
export class HubRows {
  readonly data: Data

  constructor(
    readonly repository: string,
    readonly files: Files,
  ) {
    this.data = new Data(files)
  }

  async table(split: string, subset?: string): Promise<Table> {
    if (!this.files.split) throw new MissingData(`the rows are in ${this.repository}, and nothing is downloaded here`, this.repository)
    const paths = await this.files.split(this.repository, { split, ...(subset === undefined ? {} : { config: subset }) })
    const tables: Table[] = []
    for (const path of paths) tables.push(await readTable(this.data, path))
    if (tables.length === 0) throw new BadData(`the split "${split}" has no files`, this.repository)
    return tables.length === 1 ? tables[0]! : concatenate(tables)
  }

  async rows(split: string, subset?: string): Promise<RowDict[]> {
    return dictsOf(await this.table(split, subset))
  }
}
