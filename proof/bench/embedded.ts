import { readFileSync } from 'node:fs'
import { control } from '../../packages/rolecall/src/formats.ts'
import type { LanguageModel, Prompt } from '../../packages/rolecall/src/index.ts'
import { openEmbedded } from '../../packages/rolecall/src/models.ts'
import { sized } from './sizes.ts'

export type EmbeddedMeasurement = { tokensPerSecond: number }

const root = new URL('../../../', import.meta.url)

/** The embedded model on one thread: prompt tokens and generated tokens per second, at two context lengths. */
export async function measureEmbedded(): Promise<[string, EmbeddedMeasurement][]> {
  const model = await openModel()
  const measured: [string, EmbeddedMeasurement][] = []
  for (const length of [64, 800]) {
    // The runtime warms up; every prompt starts from scratch, so nothing is cached.
    const prompts = Array.from({ length: sized(7, 1) }, (_, round) => promptOf(length, round))
    const reading: number[] = []
    const writing: number[] = []
    for (const prompt of prompts) {
      const start = performance.now()
      await model.score!([prompt])
      reading.push((performance.now() - start) / length)
      const begin = performance.now()
      const { tokens } = await model.generate(prompt, { maxTokens: 64, minTokens: 64 })
      // The prompt's last token is evaluated again as an extra step.
      writing.push((performance.now() - begin) / (tokens.reply + 1))
    }
    measured.push(
      [`embedded-prompt-${length}`, { tokensPerSecond: rate(reading) }],
      [`embedded-generate-${length}`, { tokensPerSecond: rate(writing) }],
    )
  }
  return measured
}

function rate(milliseconds: number[]): number {
  return Math.round(1000 / milliseconds.sort((a, b) => a - b)[milliseconds.length >> 1]!)
}

function promptOf(length: number, round: number): Prompt {
  const source = { by: 'format', path: 'bench' } as const
  const ids = Array.from({ length }, (_, index) => 10 + ((index * 31 + round * 101) % 1500))
  return { kind: 'completion', bos: 'none', stop: [], notes: [], pieces: [control('', source), { ids, source }] }
}

export async function openModel(): Promise<LanguageModel> {
  const tokenizer: unknown = JSON.parse(readFileSync(new URL('packages/rolecall/embedded-model/tokenizer.json', root), 'utf8'))
  return openEmbedded({ weights: readFileSync(new URL('packages/rolecall/embedded-model/model.int8.safetensors', root)), tokenizer })
}
