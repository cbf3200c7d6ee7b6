import { imageMark } from '../../evaluation/run/record/pair-setup.ts'

/**
 * A question for comparison: case, spaces, the width of characters and the places of images do not make another question.
 *
 * @example
 * normalQuestion('What  is\n２?') // => 'what is\n2?'
 */
export function normalQuestion(text: string): string {
  return (
    text
      .replaceAll(imageMark, '')
      .normalize('NFKC')
      .toLowerCase()
      // Single spaces stay: most need no replacement.
      .replace(/[^\S\n ][^\S\n]*| [^\S\n]+/gu, ' ')
      .replace(/ ?\n\s*/gu, '\n')
      .trim()
  )
}
