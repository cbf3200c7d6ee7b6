import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { checkColumns } from '../../evaluation/run/ask/check-columns.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { firstRows } from '../node/rows/open-rows.ts'
import { warnBeside } from './terminal.ts'

/** Looks at the first rows of the chosen datasets: a column that is misspelt is an error, another name in braces is told. */
export async function tellRows({ config, folder }: LoadedConfig, names: string | undefined): Promise<void> {
  for (const dataset of selectByName(config.datasets as unknown as DatasetConfig[], names, '--datasets'))
    warnBeside(checkColumns(dataset, await firstRows(dataset, folder)).notes)
}
