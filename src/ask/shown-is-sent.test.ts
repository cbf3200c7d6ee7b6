import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Row } from '../dataset/row.ts'
import type { Prompt } from '../format/format.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { shippedTokenizer } from '../node/models/tokenizer-of.ts'
import { runEnvironment } from '../node/runs/run-environment.ts'
import { PromptError } from '../prompt-error.ts'
import { planRun, runPairs } from '../run/run-pairs.ts'
import { beginAsking, chainOf, fitBegun } from './begin-asking.ts'
import { inferencers } from './inferencers.ts'
import { join } from './plan-asking.ts'
import { requestsText, sentText } from './request-text.ts'
import { planShown, recordedPrompts, rowPrompts } from './row-prompts.ts'

/** One of each kind of format. */
const formats: Record<string, ModelConfig> = {
  'meta template': {
    meta_template: {
      begin: 'BEGIN\n',
      round: [
        { role: 'HUMAN', begin: '<H>', end: '</H>\n' },
        { role: 'BOT', begin: '<B>', end: '</B>\n', generate: true },
      ],
      end: 'END',
    },
  },
  'meta template, API': {
    meta_template: {
      round: [
        { role: 'HUMAN', api_role: 'HUMAN' },
        { role: 'BOT', api_role: 'BOT', generate: true },
      ],
    },
  },
  MLC: { conv_template: 'vicuna_v1.1' },
  InternLM2: { format: 'internlm2' },
  'chat template': {
    chat_template:
      '{% for m in messages %}<|{{ m.role }}|>{{ m.content | trim }}<|end|>\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
  },
  'no format': {},
}

const words = fc.constantFrom('one', '2', 'A', '', ' b ', '{question}', '<H>', '你好', 'a\nb', '<|im_end|>')
const texts = fc.array(words, { minLength: 1, maxLength: 3 }).map((some) => some.join(' '))
const turn = (role: string, prompt: string) => ({ role, prompt })
const round = (answer: string) => [turn('HUMAN', 'Q: {question}'), turn('BOT', answer)]

/** A template that the inferencer can be given, by its kind. */
const templates = fc.constantFrom<Record<string, unknown>>(
  { text: '</E>{question} {answer}' },
  { dialogue: { begin: ['</E>'], round: round('{answer}') } },
  { labels: { A: { begin: ['</E>'], round: round('A') }, B: { begin: ['</E>'], round: round('B') } } },
  { labels: { A: '</E>{question}<SEP> A', B: '</E>{question}<SEP> B' } },
)

const rowOf = fc.oneof(
  fc.record({ question: texts, answer: texts, choices: fc.constant(['A', '2']) }),
  fc.record({ question: fc.array(texts, { minLength: 2, maxLength: 2 }), answer: fc.array(texts, { minLength: 2, maxLength: 2 }) }),
)

const given = fc.record({
  template: templates,
  row: rowOf,
  train: fc.array(fc.record({ question: texts, answer: texts }), { maxLength: 2 }),
  inferMode: fc.constantFrom('last', 'every', 'every_with_gt'),
  normalizer: fc.constantFrom(undefined, 'Answer:'),
  limit: fc.constantFrom(undefined, 4, 30),
})
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never

function configOf(type: string, { template, row, train, inferMode, normalizer }: Given): DatasetConfig {
  return {
    abbr: 'd',
    rows: [row],
    train_rows: train,
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      ice_template: { template: '{question} {answer}\n' },
      prompt_template: { template: Object.values(template)[0], ice_token: '</E>', sep_token: '<SEP>' },
      retriever: { type: 'FixKRetriever', fix_id_list: train.map((_, index) => index) },
      inferencer: {
        type,
        ...(type === 'ChatInferencer' ? { infer_mode: inferMode } : {}),
        ...(type === 'PPLInferencer' && normalizer ? { normalizing_str: normalizer } : {}),
      },
    },
  } as unknown as DatasetConfig
}

type Outcome = { sent: string[]; identity?: string } | { error: string }

/** What `render`, `tokens`, a dry run and the viewer show. */
function shown(model: ModelConfig, dataset: DatasetConfig, examples: readonly Row[]): Outcome & { standIns?: string[] } {
  try {
    const plan = planShown(join(model, dataset, { model: 'm', dataset: 'd' }), { tokenizer: shippedTokenizer() })
    const question = { row: dataset.rows![0] as Row, examples }
    const prompts = rowPrompts(plan, question).map(({ rendered }) => rendered.prompt)
    const requests = chainOf(plan, fitBegun(plan, beginAsking(plan, question)))
    const standIns = requests.flatMap((request) => (request.kind === 'generate' ? request.asked.map(() => request.standIn ?? '') : []))
    return { sent: prompts.map(sentText), identity: identityOf(prompts), standIns }
  } catch (error) {
    if (error instanceof PromptError) return { error: error.message }
    throw error
  }
}

/** What a model received that answered with the stand-ins, and what is replayed of the record it left. */
async function sent(model: ModelConfig, dataset: DatasetConfig, standIns: readonly string[]): Promise<Outcome & { replayed?: string[] }> {
  const received: Prompt[] = []
  const recording: LanguageModel = {
    name: 'recording',
    tokenizer: shippedTokenizer(),
    async generate(prompt) {
      received.push(prompt)
      const text = standIns[received.length - 1] ?? ''
      return { text, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
    },
    async score(prompts) {
      received.push(...prompts)
      return prompts.map(() => ({ tokens: [], logProbabilities: [], reused: 0, notes: [] }))
    },
  }
  const environment = {
    ...runEnvironment('.'),
    openModel: async () => recording,
    tokenizerOf: () => shippedTokenizer(),
    identify: () => '',
  }
  try {
    const pairs = planRun([model], [dataset])
    for await (const event of runPairs(pairs, environment, {})) {
      if (event.kind !== 'row') continue
      const { record } = event
      if (record.prompt_hash === '') return { error: record.error ?? '' }
      const plan = planShown(pairs[0]!, { tokenizer: shippedTokenizer() })
      const question = { row: dataset.rows![0] as Row, examples: (dataset.train_rows ?? []) as Row[] }
      const replayed = recordedPrompts(plan, question, record).map(({ rendered }) => sentText(rendered.prompt))
      return { sent: received.map(sentText), identity: identityOf(received), replayed }
    }
    throw new Error('the row was not answered')
  } catch (error) {
    if (error instanceof PromptError) return { error: error.message }
    throw error
  }
}

/** Everything that decides about a prompt's tokens: not its text alone. */
function identityOf(prompts: readonly Prompt[]): string {
  return requestsText([{ kind: 'generate', asked: prompts.map((prompt) => ({ prompt })), samples: 1 }])
}

describe('what is shown is what is sent, to the byte and to the token, or both refuse in the same words', () => {
  for (const type of Object.keys(inferencers)) {
    for (const [name, format] of Object.entries(formats)) {
      test(`${type}, ${name}`, async () => {
        const kinds = { asked: 0, refused: 0 }
        await fc.assert(
          fc.asyncProperty(given, async (one) => {
            const model: ModelConfig = {
              abbr: 'm',
              type: 'embedded',
              ...format,
              ...(one.limit === undefined ? {} : { max_seq_len: one.limit }),
            }
            const dataset = configOf(type, one)
            const { standIns = [], ...look } = shown(model, dataset, one.train)
            const { replayed, ...run } = await sent(model, dataset, standIns)
            expect(look).toEqual(run)
            if ('sent' in run) expect(replayed).toEqual(run.sent)
            kinds['error' in run ? 'refused' : 'asked']++
          }),
          { numRuns: process.env.CI ? 100 : 25 },
        )
        // A property that only ever refuses shows nothing; chat servers do not score.
        if (name !== 'meta template, API' || inferencers[type]!.needs === 'generate') expect(kinds.asked).toBeGreaterThan(0)
      })
    }
  }
})
