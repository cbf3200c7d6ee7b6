import { dictEntries } from '@rolecall/core/internal/python'
import { arrowBatches } from '../../../../evaluation/dataset/arrow/arrow-batches.ts'
import { BadData } from '../bad-data.ts'
import type { RowDict } from '../row-values.ts'
import { fromAll, type Table } from '../table.ts'

/** `Dataset.from_file`: an Arrow file. */
export async function readArrowTable(content: Uint8Array, path: string): Promise<Table> {
  const rows: RowDict[] = []
  const bytes = async (position: number, length: number) => new Uint8Array(content.subarray(position, position + length))
  try {
    for await (const batch of arrowBatches({ size: content.byteLength, bytes })) rows.push(...batch.map((row) => new Map(dictEntries(row))))
  } catch (error) {
    throw new BadData(`the file is not readable as Arrow (${(error as Error).message})`, path)
  }
  return fromAll(rows)
}
