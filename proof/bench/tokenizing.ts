import { Tokenizer as Library } from '@huggingface/tokenizers'
import { readHuggingFaceTokenizer } from '../../packages/core/src/internal/tokenizer.ts'
import { compilePrompt } from '../../packages/rolecall/src/datasets.ts'
import { textOf } from '../../packages/rolecall/src/formats.ts'
import type { Prompt } from '../../packages/rolecall/src/index.ts'
import { RunMemo, tokenize } from '../../packages/rolecall/src/tokenizers.ts'
import { vocabularyJson } from '../cases/real-vocabularies.ts'
import { renderingCases } from './rendering-cases.ts'
import { sized } from './sizes.ts'

export type TokenizingMeasurement = {
  perSecond: number
  /** Time relative to the library's single call for the whole string; below 1 is faster. */
  wholeStringRatio: number
}

/**
 * A fixed 5-shot prompt with Qwen's tokenizer: uncached, and with cached
 * segments. Both are interleaved with the library's call for the whole string, each with separate caches.
 */
export function measureTokenizing(): [string, TokenizingMeasurement][] {
  const { json, config } = vocabularyJson('qwen3')
  const { model, dataset, train, test } = renderingCases[0]!
  const maker = compilePrompt(model, dataset)
  const prepared = maker.prepare({ mode: 'gen' })
  const prompts = test
    .slice(0, sized(test.length, 4))
    .map((row) => prepared.prompt(row, train.slice(0, 5)) as Prompt & { kind: 'completion' })
  const texts = prompts.map(({ pieces }) => textOf(pieces))
  const library = new Library(json, config)
  const tokenizer = readHuggingFaceTokenizer(json, config, 'qwen3')
  let memo = new RunMemo()
  const { markers } = maker.format
  const ways = {
    whole: (index: number) => void library.encode(texts[index]!, { add_special_tokens: false }),
    first: (index: number) => void tokenize(prompts[index]!, tokenizer, { markers }),
    memo: (index: number) => void tokenize(prompts[index]!, tokenizer, { markers, memo }),
  }
  const seconds = { whole: [] as number[], first: [] as number[], memo: [] as number[] }
  for (let round = 0; round < sized(7, 2); round++) {
    // The rows themselves must not be cached from the previous round.
    memo = new RunMemo()
    for (const way of ['whole', 'first', 'memo'] as const) {
      const start = performance.now()
      for (let index = 0; index < texts.length; index++) ways[way](index)
      if (round > 0) seconds[way].push((performance.now() - start) / 1000)
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!
  const whole = median(seconds.whole)
  return (['first', 'memo'] as const).map((way) => {
    const taken = median(seconds[way])
    return [
      `tokenize-5shot-qwen3-${way}`,
      { perSecond: Math.round(texts.length / taken), wholeStringRatio: Number((taken / whole).toFixed(3)) },
    ]
  })
}
