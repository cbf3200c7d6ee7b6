import type { Formula } from './expression.ts'
import { type LatexOptions, parseLatex } from './parse-latex.ts'
import { sameFormulas } from './same-formula.ts'

/** The possible values of an answer to a mathematical question. */
export type MathValue =
  | { kind: 'formula'; formula: Formula }
  /** Words, or letters that could be a product of symbols. */
  | { kind: 'words'; words: string; formula?: Formula }
  | { kind: 'set'; items: readonly MathValue[] }
  /** An interval, a point, a tuple: the brackets matter. */
  | { kind: 'brackets'; brackets: string; items: readonly MathValue[] }
  | { kind: 'union'; parts: readonly MathValue[] }
  | { kind: 'matrix'; rows: readonly (readonly MathValue[])[] }
  | { kind: 'relation'; sign: string; left: MathValue; right: MathValue }

const relations = ['\\leq', '\\geq', '\\le', '\\ge', '\\neq', '\\ne', '<', '>', '=']

/** Parses an answer; undefined if it contains nothing comparable. */
export function readMath(text: string, options: LatexOptions = {}): MathValue | undefined {
  const plain = cleaned(text)
  if (plain === '') return undefined
  return (
    matrixIn(plain, options) ??
    unionIn(plain, options) ??
    relationIn(plain, options) ??
    listIn(plain, options) ??
    bracketsIn(plain, options) ??
    wordsIn(plain) ??
    formulaIn(plain, options)
  )
}

/** Removes what does not change the value: dollars, spacing, \left and \right, units in \text{…} after a number. */
function cleaned(text: string): string {
  let plain = text.replace(/\$|\\(?:left|right)(?![A-Za-z])|\\[,;:!]|\\(?:displaystyle|quad|qquad)(?![A-Za-z])/g, ' ').trim()
  const withoutUnit = plain.replace(/\s*\\(?:text|mathrm)\{[^{}]*\}(?:\^\{?\d\}?)?\s*$/, '').trim()
  if (withoutUnit !== '' && !/[\\^_]$/.test(withoutUnit)) plain = withoutUnit
  return plain.replace(/\.$/, '').trim()
}

function formulaIn(text: string, options: LatexOptions): MathValue | undefined {
  const formula = parseLatex(text, options)
  return formula && { kind: 'formula', formula }
}

function wordsIn(text: string): MathValue | undefined {
  const words = text.replace(/\\(?:text|mathrm|textbf|mathbf)\{([^{}]*)\}/g, '$1').trim()
  if (!/^[A-Za-z][A-Za-z\s()-]*$/.test(words)) return undefined
  const formula = parseLatex(words)
  return { kind: 'words', words: words.replace(/[\s()-]/g, '').toLowerCase(), ...(formula ? { formula } : {}) }
}

function matrixIn(text: string, options: LatexOptions): MathValue | undefined {
  const body = /^\\begin\{([pbvBV]?matrix)\}([\s\S]*)\\end\{\1\}$/.exec(text)?.[2]
  if (body === undefined) return undefined
  const rows = body
    .split('\\\\')
    .filter((row) => row.trim() !== '')
    .map((row) => row.split('&').map((cell) => readMath(cell, options)))
  return rows.every((row) => row.every((cell) => cell !== undefined)) ? { kind: 'matrix', rows: rows as MathValue[][] } : undefined
}

function unionIn(text: string, options: LatexOptions): MathValue | undefined {
  const parts = text.split('\\cup')
  return parts.length < 2 ? undefined : ofAll(parts, options, (items) => ({ kind: 'union', parts: items }))
}

function relationIn(text: string, options: LatexOptions): MathValue | undefined {
  const member = /^[A-Za-z]\s*\\in(?![a-z])([\s\S]*)$/.exec(text)?.[1]
  if (member !== undefined) return readMath(member, options)
  const sign = relations.find((one) => atTop(text, one).length === 2)
  if (sign === undefined) return undefined
  const [left, right] = atTop(text, sign).map((side) => readMath(side, options))
  return left && right && { kind: 'relation', sign, left, right }
}

function listIn(text: string, options: LatexOptions): MathValue | undefined {
  const items = atTop(text.replaceAll('{,}', '\u0000'), ',').map((item) => item.replaceAll('\u0000', '{,}'))
  if (items.length < 2 || isThousands(text)) return undefined
  return ofAll(items, options, (values) => ({ kind: 'set', items: values }))
}

/** 1,000 is a number. */
const isThousands = (text: string) => /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text.trim())

function bracketsIn(text: string, options: LatexOptions): MathValue | undefined {
  const set = /^\\\{([\s\S]*)\\\}$/.exec(text)?.[1]
  if (set !== undefined) return ofAll(atTop(set, ','), options, (items) => ({ kind: 'set', items }))
  const [open, close] = [text[0]!, text.at(-1)!]
  if (!/[([]/.test(open) || !/[)\]]/.test(close)) return undefined
  const items = atTop(text.slice(1, -1), ',')
  if (items.length < 2) return undefined
  return ofAll(items, options, (values) => ({ kind: 'brackets', brackets: open + close, items: values }))
}

function ofAll(texts: readonly string[], options: LatexOptions, make: (items: MathValue[]) => MathValue): MathValue | undefined {
  const items = texts.map((text) => readMath(text, options))
  return items.every((item) => item !== undefined) ? make(items as MathValue[]) : undefined
}

/** Splits a text at separators outside brackets. */
export function atTop(text: string, mark: string): string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (depth === 0 && text.startsWith(mark, at)) {
      parts.push(text.slice(from, at))
      from = at + mark.length
      at = from - 1
    }
  }
  return [...parts, text.slice(from)]
}

/** Whether two answers are equal; decimals to six places. `x = 5` equals 5. */
export function sameMath(a: MathValue, b: MathValue): boolean {
  if (a.kind === 'relation' && a.sign === '=' && b.kind !== 'relation' && isName(a.left)) return sameMath(a.right, b)
  if (b.kind === 'relation' && b.sign === '=' && a.kind !== 'relation' && isName(b.left)) return sameMath(a, b.right)
  if (a.kind === 'words' && b.kind === 'words' && a.words === b.words) return true
  const [left, right] = [formulaOf(a), formulaOf(b)]
  if (left && right) return sameFormulas(left, right, 6)
  if (a.kind === 'set' && b.kind === 'set') return sameItems(a.items, b.items)
  if (a.kind === 'brackets' && b.kind === 'brackets') return a.brackets === b.brackets && inOrder(a.items, b.items)
  if (a.kind === 'union' && b.kind === 'union') return sameItems(a.parts, b.parts)
  if (a.kind === 'matrix' && b.kind === 'matrix')
    return a.rows.length === b.rows.length && a.rows.every((row, index) => inOrder(row, b.rows[index]!))
  if (a.kind === 'relation' && b.kind === 'relation') return a.sign === b.sign && sameMath(a.left, b.left) && sameMath(a.right, b.right)
  return false
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
