import { PromptError } from '@rolecall/core/internal/errors'
import { intOf, isDigit, strip, stripEnd } from '@rolecall/core/internal/python'
import { findAll, search, substitute } from '../../../../python/regex/index.ts'

/** The last `\boxed…` (else `\fbox…`) up to its closing brace. */
export function lastBoxed(text: string): string | null {
  const boxed = text.lastIndexOf('\\boxed')
  const from = boxed < 0 ? text.lastIndexOf('\\fbox') : boxed
  if (from < 0) return null
  let open = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++
    if (text[at] === '}' && --open === 0) return text.slice(from, at + 1)
  }
  return null
}

/** The content of the last `\boxed{…}`, if it is written exactly like that. */
export function extractBoxed(text: string, stripDoubleCurlyBrace = false): string | null {
  const boxed = lastBoxed(text)
  const begin = '\\boxed{'
  if (!boxed?.startsWith(begin) || !boxed.endsWith('}')) return null
  const answer = boxed.slice(begin.length, -1)
  return stripDoubleCurlyBrace ? (search(String.raw`^\{(.*)\}$`, answer)?.[1] ?? answer) : answer
}

export const replacements = [
  ['an ', ''],
  ['a ', ''],
  ['.$', '$'],
  ['\\$', ''],
  ['\\ ', ''],
  [' ', ''],
  ['mbox', 'text'],
  [',\\text{and}', ','],
  ['\\text{and}', ','],
  ['\\text{m}', '\\text{}'],
  ['\\le', '<'],
] as const

/** Units and marks that do not affect the number; the order matters. */
export const removed = [
  ...['square', 'ways', 'integers', 'dollars', 'mph', 'inches', 'ft', 'hours', 'km', 'units', '\\ldots', 'sue', 'points'],
  ...['feet', 'minutes', 'digits', 'cents', 'degrees', 'cm', 'gm', 'pounds', 'meters', 'meals', 'edges', 'students'],
  ...['childrentickets', 'multiples', '\\text{s}', '\\text{.}', '\\text{\ns}', '\\text{}^2', '\\text{}^3', '\\text{\n}', '\\text{}'],
  ...['\\mathrm{th}', '^\\circ', '^{\\circ}', '\\;', ',\\!', '{,}', '"', '\\dots', '\n', '\r', '\f'],
]

/** Normalizes a final answer of the MATH benchmark, after Lewkowycz et al. (arXiv 2206.14858, appendix D.1). */
export function normalizeFinalAnswer(answer: string): string {
  let text = answer
  for (const [before, after] of replacements) text = text.replaceAll(before, () => after)
  for (const expression of removed) text = text.replaceAll(expression, '')
  const inside = (_: string, __: string, content: string) => content
  text = substitute(String.raw`(\\text\{)\((.*?)\)(\})`, inside, text)
  text = substitute(String.raw`(\\text\{)(.*?)(\})`, inside, text)
  text = substitute(String.raw`(\\textbf\{)(.*?)(\})`, inside, text)
  text = substitute(String.raw`(\\overline\{)(.*?)(\})`, inside, text)
  text = substitute(String.raw`(\\boxed\{)(.*)(\})`, inside, text)
  for (const pattern of ['finalansweris(.*)', 'answer?is:?(.*)', String.raw`oxed\{(.*?)\}`, String.raw`\$(.*?)\$`]) {
    text = findAll(pattern, text).at(-1) ?? text
  }
  text = strip(text)
  if (text.includes('rac') && !text.includes('\\frac')) text = text.replaceAll('rac', '\\frac')
  text = substitute('(frac)([^{])(.)', (_, __, above, below) => `frac{${above}}{${below}}`, text)
  text = substitute('(sqrt)([^{])', (_, __, of) => `sqrt{${of}}`, text)
  text = text.replaceAll('$', '')
  const digits = text.replaceAll(',', '')
  return isDigit(digits) ? digits : text
}

/** Both versions: what the evaluator strips before comparing. */
export type MathVersion = 'v1' | 'v2'

/** Whether MATHEvaluator considers two answers equal. */
export function mathEquivalent(a: string | null, b: string | null, version: MathVersion = 'v1'): boolean {
  if (a === null || b === null) return a === b
  const stripText = version === 'v1' ? stripMathV1 : stripMathV2
  const [first, second] = [attempt(() => stripText(a)), attempt(() => stripText(b))]
  if (first !== undefined && second !== undefined) {
    if (first === second || normalizeFinalAnswer(first) === normalizeFinalAnswer(second)) return true
  }
  return normalizeFinalAnswer(a) === normalizeFinalAnswer(b) || a === b
}

function attempt(strip: () => string): string | undefined {
  try {
    return strip()
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

/** The Hendrycks normalization: units to the right, `\frac12`, `\sqrt3`, `k = 5`, `0.5`. */
export function stripMathV1(answer: string): string {
  let text = withoutEach(answer, ['\n', '\\!']).replaceAll('\\\\', '\\')
  text = withoutEach(text.replaceAll('tfrac', 'frac').replaceAll('dfrac', 'frac'), ['\\left', '\\right', '^{\\circ}', '^\\circ', '\\$'])
  const units = text.split('\\text{ ')
  if (units.length > 2) throw unreadable('it has units in two places')
  text = units[0]!.replaceAll('\\%', '').replaceAll(' .', ' 0.').replaceAll('{.', '{0.')
  if (text === '') return text
  text = withoutName(text.startsWith('.') ? `0${text}` : text)
  text = fixRoots(text).replaceAll(' ', '')
  text = fixFractions(text)
  if (text === '0.5') text = '\\frac{1}{2}'
  return fixSlash(text)
}

export function stripMathV2(answer: string): string {
  let text = stripEnd(strip(answer).replaceAll('\n', ''), '.')
  text = withoutEach(text, ['\\!', '\\ ']).replaceAll('\\\\', '\\').replaceAll('\\\\', '\\')
  text = withoutEach(text.replaceAll('tfrac', 'frac').replaceAll('dfrac', 'frac'), ['\\left', '\\right'])
  const withoutUnit = strip(substitute(String.raw`\\text{.*?}$`, '', text))
  if (withoutUnit !== '') text = withoutUnit === text ? text : withoutUnit
  text = withoutEach(text, ['^{\\circ}', '^\\circ', '\\$', '$', '\\text', 'x\\in', '\\%', '%'])
  text = text.replaceAll(' .', ' 0.').replaceAll('{.', '{0.').replaceAll('\\cdot', '')
  text = text.replaceAll('infinity', '\\infty')
  if (!text.includes('\\infty')) text = text.replaceAll('inf', '\\infty')
  text = withoutEach(text.replaceAll('+\\inity', '\\infty'), ['and', '\\mathbf'])
  text = substitute(String.raw`\\mbox{.*?}`, '', text)
  if (text.includes('j') && !text.includes('i')) text = text.replaceAll('j', 'i')
  text = substitute(String.raw`(\d+)\.0+([^\d])`, (_, whole, after) => whole + after, text)
  text = substitute(String.raw`(\d+)\.0+$`, (_, whole) => whole, text)
  if (text === '') return text
  text = withoutName(text.startsWith('.') ? `0${text}` : text)
  text = substitute(String.raw`\\sqrt(\w+)`, (_, of) => `\\sqrt{${of}}`, text).replaceAll(' ', '')
  return fixSlash(fixFractions(text))
}

function withoutEach(text: string, parts: readonly string[]): string {
  return parts.reduce((rest, part) => rest.replaceAll(part, ''), text)
}

/** `k = 5` becomes 5 if the name is short. */
function withoutName(text: string): string {
  const sides = text.split('=')
  return sides.length === 2 && [...sides[0]!].length <= 2 ? sides[1]! : text
}

function fixRoots(text: string): string {
  const [first = '', ...rest] = text.split('\\sqrt')
  return (
    first +
    rest
      .map((part) => {
        const [of] = part
        if (of === undefined) throw unreadable('it has a root of nothing')
        return of === '{' ? `\\sqrt${part}` : `\\sqrt{${of}}${part.slice(of.length)}`
      })
      .join('')
  )
}

function fixFractions(text: string): string {
  const [first = '', ...rest] = text.split('\\frac')
  let fixed = first
  for (const part of rest) {
    if (part.startsWith('{')) {
      fixed += `\\frac${part}`
      continue
    }
    const [above, below, ...after] = part
    if (above === undefined || below === undefined) return text
    fixed += below === '{' ? `\\frac{${above}}{${after.join('')}` : `\\frac{${above}}{${below}}${after.join('')}`
  }
  return fixed
}

function fixSlash(text: string): string {
  const sides = text.split('/')
  if (sides.length !== 2) return text
  const [above, below] = [intOf(sides[0]), intOf(sides[1])]
  if (above === undefined || below === undefined) throw unreadable('it divides something that is not a whole number')
  return text === `${above}/${below}` ? `\\frac{${above}}{${below}}` : text
}

function unreadable(problem: string): PromptError {
  return new PromptError('unreadable-answer', { where: 'the answer', problem, fix: 'it is compared as it stands' })
}
