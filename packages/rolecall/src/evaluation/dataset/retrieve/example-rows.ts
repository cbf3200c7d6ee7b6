import type { Candidates, TestQuestion } from './retriever.ts'

/** The rows that the retrievers' worked examples choose from, for docs and tests. */
export const exampleTexts = [
  'How do cats see at night?',
  'Why do cats purr?',
  'How far is the moon?',
  'Why is the sky blue at night?',
  'How old is the moon?',
]

/** The question to choose examples for. */
export const exampleQuestion: TestQuestion = { text: 'Can dogs see at night?', number: 3, spare: 0, row: { labels: ['night', 'animals'] } }

/** Two dimensions for each text: animals and sky. A real encoder has hundreds. */
const meanings: Record<string, number[]> = { cats: [1, 0], moon: [0, 1], sky: [0.1, 0.9], dogs: [0.9, 0] }

/** The rows with small versions of everything a retriever may need. */
export const exampleRows: Candidates = {
  texts: exampleTexts,
  rows: exampleTexts.map((text) => ({
    labels: [...(text.includes('cats') ? ['animals'] : []), ...(text.includes('night') ? ['night'] : [])],
  })),
  where: 'the example',
  embed: async (texts) => texts.map((text) => meanings[/cats|moon|sky|dogs/.exec(text)![0]]!),
  // The loss of two labels after these examples: this made-up model is more certain the higher their indices.
  losses: async (_, examples) => [1, 1 + examples.reduce((sum, id) => sum + id, 0)],
}
