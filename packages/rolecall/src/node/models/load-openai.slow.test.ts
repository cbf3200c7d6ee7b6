import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, type SeenRequest, withFaults } from '../../../../../proof/testing/faults.ts'
import { propertyRuns, triesAll } from '../../../../../proof/testing/sampling.ts'
import { compilePrompt } from '../../../../core/src/prompt/compile/compile-prompt.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { perplexity } from '../../evaluation/run/ask/perplexity.ts'
import { tinyChat } from '../../model/embedded/open-embedded.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import type { Listening } from '../../server/listen.ts'
import { serve } from '../../server/serve-models.ts'
import { loadEmbedded } from './load-embedded.ts'
import { loadOpenAI } from './load-openai.ts'

// The embedded model, called directly and through a real server that fails as real ones do.

let server: Listening
let folder: string
let embedded: LanguageModel
const seen: SeenRequest[] = []
let choose: (request: SeenRequest) => Fault | undefined = () => undefined
const opened: LanguageModel[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-openai-'))
  copyFileSync(new URL('../../../embedded-model/tokenizer.json', import.meta.url), join(folder, 'tokenizer.json'))
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(tinyChat.tokenizerConfig))
  embedded = await loadEmbedded({ format: formatOf({ format: 'internlm2' }) })
  server = await serve({
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }],
    wrap: (app) => withFaults(app, { choose: (request) => choose(request), onRequest: (request) => seen.push(request) }),
  })
})
afterEach(async () => {
  seen.length = 0
  choose = () => undefined
  for (const model of opened.splice(0)) await model.close!()
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

const sums: DatasetConfig = {
  infer_cfg: {
    prompt_template: {
      template: {
        round: [
          { role: 'HUMAN', prompt: '{question}' },
          { role: 'BOT', prompt: '{answer}' },
        ],
      },
    },
  },
  reader_cfg: { output_column: 'answer' },
}
const labels = ['A', 'B', 'C', 'D']
const choices: DatasetConfig = {
  infer_cfg: {
    prompt_template: {
      template: Object.fromEntries(
        labels.map((label) => [
          label,
          {
            round: [
              { role: 'HUMAN', prompt: '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer: ' },
              { role: 'BOT', prompt: label },
            ],
          },
        ]),
      ),
    },
  },
}

function formatOf(model: ModelConfig) {
  return compilePrompt(model, sums).format
}

function open(config: Partial<ModelConfig> = {}): LanguageModel {
  const model = { abbr: 'm', path: 'tiny', type: 'openai', base_url: `${server.url}/v1`, ...config }
  const made = loadOpenAI(model, { folder, format: formatOf(model) })
  opened.push(made)
  return made
}

function rowsOf(name: string, count: number): Record<string, string>[] {
  const lines = readFileSync(new URL(`../../../quickstart/data/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.slice(0, count).map((line) => JSON.parse(line) as Record<string, string>)
}

const asks: Record<string, Partial<ModelConfig>> = {
  'token ids': { format: 'internlm2', tokenizer_path: 'tokenizer.json' },
  // The server's tokenizer adds BOS, which this format's prompts already contain.
  text: { format: 'internlm2', extra_body: { add_special_tokens: false } },
  messages: {},
  'token ids, streamed': { format: 'internlm2', tokenizer_path: '.', stream: true },
}

describe('the same answers as the model itself', () => {
  for (const [name, config] of Object.entries(asks)) {
    test(`through ${name}`, async () => {
      const model = open(config)
      const direct = compilePrompt({ format: 'internlm2' }, sums)
      const served = compilePrompt({ type: 'openai', ...config }, sums)
      const rows = rowsOf('sums', propertyRuns(20))
      const replies = await Promise.all(rows.map((row) => model.generate(served.render({ row, mode: 'gen' }).prompt, { maxTokens: 8 })))
      for (const [index, row] of rows.entries()) {
        const { text, finish, tokens } = await embedded.generate(direct.render({ row, mode: 'gen' }).prompt, { maxTokens: 8 })
        expect(replies[index]).toMatchObject({ text, finish, tokens: { prompt: tokens.prompt } })
      }
    })
  }
})

describe('the same perplexities', () => {
  const ways: Record<string, Partial<ModelConfig>> = {
    'echo, by ids': { format: 'internlm2', tokenizer_path: '.' },
    'echo, as text': { format: 'internlm2', extra_body: { add_special_tokens: false } },
    'prompt_logprobs, by ids': { format: 'internlm2', tokenizer_path: '.', score_by: 'prompt_logprobs' },
    'prompt_logprobs, as text': { format: 'internlm2', extra_body: { add_special_tokens: false }, score_by: 'prompt_logprobs' },
    'echo, in plain text with BOS by the server': { format: 'plain' },
  }
  for (const [name, config] of Object.entries(ways)) {
    test(name, async () => {
      const model = open(config)
      const maker = compilePrompt({ type: 'openai', ...config }, choices)
      for (const row of rowsOf('choices', triesAll ? 4 : 2)) {
        const prompts = labels.map((label): Prompt => maker.render({ row, mode: 'ppl', label }).prompt)
        const [expected, scored] = [await embedded.score!(prompts), await model.score!(prompts)]
        for (const [index, { logProbabilities, tokens }] of scored.entries()) {
          expect(logProbabilities.length).toBe(expected[index]!.logProbabilities.length)
          expect(Math.abs(perplexity(logProbabilities) - perplexity(expected[index]!.logProbabilities))).toBeLessThan(1e-4)
          const places = (list: typeof tokens) => list.map(({ pieces, span }) => ({ pieces, span }))
          // Ids of a format have no position in the text.
          if (config.tokenizer_path !== undefined) expect(tokens).toEqual(expected[index]!.tokens)
          else expect(places(tokens).at(-1)).toEqual(places(expected[index]!.tokens).at(-1))
        }
      }
    })
  }
})

test('network failures do not change the answers', async () => {
  const faults: (Fault | undefined)[] = [
    { kind: 'status', status: 429, retryAfter: 0 },
    undefined,
    { kind: 'status', status: 500 },
    { kind: 'garbage' },
    { kind: 'nonsense' },
    undefined,
    { kind: 'cut', after: 40 },
    { kind: 'reset' },
    { kind: 'silence' },
    { kind: 'delay', milliseconds: 50 },
  ]
  const config = { format: 'internlm2', tokenizer_path: '.', timeout: 3, max_retry_wait: 0.05, retries: 30, concurrency: 4 }
  const maker = compilePrompt({ type: 'openai', ...config }, sums)
  for (const stream of [false, true]) {
    // Each fault once: a slow machine would take longer than the timeout for some answers.
    let sent = 0
    choose = () => faults[sent++]
    const model = open({ ...config, stream })
    const rows = rowsOf('sums', 8)
    const replies = await Promise.all(rows.map((row) => model.generate(maker.render({ row, mode: 'gen' }).prompt, { maxTokens: 8 })))
    for (const [index, row] of rows.entries()) {
      const { text } = await embedded.generate(maker.render({ row, mode: 'gen' }).prompt, { maxTokens: 8 })
      expect(replies[index]!.text).toBe(text)
    }
    expect(sent).toBeGreaterThan(rows.length + 5)
  }
})
