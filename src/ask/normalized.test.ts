import { expect, test } from 'vitest'
import type { DatasetConfig } from '../config/config-schema.ts'
import { quirksOf } from '../config/fidelity.ts'
import { countWords } from '../fit/count-words.ts'
import type { Prompt } from '../format/format.ts'
import { promptText } from '../format/prompt-text.ts'
import { compilePromptWith } from '../prompt/compile-prompt.ts'
import type { PlanContext } from './inferencer.ts'
import { fitSplitPrompts, normalizedPerplexities, promptsToScore } from './normalized.ts'

const dataset: DatasetConfig = {
  infer_cfg: {
    ice_template: { template: { A: '{q} A', B: '{q} B' } },
    prompt_template: { template: { A: '</E>{q}<SEP> A', B: '</E>{q}<SEP> B' }, ice_token: '</E>', sep_token: '<SEP>' },
    retriever: { type: 'FixKRetriever', fix_id_list: [0] },
  },
  reader_cfg: { output_column: 'a' },
}

function fitted(limit: number, compat?: 'opencompass') {
  const context = {
    maker: compilePromptWith({}, dataset, quirksOf(compat)),
    dataset,
    where: 'd',
    modelConfig: { max_seq_len: limit },
    count: (prompt: Prompt) => countWords(promptText(prompt)),
  } as PlanContext
  return fitSplitPrompts(context, { row: { q: 'one two', a: 'A' }, examples: [{ q: 'three', a: 'B' }] }, ['A', 'B'], quirksOf(compat))
}

test('what is sent is counted; the reference counts the separator, too', () => {
  // three B, one two A: five words, and the separator would be a sixth.
  expect(fitted(5).fitted).toMatchObject({ kept: 1, dropped: 0 })
  expect(fitted(5, 'opencompass').fitted).toMatchObject({ kept: 0, dropped: 1 })
  expect(fitted(6, 'opencompass').fitted).toMatchObject({ kept: 1 })
})

test('prompts are scored as they are, and their answers behind the normalising text', () => {
  const { parts } = fitted(5)
  expect(promptsToScore(parts, 'Answer:').map(promptText)).toEqual(['three B\none two A', 'three B\none two B', 'Answer: A', 'Answer: B'])
})

test('only the answer counts, from the first token that reaches into it', () => {
  const { parts } = fitted(5)
  const scored = (words: readonly string[], logProbabilities: readonly (number | null)[]) => {
    const tokens = words.map((word, index) => {
      const start = words.slice(0, index).join('').length
      return { id: 0, span: [start, start + word.length] as const }
    })
    return { tokens, logProbabilities, reused: 0, notes: [] }
  }
  const whole = (answer: number) => scored(['three B\none', ' two', ' A'], [null, -9, answer])
  const alone = (answer: number) => scored(['Answer:', ' A'], [null, answer])
  expect(normalizedPerplexities(parts, [whole(-1), whole(-2), alone(-3), alone(-1)] as never, 'Answer:')).toEqual([-2, 1])
})
