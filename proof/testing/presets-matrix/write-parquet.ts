/** A cell: a text, an integer, a list of texts, or a record of lists. */
export type Cell = string | number | readonly string[] | { readonly [key: string]: readonly string[] }

/**
 * Writes a minimal Parquet file: one row group, one page per column, uncompressed. Enough for
 * Hugging Face's layouts, whose columns are texts, integers and lists. https://parquet.apache.org/docs/file-format/
 */
export function writeParquet(rows: readonly Readonly<Record<string, Cell>>[]): Uint8Array {
  const columns = Object.keys(rows[0]!).flatMap((name) => leavesOf(name, rows))
  const parts: Buffer[] = [Buffer.from('PAR1')]
  let offset = 4
  const chunks = columns.map((column) => {
    const page = pageOf(column)
    const at = offset
    parts.push(page)
    offset += page.length
    return chunkOf(column, at, page.length)
  })
  const groups = struct([1, list(structType, chunks)], [2, i64(offset - 4)], [3, i64(rows.length)])
  const footer = struct([1, i32(1)], [2, list(structType, schemaOf(rows[0]!))], [3, i64(rows.length)], [4, list(structType, [groups])])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.bytes.length)
  return Buffer.concat([...parts, footer.bytes, length, Buffer.from('PAR1')])
}

/** A column of values: `levels` mark where lists start. */
type Leaf = { path: readonly string[]; isNumber: boolean; values: readonly (string | number)[]; levels?: readonly number[] }

function leavesOf(name: string, rows: readonly Readonly<Record<string, Cell>>[]): Leaf[] {
  const first = rows[0]![name]!
  if (typeof first !== 'object')
    return [{ path: [name], isNumber: typeof first === 'number', values: rows.map((row) => row[name] as string | number) }]
  const lists = (of: (row: Readonly<Record<string, Cell>>) => readonly string[], path: string[]): Leaf => ({
    path,
    isNumber: false,
    values: rows.flatMap(of),
    levels: rows.flatMap((row) => of(row).map((_, index) => (index === 0 ? 0 : 1))),
  })
  if (Array.isArray(first)) return [lists((row) => row[name] as readonly string[], [name])]
  return Object.keys(first).map((key) => lists((row) => (row[name] as Record<string, readonly string[]>)[key]!, [name, key]))
}

const [byteArray, int64] = [6, 2]
const [required, repeated] = [0, 2]

function schemaOf(row: Readonly<Record<string, Cell>>): Written[] {
  const leaf = (name: string, isNumber: boolean, repetition: number) =>
    struct([1, i32(isNumber ? int64 : byteArray)], [3, i32(repetition)], [4, text(name)], ...(isNumber ? [] : [[6, i32(0)] as const]))
  const group = (name: string, children: number) => struct([3, i32(required)], [4, text(name)], [5, i32(children)])
  const fields = Object.entries(row).flatMap(([name, cell]) => {
    if (typeof cell !== 'object') return [leaf(name, typeof cell === 'number', required)]
    if (Array.isArray(cell)) return [leaf(name, false, repeated)]
    return [group(name, Object.keys(cell).length), ...Object.keys(cell).map((key) => leaf(key, false, repeated))]
  })
  return [struct([4, text('schema')], [5, i32(Object.keys(row).length)]), ...fields]
}

function pageOf({ values, isNumber, levels }: Leaf): Buffer {
  const plain = values.map((value) => {
    const bytes = Buffer.from(String(value))
    const head = Buffer.alloc(isNumber ? 8 : 4)
    if (!isNumber) head.writeUInt32LE(bytes.length)
    else head.writeBigInt64LE(BigInt(value))
    return isNumber ? head : Buffer.concat([head, bytes])
  })
  const data = Buffer.concat([...(levels ? [runs(levels), runs(levels.map(() => 1))] : []), ...plain])
  const header = struct([1, i32(values.length)], [2, i32(0)], [3, i32(3)], [4, i32(3)])
  return Buffer.concat([struct([1, i32(0)], [2, i32(data.length)], [3, i32(data.length)], [5, header]).bytes, data])
}

/** Levels as runs of length one. */
function runs(levels: readonly number[]): Buffer {
  const data = Buffer.concat(levels.map((level) => Buffer.from([1 << 1, level])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([length, data])
}

function chunkOf({ path, isNumber, values }: Leaf, offset: number, size: number): Written {
  const meta = struct(
    [1, i32(isNumber ? int64 : byteArray)],
    [2, list(5, [i32(0), i32(3)])],
    [3, list(8, path.map(text))],
    [4, i32(0)],
    [5, i64(values.length)],
    [6, i64(size)],
    [7, i64(size)],
    [9, i64(offset)],
  )
  return struct([2, i64(offset)], [3, meta])
}

/** A value in Thrift's compact protocol, with its type. */
type Written = { type: number; bytes: Buffer }

const structType = 12

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  do {
    bytes.push((left % 128) | (left >= 128 ? 0x80 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  return Buffer.from(bytes)
}

const i32 = (value: number): Written => ({ type: 5, bytes: varint(2 * value) })
const i64 = (value: number): Written => ({ type: 6, bytes: varint(2 * value) })

function text(value: string): Written {
  const bytes = Buffer.from(value)
  return { type: 8, bytes: Buffer.concat([varint(bytes.length), bytes]) }
}

function list(type: number, items: readonly Written[]): Written {
  const head =
    items.length < 15 ? Buffer.from([(items.length << 4) | type]) : Buffer.concat([Buffer.from([0xf0 | type]), varint(items.length)])
  return { type: 9, bytes: Buffer.concat([head, ...items.map(({ bytes }) => bytes)]) }
}

function struct(...fields: readonly (readonly [id: number, value: Written])[]): Written {
  let last = 0
  const parts = fields.map(([id, { type, bytes }]) => {
    const head = Buffer.from([((id - last) << 4) | type])
    last = id
    return Buffer.concat([head, bytes])
  })
  return { type: structType, bytes: Buffer.concat([...parts, Buffer.from([0])]) }
}
