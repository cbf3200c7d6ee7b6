/** A name in braces: a field of the row, or text that looks like one. */
export type NameInBraces = {
  name: string
  /**
   * `field`: certainly a field. `perhaps`: nested braces, a field if the name is a column's or similar. `code`: the same in a block of code
   * or a group of TeX. `text`: the braces of TeX or of a shell.
   */
  is: 'field' | 'perhaps' | 'code' | 'text'
  /** Set for `{{name}}`: other template languages replace both pairs of braces. */
  isDouble?: true
}

/**
 * The names in braces in a template's text. What is not a name (`{}`, `{"a": 1}`, `{x + 1}`) is never a field.
 *
 * @example
 * fieldsInText('{question} in \\boxed{LETTER}') // => [{ name: 'question', is: 'field' }, { name: 'LETTER', is: 'text' }]
 */
export function fieldsInText(text: string): NameInBraces[] {
  return [...text.matchAll(/\{([\p{L}_][\p{L}\p{N}_]*)\}/gu)].map(({ 0: whole, 1: name, index }) => ({
    name: name!,
    is: kindAt(text, index, index + whole.length),
    ...(text[index - 1] === '{' && text[index + whole.length] === '}' && !isTex(text.slice(Math.max(0, index - 200), index - 1))
      ? { isDouble: true as const }
      : {}),
  }))
}

function kindAt(text: string, start: number, end: number): NameInBraces['is'] {
  const before = text.slice(Math.max(0, start - 200), start)
  if (isTex(before)) return 'text'
  if (isInCode(text, start) || (before.endsWith('{') && isTex(before.slice(0, -1)))) return 'code'
  return before.endsWith('{') || text[end] === '}' ? 'perhaps' : 'field'
}

function isTex(before: string): boolean {
  return /[\\^_$]$/.test(before) || (texCommand.test(before) && !/\\[nrt]\s*$/.test(before))
}

/** A command with its arguments so far: `\frac{1}` before `{x}`. */
const texCommand = /\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]*\})*\s?$/

/** Between two lines of ```. */
function isInCode(text: string, at: number): boolean {
  return (text.slice(0, at).match(/^```/gm)?.length ?? 0) % 2 === 1
}
