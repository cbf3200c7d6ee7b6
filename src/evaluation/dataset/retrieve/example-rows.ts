import type { Candidates, TestQuestion } from './retriever.ts'

/** The rows that the worked examples of retrievers choose from, for the docs and tests. */
export const exampleTexts = [
  'How do cats see at night?',
  'Why do cats purr?',
  'How far is the moon?',
  'Why is the sky blue at night?',
  'How old is the moon?',
]

/** The question they choose for. */
export const exampleQuestion: TestQuestion = { text: 'Can dogs see at night?', number: 3, spare: 0, row: { labels: ['night', 'animals'] } }

/** Two numbers for each text: how much it is about animals, and about the sky. A real encoder has hundreds. */
const meanings: Record<string, number[]> = { cats: [1, 0], moon: [0, 1], sky: [0.1, 0.9], dogs: [0.9, 0] }

/** The rows with all that a retriever may ask for, in small. */
export const exampleRows: Candidates = {
  texts: exampleTexts,
  rows: exampleTexts.map((text) => ({
    labels: [...(text.includes('cats') ? ['animals'] : []), ...(text.includes('night') ? ['night'] : [])],
  })),
  where: 'the example',
  embed: async (texts) => texts.map((text) => meanings[/cats|moon|sky|dogs/.exec(text)![0]]!),
  // How unlikely each of two labels is after these examples: this made-up model is the surer, the higher their numbers.
  losses: async (_, examples) => [1, 1 + examples.reduce((sum, id) => sum + id, 0)],
}
