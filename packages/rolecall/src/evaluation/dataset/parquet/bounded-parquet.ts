import type { UnpackBudget } from '@rolecall/core/internal/errors'
import { zstdSize } from '@rolecall/core/internal/errors'
import type { AsyncBuffer, Compressors, DataReader, FileMetaData } from 'hyparquet'

/** What reads a Parquet file from a stranger: its pages and values are charged before they are unpacked. */
export type BoundedParquet = { file: AsyncBuffer; compressors: Compressors }

/**
 * A Parquet file whose readers keep to a budget. Page headers say how much memory a reader takes for a page and for its values, and the
 * number of rows how many objects it makes: any of them can be a lie in a file of a few bytes.
 */
export async function boundedParquet(file: AsyncBuffer, metadata: FileMetaData, budget: UnpackBudget): Promise<BoundedParquet> {
  const { compressors } = await import('hyparquet-compressors')
  const { parquetHeader } = await import('hyparquet/src/column.js')
  const columns = new Map<number, string>()
  for (const { columns: chunks, num_rows: rows } of metadata.row_groups) {
    // Each row becomes an object.
    budget.take(Number(rows), 'its rows')
    for (const { meta_data: column } of chunks) {
      if (column === undefined) continue
      const { data_page_offset: data, dictionary_page_offset: dictionary } = column
      columns.set(Number(dictionary ?? data), column.path_in_schema.join('.'))
    }
  }
  const charge = (buffer: ArrayBuffer, column: string) => {
    const reader: DataReader = { view: new DataView(buffer), offset: 0 }
    while (reader.offset < buffer.byteLength - 1) {
      const header = parquetHeader(reader)
      const values = (header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header)?.num_values ?? 0
      budget.take(Math.max(0, header.uncompressed_page_size) + values, `column ${column}`)
      reader.offset += Math.max(0, header.compressed_page_size)
    }
  }
  return {
    file: {
      byteLength: file.byteLength,
      async slice(start, end) {
        const buffer = await file.slice(start, end)
        const column = columns.get(start)
        if (column !== undefined) charge(buffer, column)
        return buffer
      },
    },
    compressors: { ...compressors, ZSTD: (input, length) => unpackZstd(input, length, compressors) },
  }
}

/** Unpacks Zstandard into as many bytes as are announced. */
export function unpackZstd(input: Uint8Array, length: number, { ZSTD: unpack }: Compressors): Uint8Array {
  const size = zstdSize(input)
  // Blocks are nearly always full; where they are not, unpacking takes longer than the result says.
  const mostWork = 16 * Math.max(length, 4 << 20)
  if (unpack === undefined || size === undefined || size.exact > length || size.atMost > mostWork)
    throw new Error('its Zstandard data is not as long as announced')
  return unpack(input, length)
}
