import type { UnpackBudget } from '@rolecall/core/internal/errors'
import { zstdSize } from '@rolecall/core/internal/errors'
import type { AsyncBuffer, ColumnMetaData, Compressors, FileMetaData, PageHeader, RowGroup, SchemaTree } from 'hyparquet'
import { PageCheck } from './check-page.ts'

/** A row as hyparquet makes it, by its columns. */
export type ParquetRow = Record<string, unknown>

type Options = {
  metadata: FileMetaData
  budget: UnpackBudget
  /** Whether columns of bytes without a type are texts. */
  utf8?: boolean
}

/** Bytes that a row's object takes at least. */
const bytesOfRow = 16

/**
 * The rows of a Parquet file from a stranger, by row group. Every number in the file can be a lie: page headers say how much memory a reader
 * takes, runs how often a value is repeated, and the number of rows how many objects there are. All are checked, and charged, before
 * anything is made of them.
 */
export async function* parquetRows(file: AsyncBuffer, { metadata, budget, utf8 = true }: Options): AsyncGenerator<ParquetRow[]> {
  const [{ parquetSchema }, { assembleAsync, asyncGroupToRows }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet/src/rowgroup.js'),
  ])
  const tree = parquetSchema(metadata)
  refuseVariants(tree)
  const readColumn = await columnReader(file, { budget, utf8 })
  let groupStart = 0
  for (const group of metadata.row_groups) {
    const groupRows = Number(group.num_rows)
    budget.take(groupRows * bytesOfRow, 'its rows')
    const select = { groupStart, groupRows, selectStart: 0, selectEnd: groupRows }
    // One after the other, so that a column that is refused ends the reading.
    const asyncColumns = []
    for (const column of columnsOf(group))
      asyncColumns.push({ pathInSchema: column.path_in_schema, data: Promise.resolve(await readColumn(column, tree, select)) })
    yield asyncGroupToRows(assembleAsync({ ...select, asyncColumns }, tree), 0, groupRows, undefined, 'object')
    groupStart += groupRows
  }
}

function columnsOf({ columns }: RowGroup): ColumnMetaData[] {
  return columns.map(({ meta_data: column, file_path: elsewhere }) => {
    if (elsewhere !== undefined || column === undefined) throw new Error('its columns are in other files')
    return column
  })
}

/** Values of this type refer to each other, so that a few bytes can stand for any number of values. */
function refuseVariants({ element, path, children }: SchemaTree): void {
  if (element.logical_type?.type === 'VARIANT') throw new Error(`column ${path.join('.')}: the type VARIANT is not read`)
  for (const child of children) refuseVariants(child)
}

type Select = { groupStart: number; groupRows: number; selectStart: number; selectEnd: number }
type Column = ReturnType<typeof import('hyparquet/src/column.js')['readColumn']>

/** Reads the column of a row group. */
async function columnReader(
  file: AsyncBuffer,
  { budget, utf8 }: Required<Pick<Options, 'budget' | 'utf8'>>,
): Promise<(column: ColumnMetaData, tree: SchemaTree, select: Select) => Promise<Column>> {
  const [{ compressors }, { parquetHeader, readColumn }, { deltaBinaryUnpack }, { readRleBitPackedHybrid }, schema, { DEFAULT_PARSERS }] =
    await Promise.all([
      import('hyparquet-compressors'),
      import('hyparquet/src/column.js'),
      import('hyparquet/src/delta.js'),
      import('hyparquet/src/encoding.js'),
      import('hyparquet/src/schema.js'),
      import('hyparquet/src/convert.js'),
    ])
  return async (column, tree, select) => {
    const { path_in_schema: pathInSchema, codec, type, total_compressed_size: size } = column
    const schemaPath = schema.getTreePath(tree, pathInSchema)
    const shape = {
      name: pathInSchema.join('.'),
      type,
      repetition: schema.getMaxRepetitionLevel(schemaPath),
      definition: schema.getMaxDefinitionLevel(schemaPath),
    }
    const check = new PageCheck(shape, budget, { deltaBinaryUnpack, readRleBitPackedHybrid })
    const start = Number(column.dictionary_page_offset || column.data_page_offset)
    const buffer = await file.slice(start, start + Number(size))
    /** The pages by the place of their packed values. */
    const pages = new Map<number, PageHeader>()
    const reader = { view: new DataView(buffer), offset: 0 }
    while (reader.offset < buffer.byteLength - 1) {
      const header = parquetHeader(reader)
      check.header(header)
      const page = new Uint8Array(buffer, reader.offset, header.compressed_page_size)
      check.levels(header, page)
      const second = header.type === 'DATA_PAGE_V2' ? header.data_page_header_v2 : undefined
      const levels = second === undefined ? 0 : second.repetition_levels_byte_length + second.definition_levels_byte_length
      if (codec === 'UNCOMPRESSED' || second?.is_compressed === false) check.values(header, page.subarray(levels))
      else pages.set(reader.offset + levels, header)
      reader.offset += header.compressed_page_size
    }
    const checked = (name: keyof typeof compressors) => (packed: Uint8Array, length: number) => {
      const header = packed.buffer === buffer ? pages.get(packed.byteOffset) : undefined
      if (header === undefined) throw new Error(`column ${shape.name}: a page is where none was announced`)
      const bytes = name === 'ZSTD' ? unpackZstd(packed, length, compressors) : compressors[name]?.(packed, length)
      if (bytes?.length !== length) throw new Error(`column ${shape.name}: a page is not as long as announced`)
      check.values(header, bytes)
      return bytes
    }
    const names = ['SNAPPY', 'GZIP', 'BROTLI', 'ZSTD', 'LZ4', 'LZ4_RAW'] as const
    const decoder: Parameters<typeof readColumn>[2] = {
      ...{ pathInSchema, type, codec, schemaPath, utf8, parsers: DEFAULT_PARSERS },
      element: schemaPath.at(-1)?.element ?? tree.element,
      compressors: Object.fromEntries(names.map((name) => [name, checked(name)])),
    }
    return readColumn({ view: new DataView(buffer), offset: 0 }, select, decoder)
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
