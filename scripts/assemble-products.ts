// `npm run proof -- assemble`: writes packages/rolecall/src/model/embedded/products-code.ts, the inner loop of the embedded model, from the WebAssembly below.
import { readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

/** Rows that share each value of the other matrix: twelve sums, three values and one more fill the sixteen registers. */
const rowsAtOnce = 3

const target = new URL('../packages/rolecall/src/model/embedded/products-code.ts', import.meta.url)

/** The products of a block of rows with four others: vector sums of four lanes, added up at the end. */
function block(rows: number): string {
  return `
    ${each(rows, (row) => each(4, (column) => `(local.set $sum${row}${column} (v128.const f32x4 0 0 0 0))`))}
    (local.set $at (i32.const 0))
    (loop $along
      ${each(rows, (row) => `(local.set $value${row} (v128.load (i32.add (local.get $x${row}) (local.get $at))))`)}
      ${each(
        4,
        (column) => `
        (local.set $other (v128.load (i32.add (local.get $w${column}) (local.get $at))))
        ${each(rows, (row) => add(`$sum${row}${column}`, `(f32x4.mul (local.get $value${row}) (local.get $other))`, 'f32x4'))}`,
      )}
      ${add('$at', '(i32.const 16)')}
      (br_if $along (i32.lt_u (local.get $at) (local.get $length))))
    ${each(rows, (row) => `(v128.store (local.get $out${row}) ${sums(row)})\n${add(`$out${row}`, '(i32.const 16)')}`)}`
}

/** Adds up the lanes of four vector sums into one vector. */
function sums(row: number): string {
  const halves = (a: string, b: string) =>
    `(f32x4.add ${shuffle('0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23', a, b)} ${shuffle('8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31', a, b)})`
  const get = (column: number) => `(local.get $sum${row}${column})`
  const even = `0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27`
  const odd = `4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31`
  const [left, right] = [`(local.tee $left ${halves(get(0), get(1))})`, `(local.tee $right ${halves(get(2), get(3))})`]
  return `(f32x4.add ${shuffle(even, left, right)} ${shuffle(odd, '(local.get $left)', '(local.get $right)')})`
}

function rowsOf(rows: number): string {
  const next = (name: string, row: number) =>
    `(local.set $${name}${row} ${row === 0 ? `(local.get $${name})` : `(i32.add (local.get $${name}${row - 1}) (local.get $${name}Apart))`})`
  const onwards = (name: string) => add(`$${name}`, `(i32.mul (local.get $${name}Apart) (i32.const ${rows}))`)
  return `
    ${each(rows, (row) => next('x', row) + next('out', row))}
    (local.set $w0 (local.get $w))
    (local.set $column (i32.const 0))
    (loop $across
      ${[1, 2, 3].map((column) => next('w', column)).join('\n')}
      ${block(rows)}
      (local.set $w0 (i32.add (local.get $w3) (local.get $wApart)))
      ${add('$column', '(i32.const 4)')}
      (br_if $across (i32.lt_u (local.get $column) (local.get $columns))))
    ${onwards('x')}
    ${onwards('out')}
    (local.set $rows (i32.sub (local.get $rows) (i32.const ${rows})))`
}

const source = `(module
  (import "rolecall" "memory" (memory 1))
  (func (export "products")
    ${['x', 'xApart', 'rows', 'w', 'wApart', 'columns', 'length', 'out', 'outApart'].map((name) => `(param $${name} i32)`).join(' ')}
    (local $at i32) (local $column i32) (local $other v128) (local $left v128) (local $right v128)
    ${each(rowsAtOnce, (row) => `(local $x${row} i32) (local $out${row} i32) (local $value${row} v128)`)}
    ${each(rowsAtOnce, (row) => each(4, (column) => `(local $sum${row}${column} v128)`))}
    ${each(4, (column) => `(local $w${column} i32)`)}
    (block $few
      (loop $many
        (br_if $few (i32.lt_u (local.get $rows) (i32.const ${rowsAtOnce})))
        ${rowsOf(rowsAtOnce)}
        (br $many)))
    (block $none
      (loop $one
        (br_if $none (i32.eqz (local.get $rows)))
        ${rowsOf(1)}
        (br $one)))))`

function each(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join('\n')
}

function add(name: string, value: string, type = 'i32'): string {
  return `(local.set ${name} (${type}.add (local.get ${name}) ${value}))`
}

function shuffle(bytes: string, a: string, b: string): string {
  return `(i8x16.shuffle ${bytes} ${a} ${b})`
}

/** The expected contents of the file. */
export async function assembleProducts(): Promise<string> {
  const wabt = await loadWabt()
  const { buffer } = wabt.parseWat('products.wat', source, { simd: true }).toBinary({})
  return `/** Written by scripts/assemble-products.ts. */\nexport const productsCode =\n  '${Buffer.from(buffer).toString('base64')}'\n`
}

/** The current contents of the file. */
export function assembledProducts(): string {
  return readFileSync(target, 'utf8')
}

if (process.argv.includes('--write')) writeFileSync(target, await assembleProducts())
