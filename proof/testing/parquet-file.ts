/** A field of a struct in Thrift's compact protocol: its number, its kind and its value. */
type Field = readonly [id: number, kind: 'i32' | 'i64' | 'text' | 'bool' | 'struct' | 'i32s' | 'texts' | 'structs', value: unknown]

const kinds = { bool: 1, i32: 5, i64: 6, text: 8, i32s: 9, texts: 9, structs: 9, struct: 12 } as const

function varInt(value: number | bigint): number[] {
  const bytes: number[] = []
  for (let left = BigInt(value); ; left >>= 7n) {
    if (left < 128n) return [...bytes, Number(left)]
    bytes.push(Number(left & 127n) | 128)
  }
}

function zigzag(value: number | bigint): number[] {
  const big = BigInt(value)
  return varInt(big < 0n ? -big * 2n - 1n : big * 2n)
}

function text(value: string): number[] {
  const bytes = [...new TextEncoder().encode(value)]
  return [...varInt(bytes.length), ...bytes]
}

function list(kind: number, items: readonly number[][]): number[] {
  return [...(items.length < 15 ? [(items.length << 4) | kind] : [0xf0 | kind, ...varInt(items.length)]), ...items.flat()]
}

/** A struct of Thrift, as bytes: numbers may be lies. */
function struct(fields: readonly Field[]): number[] {
  let last = 0
  const bytes = fields.flatMap(([id, kind, value]) => {
    const type = kind === 'bool' && value === false ? 2 : kinds[kind]
    const head = id - last > 15 ? [type, ...zigzag(id)] : [((id - last) << 4) | type]
    last = id
    return [...head, ...bytesOf(kind, value)]
  })
  return [...bytes, 0]
}

function bytesOf(kind: Field[1], value: unknown): number[] {
  switch (kind) {
    case 'i32':
    case 'i64':
      return zigzag(value as number)
    case 'text':
      return text(value as string)
    case 'bool':
      return []
    case 'struct':
      return struct(value as Field[])
    case 'i32s':
      return list(5, (value as number[]).map(zigzag))
    case 'texts':
      return list(8, (value as string[]).map(text))
    case 'structs':
      return list(12, (value as Field[][]).map(struct))
  }
}

export const encodings = { plain: 0, rle: 3, delta: 5, deltaLength: 6, deltaBytes: 7, dictionary: 8 } as const

/** A page as a hostile writer makes it: what its header says need not be so. */
export type HostilePage = { bytes: readonly number[]; size?: number } & (
  | { kind: 'data'; values: number; encoding: number; second?: HostileSecond }
  | ({ kind: 'second' } & HostileSecond)
  | { kind: 'dictionary'; values: number }
)
type HostileSecond = { values: number; nulls?: number; encoding: number; definition?: number; repetition?: number }

export type HostileColumn = {
  name: string
  /** 0 boolean, 1 int32, 2 int64, 6 bytes. */
  type: number
  /** 0 required, 1 optional, 2 repeated. */
  repetition?: number
  pages: readonly HostilePage[]
  /** Bytes before the pages, between two columns. */
  gap?: readonly number[]
  more?: readonly Field[]
}

/** A run of one repeated value of a byte, in Parquet's hybrid of runs and packed bits. */
export function repeated(count: number, value: number): number[] {
  return [...varInt(count * 2), value]
}

/** Levels with their length before them, as in pages of the first version. */
export function withLength(bytes: readonly number[]): number[] {
  return [bytes.length & 255, bytes.length >> 8, 0, 0, ...bytes]
}

/** The head of a block of differences: its size, its parts, the number of values and the first one. */
export function deltaHead(block: number, parts: number, values: number, first = 0): number[] {
  return [...varInt(block), ...varInt(parts), ...varInt(values), ...zigzag(first)]
}

/** A Parquet file of one group, byte by byte, without compression. */
export function parquetFile(rows: number, columns: readonly HostileColumn[]): Uint8Array {
  const bytes = [...new TextEncoder().encode('PAR1')]
  const chunks: Field[][] = []
  for (const { name, type, pages, gap = [] } of columns) {
    bytes.push(...gap)
    const start = bytes.length
    for (const page of pages) bytes.push(...headerOf(page), ...page.bytes)
    const first = pages.findIndex(({ kind }) => kind !== 'dictionary')
    const before = pages.slice(0, first).reduce((sum, page) => sum + headerOf(page).length + page.bytes.length, 0)
    const metadata: Field[] = [
      [1, 'i32', type],
      [2, 'i32s', [0]],
      [3, 'texts', [name]],
      [4, 'i32', 0],
      [5, 'i64', rows],
      [6, 'i64', bytes.length - start],
      [7, 'i64', bytes.length - start],
      [9, 'i64', start + before],
      ...(before > 0 ? [[11, 'i64', start] as const] : []),
    ]
    chunks.push([
      [2, 'i64', start],
      [3, 'struct', metadata],
    ])
  }
  const schema: Field[][] = [
    [
      [4, 'text', 'schema'],
      [5, 'i32', columns.length],
    ],
    ...columns.map(({ name, type, repetition = 0, more = [] }): Field[] => [
      [1, 'i32', type],
      [3, 'i32', repetition],
      [4, 'text', name],
      ...more,
    ]),
  ]
  const group: Field[] = [
    [1, 'structs', chunks],
    [2, 'i64', bytes.length],
    [3, 'i64', rows],
  ]
  const footer = struct([
    [1, 'i32', 1],
    [2, 'structs', schema],
    [3, 'i64', rows],
    [4, 'structs', [group]],
  ])
  const length = [footer.length & 255, (footer.length >> 8) & 255, footer.length >> 16, 0]
  return Uint8Array.from([...bytes, ...footer, ...length, ...new TextEncoder().encode('PAR1')])
}

function headerOf(page: HostilePage): number[] {
  const sizes: Field[] = [
    [2, 'i32', page.size ?? page.bytes.length],
    [3, 'i32', page.bytes.length],
  ]
  switch (page.kind) {
    case 'dictionary':
      return struct([
        [1, 'i32', 2],
        ...sizes,
        [
          7,
          'struct',
          [
            [1, 'i32', page.values],
            [2, 'i32', 0],
          ],
        ],
      ])
    case 'data': {
      const head: Field[] = [
        [1, 'i32', page.values],
        [2, 'i32', page.encoding],
        [3, 'i32', 3],
        [4, 'i32', 3],
      ]
      return struct([[1, 'i32', 0], ...sizes, [5, 'struct', head]])
    }
    case 'second':
      // A header of the first version beside it, which says that there is one value.
      return struct([
        [1, 'i32', 3],
        ...sizes,
        [
          5,
          'struct',
          [
            [1, 'i32', 1],
            [2, 'i32', 0],
            [3, 'i32', 3],
            [4, 'i32', 3],
          ],
        ],
        [
          8,
          'struct',
          [
            [1, 'i32', page.values],
            [2, 'i32', page.nulls ?? 0],
            [3, 'i32', page.values],
            [4, 'i32', page.encoding],
            [5, 'i32', page.definition ?? 0],
            [6, 'i32', page.repetition ?? 0],
            [7, 'bool', false],
          ],
        ],
      ])
  }
}

const many = 1 << 28
const one = [1, 0, 0, 0, 97]

/** Files of a few bytes, each with one lie that costs a reader gigabytes or has no end. */
export const parquetBombs: Readonly<Record<string, () => Uint8Array>> = {
  'definition levels longer than the page': () =>
    parquetFile(1, [
      {
        name: 'text',
        type: 6,
        repetition: 1,
        pages: [{ kind: 'data', values: 1, encoding: 0, bytes: [...withLength(repeated(many, 1)), ...one] }],
      },
    ]),
  'indices longer than the page': () =>
    parquetFile(1, [
      {
        name: 'text',
        type: 6,
        pages: [
          { kind: 'dictionary', values: 1, bytes: one },
          { kind: 'data', values: 1, encoding: encodings.dictionary, bytes: [1, ...repeated(many, 0)] },
        ],
      },
    ]),
  'booleans longer than the page': () =>
    parquetFile(1, [
      { name: 'flag', type: 0, pages: [{ kind: 'data', values: 1, encoding: encodings.rle, bytes: withLength(repeated(many, 1)) }] },
    ]),
  'packed groups without an end': () =>
    parquetFile(1, [
      {
        name: 'text',
        type: 6,
        pages: [
          { kind: 'dictionary', values: 1, bytes: one },
          { kind: 'second', values: 1, encoding: encodings.dictionary, bytes: [0, ...varInt(2 ** 31 + 2 ** 30 + 1)] },
        ],
      },
    ]),
  'a page of the second version behind a header of the first': () =>
    parquetFile(1, [
      {
        name: 'number',
        type: 1,
        repetition: 1,
        pages: [{ kind: 'second', values: many, nulls: many, encoding: 0, definition: 6, bytes: repeated(many, 0) }],
      },
    ]),
  'fewer nulls than none': () =>
    parquetFile(1, [
      {
        name: 'number',
        type: 1,
        pages: [{ kind: 'second', values: 1, nulls: -many, encoding: encodings.delta, bytes: [...deltaHead(128, 4, many), 0, 0, 0, 0, 0] }],
      },
    ]),
  'levels of a negative length': () =>
    parquetFile(1, [
      {
        name: 'number',
        type: 1,
        repetition: 1,
        pages: [{ kind: 'second', values: 1, encoding: 0, definition: -many, bytes: [2, 1, 1, 0, 0, 0] }],
      },
    ]),
  'blocks that lead backwards': () =>
    parquetFile(1, [
      {
        name: 'number',
        type: 1,
        pages: [{ kind: 'data', values: 10, encoding: encodings.delta, bytes: [...deltaHead(128, 2 ** 32 - 1, 10), 0, 0, 0, 0, 0] }],
      },
    ]),
  'values that repeat the start of the one before': () => {
    const values = 20_000
    const longest = 60_000
    const lengths = (all: number[]) => {
      // Blocks of 128 values in one part of 32 bits each.
      const deltas = all.slice(1).map((value, index) => value - all[index]!)
      const blocks: number[] = []
      for (let at = 0; at < deltas.length; at += 128) {
        const block = deltas.slice(at, at + 128)
        const least = Math.min(...block)
        const isFlat = block.every((delta) => delta === least)
        blocks.push(...zigzag(least), isFlat ? 0 : 32)
        if (!isFlat)
          for (let index = 0; index < 128; index++) {
            const rest = (block[index] ?? least) - least
            blocks.push(rest & 255, (rest >> 8) & 255, (rest >> 16) & 255, 0)
          }
      }
      return [...deltaHead(128, 1, all.length, all[0]), ...blocks]
    }
    const bytes = [
      ...lengths([0, ...Array.from({ length: values - 1 }, () => longest)]),
      ...lengths([longest, ...Array.from({ length: values - 1 }, () => 0)]),
      ...Array.from({ length: longest }, () => 97),
    ]
    return parquetFile(values, [{ name: 'text', type: 6, pages: [{ kind: 'data', values, encoding: encodings.deltaBytes, bytes }] }])
  },
  'a second column behind a gap that looks like a page': () =>
    parquetFile(1, [
      { name: 'first', type: 6, pages: [{ kind: 'data', values: 1, encoding: 0, bytes: one }] },
      {
        name: 'second',
        type: 1,
        repetition: 1,
        gap: headerOf({ kind: 'data', values: 0, encoding: 0, bytes: Array.from({ length: 400 }, () => 0) }),
        pages: [{ kind: 'data', values: many, encoding: encodings.delta, bytes: withLength(repeated(many, 0)) }],
      },
    ]),
  'rows that are not there': () =>
    parquetFile(10_000_000, [{ name: 'text', type: 6, pages: [{ kind: 'data', values: 1, encoding: 0, bytes: one }] }]),
  'values that refer to each other': () =>
    parquetFile(1, [
      {
        name: 'text',
        type: 6,
        more: [[10, 'struct', [[16, 'struct', []]]]],
        pages: [{ kind: 'data', values: 1, encoding: 0, bytes: one }],
      },
    ]),
}
