/**
 * A question for comparison: case, spaces and the width of characters do not make another question.
 *
 * @example
 * normalQuestion('What  is\n２?') // => 'what is\n2?'
 */
export function normalQuestion(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n\s*/gu, '\n')
    .trim()
}
