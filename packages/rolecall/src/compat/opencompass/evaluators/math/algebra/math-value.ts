import type { Formula } from './expression.ts'
import { type LatexOptions, parseLatex } from './parse-latex.ts'

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
  const plain = cleaned(text, options)
  if (plain === '') return undefined
  return (
    matrixIn(plain, options) ??
    namedSet(plain) ??
    unionIn(plain, options) ??
    relationIn(plain, options) ??
    listIn(plain, options) ??
    bracketsIn(plain, options) ??
    wordsIn(plain) ??
    bothSigns(plain, options) ??
    formulaIn(plain, options)
  )
}

/** Units of measure after a number, which do not count; some are single letters. */
const units = new RegExp(
  String.raw`(?<=[\d}\s])\s*(?:${[
    'degree|deg|point|digit|unit|cent|dm|mm|cm|km|m|meter|metre|inch|inches|feet|ft|yard|mile|acre|hectare|square|cubic',
    'kg|gm|g|lb|pound|liter|litre|l|gallon|gal|sec|second|s|min|minute|hr|hour|h|day|month|yr|year|mph|kmph|kmh|ohm|c|d|t',
  ].join('|')})(?:s|es)?\s*$`,
)

/** Removes what does not change the value: dollars, spacing, \left and \right, units after a number; "and" separates like a comma. */
function cleaned(text: string, { shortFractions = true }: LatexOptions): string {
  let plain = text
    .replace(/\\?\$|\\(?:left|right)(?![A-Za-z])|\\[,;:!]|\\(?:displaystyle|quad|qquad)(?![A-Za-z])/g, ' ')
    // In a long run of spaces, patterns that begin with spaces would be tried from each of them.
    .replace(/\s+/g, ' ')
    .replace(/,?\s*\\text\{\s*(?:and|or)\s*\}|(?<![A-Za-z]),?\s*(?:and|or)(?![A-Za-z])/g, ',')
    .trim()
  for (const unit of [/\s*\\(?:text|mathrm)\{[^{}]*\}(?:\^\{?\d\}?)?\s*$/, units]) {
    const without = plain.replace(unit, '').trim()
    if (without !== '' && !/[\\^_]$/.test(without)) plain = without
  }
  return (shortFractions ? plain.replace(/\.$/, '') : plain).trim()
}

/** Sets with names. */
function namedSet(text: string): MathValue | undefined {
  if (/^(?:\\emptyset|\\\{\s*\\\})$/.test(text)) return { kind: 'set', items: [] }
  return /^\\mathbb\s*\{?R\}?$/.test(text) ? readMath('(-\\infty,\\infty)') : undefined
}

/** `a \pm b` is the set of both; several signs change together. */
function bothSigns(text: string, options: LatexOptions): MathValue | undefined {
  if (!text.includes('\\pm')) return undefined
  return ofAll([text.replaceAll('\\pm', '+'), text.replaceAll('\\pm', '-')], options, (items) => ({ kind: 'set', items }))
}

function formulaIn(text: string, options: LatexOptions): MathValue | undefined {
  // 2:3 is a ratio.
  const formula = parseLatex(text.replaceAll(':', '/'), { ...options, mixedNumbers: true })
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
