import { PromptError } from '@rolecall/core/internal/errors'

/** The length of the longest common subsequence; computes 32 columns of the table at a time (Crochemore et al. 2001). */
export function commonLength<Item>(a: readonly Item[], b: readonly Item[]): number {
  const [rows, columns] = a.length < b.length ? [a, b] : [b, a]
  const row = firstRow(columns.length)
  const places = placesOf(columns)
  const mask = new Int32Array(row.length)
  for (const item of rows) nextRow(row, places.get(item), mask)
  return lengthUpTo(row, 0, columns.length)
}

/** How backtracking breaks ties: by skipping the item of `a`, or the item of `b`. */
export type Tie = 'without-a' | 'without-b'

/** The indices in `a` of a longest common subsequence: that of google-research's rouge (`without-a`), or of pltrdy's (`without-b`). */
export function commonPlaces<Item>(a: readonly Item[], b: readonly Item[], tie: Tie = 'without-a'): number[] {
  if (a.length * b.length > mostPairs) throw tooLong(a.length, b.length)
  if ((a.length + 1) * (b.length + 1) <= small.length) return placesInSmall(a, b, tie)
  const row = firstRow(b.length)
  const size = row.length
  const table = new Int32Array((a.length + 1) * size)
  const columns = placesOf(b)
  const mask = new Int32Array(size)
  table.set(row)
  for (const [index, item] of a.entries()) {
    nextRow(row, columns.get(item), mask)
    table.set(row, (index + 1) * size)
  }
  /** Whether the length grows by one from the previous column. */
  const growth = (line: number, column: number) => Number(((table[line * size + ((column - 1) >>> 5)]! >>> ((column - 1) & 31)) & 1) === 0)
  const places: number[] = []
  let [line, column] = [a.length, b.length]
  let here = lengthUpTo(table, line * size, column)
  let above = line > 0 ? lengthUpTo(table, (line - 1) * size, column) : 0
  while (line > 0 && column > 0) {
    const left = here - growth(line, column)
    if (a[line - 1] === b[column - 1]) {
      places.push(line - 1)
      here = above - growth(line - 1, column)
      line--
      column--
      above = line > 0 ? lengthUpTo(table, (line - 1) * size, column) : 0
    } else if (left > above || (left === above && tie === 'without-b')) {
      above -= growth(line - 1, column)
      here = left
      column--
    } else {
      here = above
      line--
      above = line > 0 ? lengthUpTo(table, (line - 1) * size, column) : 0
    }
  }
  return places.reverse()
}

/** Reused for pairs of short texts, of which there may be millions. */
const small = new Uint16Array(4096)

function placesInSmall<Item>(a: readonly Item[], b: readonly Item[], tie: Tie): number[] {
  const width = b.length + 1
  small.fill(0, 0, width)
  for (let line = 1; line <= a.length; line++) {
    const start = line * width
    small[start] = 0
    for (let column = 1; column < width; column++) {
      const [above, left] = [small[start - width + column]!, small[start + column - 1]!]
      small[start + column] = a[line - 1] === b[column - 1] ? small[start - width + column - 1]! + 1 : above > left ? above : left
    }
  }
  const places: number[] = []
  let [line, column] = [a.length, b.length]
  while (line > 0 && column > 0) {
    const [above, left] = [small[(line - 1) * width + column]!, small[line * width + column - 1]!]
    if (a[line - 1] === b[column - 1]) {
      places.push(line - 1)
      line--
      column--
    } else if (left > above || (left === above && tie === 'without-b')) column--
    else line--
  }
  return places.reverse()
}

/** One bit of memory per pair: 256 MiB. */
const mostPairs = 2 ** 31

function tooLong(a: number, b: number): PromptError {
  return new PromptError('too-long', {
    where: 'the answer',
    problem: `texts of ${a} and ${b} words are too long to be compared word by word`,
    fix: 'limit answers by max_out_len, or use an evaluator that counts words',
  })
}

/** One bit per column, which is 0 if the length grows by one. */
function firstRow(columns: number): Int32Array {
  return new Int32Array((columns + 31) >>> 5).fill(-1)
}

/** The next row, for an item that occurs in these columns. */
function nextRow(row: Int32Array, columns: readonly number[] | undefined, mask: Int32Array): void {
  if (!columns) return
  for (const column of columns) mask[column >>> 5]! |= 1 << (column & 31)
  let carry = 0
  for (let at = 0; at < row.length; at++) {
    const bits = row[at]! >>> 0
    const matches = (bits & mask[at]!) >>> 0
    const sum = bits + matches + carry
    carry = sum > 0xffffffff ? 1 : 0
    row[at] = sum | (bits & ~mask[at]!)
  }
  for (const column of columns) mask[column >>> 5] = 0
}

function placesOf<Item>(items: readonly Item[]): Map<Item, number[]> {
  const places = new Map<Item, number[]>()
  for (const [place, item] of items.entries()) {
    const known = places.get(item)
    if (known) known.push(place)
    else places.set(item, [place])
  }
  return places
}

/** The number of zeros among the first bits from here. */
function lengthUpTo(bits: Int32Array, from: number, columns: number): number {
  let length = 0
  const whole = columns >>> 5
  for (let at = 0; at < whole; at++) length += ones(~bits[from + at]!)
  const rest = columns & 31
  return rest === 0 ? length : length + ones(~bits[from + whole]! & ((1 << rest) - 1))
}

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
