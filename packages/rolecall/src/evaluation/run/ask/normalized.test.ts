import { expect, test } from 'vitest'
import { countWords } from '../../../../../core/src/prompt/compile/fit/count-words.ts'
import type { Prompt } from '../../../../../core/src/prompt/format/format.ts'
import { promptText } from '../../../../../core/src/prompt/format/prompt-text.ts'
import type { ScoredPrompt } from '../../../model/language-model/language-model.ts'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { compilePair, planRequests } from './plan-requests.ts'
import { fitRow, startRow } from './start-row.ts'

const dataset: DatasetConfig = {
  infer_cfg: {
    ice_template: { template: { A: '{q} A', B: '{q} B' } },
    prompt_template: { template: { A: '</E>{q}<SEP> A', B: '</E>{q}<SEP> B' }, ice_token: '</E>', sep_token: '<SEP>' },
    retriever: { type: 'FixKRetriever', fix_id_list: [0] },
    inferencer: { type: 'PPLInferencer', normalizing_str: 'Answer:' },
  },
  reader_cfg: { output_column: 'a' },
}

function fitted(limit: number, compat?: 'opencompass') {
  const planned = compilePair({ max_seq_len: limit }, { ...dataset, compat }, { model: 'm', dataset: 'd' })
  const plan = { ...planRequests(planned), count: (prompt: Prompt) => countWords(promptText(prompt)) }
  return fitRow(plan, startRow(plan, { row: { q: 'one two', a: 'A' }, examples: [{ q: 'three', a: 'B' }] }))
}

test('the sent text is counted; the reference counts the separator, too', () => {
  // three B, one two A: five words, and the separator would be a sixth.
  expect(fitted(5).examples).toEqual({ used: 1, dropped: 0 })
  expect(fitted(5, 'opencompass').examples).toEqual({ used: 0, dropped: 1 })
  expect(fitted(6, 'opencompass').examples).toEqual({ used: 1, dropped: 0 })
})

test('prompts are scored unchanged, and their answers after the normalizing text', () => {
  const { first } = fitted(5)
  expect(first.prompts.map(({ prompt, label, isNormalizer }) => [promptText(prompt), label, isNormalizer ?? false])).toEqual([
    ['three B\none two A', 'A', false],
    ['three B\none two B', 'B', false],
    ['Answer: A', 'A', true],
    ['Answer: B', 'B', true],
  ])
})

test('only the answer counts, from its first overlapping token', () => {
  const scored = (words: readonly string[], logProbabilities: readonly (number | null)[]) => {
    const tokens = words.map((word, index) => {
      const start = words.slice(0, index).join('').length
      return { id: 0, span: [start, start + word.length] as const }
    })
    return { tokens, logProbabilities, reused: 0, notes: [] }
  }
  const whole = (answer: number) => scored(['three B\none', ' two', ' A'], [null, -9, answer])
  const alone = (answer: number) => scored(['Answer:', ' A'], [null, answer])
  const answers = [whole(-1), whole(-2), alone(-3), alone(-1)] as unknown as ScoredPrompt[]
  expect(fitted(5).asking.next({ kind: 'score', scored: answers })).toMatchObject({
    done: true,
    value: {
      prediction: 'A',
      scores: [
        { label: 'A', value: -2 },
        { label: 'B', value: 1 },
      ],
    },
  })
})
