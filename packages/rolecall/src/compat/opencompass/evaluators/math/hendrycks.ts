import { PromptError } from '@rolecall/core/internal/errors'
import { intOf, strip } from '@rolecall/core/internal/python'

/** How lenient the normalization is: MATH's own tools keep a/b unless both are integers; InternLM's give up. */
export type Spelling = 'math' | 'intern'

/** Whether two answers are equal in Hendrycks' normalization; unparsable ones are compared as raw text. */
export function sameFormula(a: string | null, b: string | null, spelling: Spelling): boolean {
  if (a === null || b === null) return spelling === 'math' && a === b
  try {
    return spelled(a, spelling) === spelled(b, spelling)
  } catch (error) {
    if (error instanceof PromptError) return a === b
    throw error
  }
}

function spelled(answer: string, spelling: Spelling): string {
  let text = answer.replaceAll('\n', '').replaceAll('\\!', '').replaceAll('\\\\', '\\')
  text = text.replaceAll('tfrac', 'frac').replaceAll('dfrac', 'frac')
  for (const mark of ['\\left', '\\right', '^{\\circ}', '^\\circ', '\\$']) text = text.replaceAll(mark, '')
  const units = text.split('\\text{ ')
  if (units.length > 2) throw unreadable('it has units in two places')
  text = units[0]!.replaceAll('\\%', '').replaceAll(' .', ' 0.').replaceAll('{.', '{0.')
  if (text === '') return text
  if (text.startsWith('.')) text = `0${text}`
  const sides = text.split('=')
  if (sides.length === 2 && [...sides[0]!].length <= 2) text = sides[1]!
  text = withFractions(withRoots(text).replaceAll(' ', ''))
  if (text === '0.5') text = '\\frac{1}{2}'
  text = withSlash(text, spelling)
  return spelling === 'math' ? text : ofIntern(text)
}

/** \sqrt3 is \sqrt{3}. */
function withRoots(text: string): string {
  const [first = '', ...rest] = text.split('\\sqrt')
  const roots = rest.map((part) => {
    const [of] = part
    if (of === undefined) throw unreadable('it has a root of nothing')
    return of === '{' ? `\\sqrt${part}` : `\\sqrt{${of}}${part.slice(of.length)}`
  })
  return first + roots.join('')
}

/** \frac12 is \frac{1}{2}. */
function withFractions(text: string): string {
  const [first = '', ...rest] = text.split('\\frac')
  let fixed = first
  for (const part of rest) {
    const [above, below, ...after] = part
    if (above === undefined) throw unreadable('it has a fraction of nothing')
    if (above === '{') fixed += `\\frac${part}`
    else if (below === undefined) return text
    else fixed += below === '{' ? `\\frac{${above}}{${after.join('')}` : `\\frac{${above}}{${below}}${after.join('')}`
  }
  return fixed
}

/** 1/2 is \frac{1}{2}. */
function withSlash(text: string, spelling: Spelling): string {
  const sides = text.split('/')
  if (sides.length !== 2) return text
  const [above, below] = [intOf(sides[0]), intOf(sides[1])]
  if (above === undefined || below === undefined) {
    if (spelling === 'math') return text
    throw unreadable('it divides something that is not a whole number')
  }
  return text === `${above}/${below}` ? `\\frac{${above}}{${below}}` : text
}

/** Bases without braces, and numbers without commas. */
function ofIntern(text: string): string {
  let plain = strip(text.replaceAll('x \\in', ''))
  if (plain.includes('_')) {
    const parts = plain.split('_')
    parts[1] = parts[1]!.replaceAll('{', '').replaceAll('}', '')
    plain = parts.join('_')
  }
  return plain.includes(' ') || plain.includes('(') ? plain : plain.replaceAll(',', '')
}

function unreadable(problem: string): PromptError {
  return new PromptError('unreadable-answer', { where: 'the answer', problem, fix: 'it is compared as it stands' })
}
