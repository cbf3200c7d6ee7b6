import { PromptError } from '../../prompt-error.ts'

/** `--rows 0-4,7`: row numbers, in order. */
export function parseRows(rows: string): number[] {
  const numbers = rows.split(',').flatMap((part) => {
    const range = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part)
    const first = Number(range?.[1])
    const last = range?.[2] === undefined ? first : Number(range[2])
    if (!range || last < first) {
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" is not a row number or a range`,
        fix: 'write e.g. --rows 0-4,7',
      })
    }
    if (last - first >= 100_000)
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" is more than can be looked at`,
        fix: 'choose fewer rows',
      })
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}
