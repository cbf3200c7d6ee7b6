/** A name in braces: a field of the row, or text that only looks like one. */
export type NameInBraces = {
  name: string
  /**
   * `field`: nothing but a field is written so. `perhaps`: braces in braces or in a block of code, a field where it has a column's name
   * or nearly so. `text`: the braces of TeX or of a shell.
   */
  is: 'field' | 'perhaps' | 'text'
}

/**
 * The names in braces in a template's text. What is no name (`{}`, `{"a": 1}`, `{x + 1}`) is never a field.
 *
 * @example
 * fieldsInText('{question} in \\boxed{LETTER}') // => [{ name: 'question', is: 'field' }, { name: 'LETTER', is: 'text' }]
 */
export function fieldsInText(text: string): NameInBraces[] {
  return [...text.matchAll(/\{([\p{L}_][\p{L}\p{N}_]*)\}/gu)].map(({ 0: whole, 1: name, index }) => ({
    name: name!,
    is: kindAt(text, index, index + whole.length),
  }))
}

function kindAt(text: string, start: number, end: number): NameInBraces['is'] {
  const before = text.slice(Math.max(0, start - 200), start)
  if (/[\\^_$]$/.test(before) || (texCommand.test(before) && !/\\[nrt]\s*$/.test(before))) return 'text'
  if (before.endsWith('{') || text[end] === '}') return 'perhaps'
  return isInCode(text, start) ? 'perhaps' : 'field'
}

/** A command with what it was given so far: `\frac{1}` before `{x}`. */
const texCommand = /\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})*\s?$/

/** Between two lines of ```. */
function isInCode(text: string, at: number): boolean {
  return (text.slice(0, at).match(/^```/gm)?.length ?? 0) % 2 === 1
}
