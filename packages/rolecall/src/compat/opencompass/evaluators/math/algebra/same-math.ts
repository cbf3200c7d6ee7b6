import { type Formula, negative } from './expression.ts'
import type { MathValue } from './math-value.ts'
import { constantRatio, sameFormulas } from './same-formula.ts'

type Relation = Extract<MathValue, { kind: 'relation' }>
type Brackets = Extract<MathValue, { kind: 'brackets' }>

/** The signs of relations, with the one that says the same if the sides change places. */
const flipped: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=', '!=': '!=' }

/**
 * Whether math-verify's `verify(one, other)` finds two answers equal; decimals to six places. `x = 5` equals 5. The order matters: an
 * inequality equals the interval of its solutions only if it comes first.
 */
export function sameMath(one: MathValue, other: MathValue): boolean {
  if (isEquation(other) && !isEquation(one)) return sameMath(one, other.right)
  if (isEquation(one) && !isEquation(other) && isName(one.left)) return sameMath(one.right, other)
  if (one.kind === 'relation' && ['set', 'brackets', 'union'].includes(other.kind)) {
    const solutions = solutionsOf(one)
    return solutions !== undefined && sameMath(solutions, other)
  }
  if (one.kind === 'relation' && other.kind === 'relation') return sameRelations(one, other)
  if (one.kind === 'words' && other.kind === 'words' && one.words === other.words) return true
  const [left, right] = [formulaOf(one), formulaOf(other)]
  if (left && right) return sameFormulas(left, right, 6)
  if (one.kind === 'matrix' && other.kind === 'matrix')
    return one.rows.length === other.rows.length && one.rows.every((row, index) => inOrder(row, other.rows[index]!))
  if (one.kind === 'union' && other.kind === 'union') return sameItems(one.parts, other.parts)
  return sameSets(one, other)
}

/** Sets in any order; points and intervals in order, with their brackets. A set equals a point with its items, and one item a set of one. */
function sameSets(one: MathValue, other: MathValue): boolean {
  if (one.kind === 'brackets' && other.kind === 'brackets') return one.brackets === other.brackets && inOrder(one.items, other.items)
  const [items, others] = [itemsOf(one), itemsOf(other)]
  if (!items || !others || (one.kind !== 'set' && other.kind !== 'set')) return false
  return one.kind === 'set' ? sameItems(items, others) : inOrder(items, others)
}

function itemsOf(value: MathValue): readonly MathValue[] | undefined {
  if (value.kind === 'set') return value.items
  if (value.kind === 'brackets') return value.brackets === '()' ? value.items : undefined
  return value.kind === 'union' || value.kind === 'matrix' ? undefined : [value]
}

/** Whether two relations say the same: as written, with their sides changed, or as multiples of an equation. */
function sameRelations(one: Relation, other: Relation): boolean {
  const [ours, theirs] = [signOf(one), signOf(other)]
  if (ours === theirs && sameMath(one.left, other.left) && sameMath(one.right, other.right)) return true
  const [first, second] = [difference(one), difference(other)]
  if (!first || !second) return false
  if (ours === theirs && sameFormulas(first, second, 6)) return true
  if (flipped[ours] === theirs && sameFormulas(first, negative(second), 6)) return true
  const ratio = ours === '=' && theirs === '=' ? constantRatio(first, second) : undefined
  return ratio !== undefined && Number.isFinite(ratio) && ratio !== 0
}

function difference({ left, right }: Relation): Formula | undefined {
  const [first, second] = [formulaOf(left), formulaOf(right)]
  return first && second && { kind: 'sum', parts: [first, negative(second)] }
}

/** The interval of the solutions of `x < 3` or `3 > x`. */
function solutionsOf(relation: Relation): Brackets | undefined {
  const isLeft = isName(relation.left)
  const bound = isLeft ? relation.right : relation.left
  if (isLeft === isName(relation.right) || !formulaOf(bound)) return undefined
  const sign = isLeft ? signOf(relation) : flipped[signOf(relation)]!
  const infinity: Formula = { kind: 'symbol', name: '\\infty' }
  const [lowest, highest]: MathValue[] = [negative(infinity), infinity].map((formula) => ({ kind: 'formula', formula }))
  if (sign.startsWith('<')) return { kind: 'brackets', brackets: sign === '<' ? '()' : '(]', items: [lowest!, bound] }
  if (sign.startsWith('>')) return { kind: 'brackets', brackets: sign === '>' ? '()' : '[)', items: [bound, highest!] }
  return undefined
}

const signs: Readonly<Record<string, string>> = { '\\leq': '<=', '\\le': '<=', '\\geq': '>=', '\\ge': '>=', '\\neq': '!=', '\\ne': '!=' }

function signOf({ sign }: Relation): string {
  return signs[sign] ?? sign
}

function isEquation(value: MathValue): value is Relation {
  return value.kind === 'relation' && value.sign === '='
}

function formulaOf(value: MathValue): Formula | undefined {
  return value.kind === 'formula' || value.kind === 'words' ? value.formula : undefined
}

const isName = (value: MathValue) => formulaOf(value)?.kind === 'symbol'

function inOrder(a: readonly MathValue[], b: readonly MathValue[]): boolean {
  return a.length === b.length && a.every((item, index) => sameMath(item, b[index]!))
}

function sameItems(a: readonly MathValue[], b: readonly MathValue[]): boolean {
  const left = [...b]
  return (
    a.length === b.length &&
    a.every((item) => {
      const place = left.findIndex((other) => sameMath(item, other))
      if (place >= 0) left.splice(place, 1)
      return place >= 0
    })
  )
}
