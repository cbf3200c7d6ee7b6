import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns, triesAll } from '../../../../../../proof/testing/sampling.ts'
import { PromptError } from '../../../../../core/src/base/errors/prompt-error.ts'
import type { Row } from '../../../../../core/src/prompt/conversation/row.ts'
import type { Prompt } from '../../../../../core/src/prompt/format/format.ts'
import { registerLmEval } from '../../../compat/lm-eval/register.ts'
import { registerOpenCompass } from '../../../compat/opencompass/register-opencompass.ts'
import type { LanguageModel, ModelReply } from '../../../model/language-model/language-model.ts'
import { shippedTokenizer } from '../../../node/models/load-tokenizer.ts'
import { nodeEnvironment } from '../../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../../config/config-schema.ts'
import { planRun, runPairs } from '../run-pairs.ts'
import { inferencers } from './inferencers.ts'
import { compilePair } from './plan-requests.ts'
import { requestsText, sentText } from './request-text.ts'
import { planPreview, recordedPrompts, rowPrompts } from './row-prompts.ts'
import { allRequests, fitRow, startRow } from './start-row.ts'

registerLmEval()
registerOpenCompass()

/** One format of each kind. */
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

/** A template that suits the inferencer, by its kind. */
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

/** Inputs that no format refuses, tried first: with some seeds, all that is drawn is refused. */
const harmless = (['last', 'every'] as const).map(
  (inferMode): Given => ({
    template: { text: '</E>{question} {answer}' },
    row: { question: 'one', answer: '2', choices: ['A', '2'] },
    train: [],
    inferMode,
    normalizer: undefined,
    limit: undefined,
  }),
)

/** The same row as a task of lm-evaluation-harness, whose documents are in its config. */
function taskOf(type: string, { row, train, inferMode }: Given): DatasetConfig {
  const isChosen = type === 'LmEvalLikelihoodInferencer'
  const task = {
    doc_to_text: 'Q: {{question}}',
    doc_to_target: isChosen ? 0 : '{{answer}}',
    ...(isChosen ? { output_type: 'multiple_choice', doc_to_choice: ['yes', 'no'] } : {}),
    description: 'About {{answer}}',
    ...(inferMode === 'last' ? {} : { gen_prefix: 'It is' }),
  }
  const numbered = { ...row, fewshot_examples: train.map((_, index) => index) }
  return {
    abbr: 'd',
    rows: [numbered],
    infer_cfg: { inferencer: { type } },
    lm_eval: {
      file: 't.yaml',
      task,
      files: {},
      rows: [JSON.stringify(numbered)],
      pool: train.map((example) => JSON.stringify(example)),
      apply_chat_template: inferMode !== 'every',
      fewshot_as_multiturn: inferMode === 'every_with_gt',
    },
  } as unknown as DatasetConfig
}

function configOf(type: string, given: Given): DatasetConfig {
  if (type.startsWith('LmEval')) return taskOf(type, given)
  const { template, row, train, inferMode, normalizer } = given
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
    const plan = planPreview(compilePair(model, dataset, { model: 'm', dataset: 'd' }), { tokenizer: shippedTokenizer() })
    const question = { row: dataset.rows![0] as Row, examples }
    const prompts = rowPrompts(plan, question).map(({ rendered }) => rendered.prompt)
    const requests = allRequests(plan, fitRow(plan, startRow(plan, question)))
    const standIns = requests.flatMap((request) => (request.kind === 'generate' ? request.prompts.map(() => request.standIn ?? '') : []))
    return { sent: prompts.map(sentText), identity: identityOf(prompts), standIns }
  } catch (error) {
    if (error instanceof PromptError) return { error: error.message }
    throw error
  }
}

/** What a model that answered with the stand-ins received, and what is replayed from its record. */
async function sent(
  model: ModelConfig,
  dataset: DatasetConfig,
  replies: readonly Partial<ModelReply>[],
): Promise<Outcome & { replayed?: string[] }> {
  const received: Prompt[] = []
  const recording: LanguageModel = {
    name: 'recording',
    tokenizer: shippedTokenizer(),
    async generate(prompt) {
      received.push(prompt)
      return { text: '', finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [], ...replies[received.length - 1] }
    },
    async score(prompts) {
      received.push(...prompts)
      return prompts.map(() => ({ tokens: [], logProbabilities: [], reused: 0, notes: [] }))
    },
  }
  const environment = {
    ...nodeEnvironment('.'),
    openModel: async () => recording,
    tokenizerOf: () => shippedTokenizer(),
    identify: () => '',
  }
  try {
    // Drawn gold answers need not be scorable.
    const pairs = planRun([model], [dataset]).map((pair) => ({ ...pair, allowsUnscorable: true as const }))
    for await (const event of runPairs(pairs, environment, {})) {
      if (event.kind !== 'row') continue
      const { record } = event
      if (record.prompt_hash === '') return { error: record.error ?? '' }
      const plan = planPreview(pairs[0]!, { tokenizer: shippedTokenizer() })
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

/** Everything that determines a prompt's tokens, not only its text. */
function identityOf(prompts: readonly Prompt[]): string {
  return requestsText([{ kind: 'generate', prompts: prompts.map((prompt) => ({ prompt })), samples: 1 }])
}

describe('previews equal the sent prompts to the byte and to the token, or both fail with the same message', () => {
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
            const { replayed, ...run } = await sent(
              model,
              dataset,
              standIns.map((text) => ({ text })),
            )
            expect(look).toEqual(run)
            if ('sent' in run) expect(replayed).toEqual(run.sent)
            kinds['error' in run ? 'refused' : 'asked']++
          }),
          { numRuns: propertyRuns(50), examples: harmless.map((one): [Given] => [one]) },
        )
        // A property that refuses every input proves nothing (a small sample may contain only such inputs); chat servers do not score.
        if (triesAll && (name !== 'meta template, API' || inferencers[type]!.needs === 'generate')) expect(kinds.asked).toBeGreaterThan(0)
      })
    }
  }
})

/** Formats that describe tools to a model, and how a model writes a call in each. */
const toolFormats: Record<string, { model: ModelConfig; reply: (said: string, calls: readonly Called[]) => Partial<ModelReply> }> = {
  InternLM2: {
    model: { format: 'internlm2' },
    reply: (said, calls) => ({
      text:
        said +
        calls
          .map((call) => `<|action_start|><|plugin|>\n{"name": "${call.name}", "parameters": {"x": ${call.arguments.x}}}<|action_end|>`)
          .join(''),
    }),
  },
  'chat template': {
    model: {
      chat_template:
        '{{ tools | tojson }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{"name":"{{ c.function.name }}","arguments":{{ c.function.arguments | tojson }}}</tool_call>{% endfor %}<|end|>\n{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}',
    },
    reply: (said, calls) => ({ text: said + calls.map((call) => `<tool_call>${JSON.stringify(call)}</tool_call>`).join('') }),
  },
  'chat server': {
    model: { format: 'messages' },
    reply: (text, calls) => ({
      text,
      ...(calls.length === 0
        ? {}
        : { calls: calls.map((call) => ({ kind: 'call', ...call, argumentsText: JSON.stringify(call.arguments), at: [0, 0] }) as const) }),
    }),
  },
}

type Called = { name: string; arguments: Record<string, number> }

const called = fc.record({ name: fc.constantFrom('add', 'look'), arguments: fc.record({ x: fc.integer({ min: 0, max: 9 }) }) })
const toolTurns = fc.array(
  fc.record({ asked: texts, said: fc.constantFrom('', 'Moment.', '好的'), calls: fc.array(called, { maxLength: 2 }) }),
  {
    minLength: 1,
    maxLength: 3,
  },
)
const toolNames = fc.uniqueArray(fc.constantFrom('add', 'look', 'stay'), { minLength: 1 })

type ToolTurns = typeof toolTurns extends fc.Arbitrary<infer Value> ? Value : never

/** A chat in which the model calls tools, and tools return results. */
function messagesOf(turns: ToolTurns): object[] {
  let id = 0
  return turns.flatMap(({ asked, said, calls }) => {
    const made = calls.map((call) => ({
      id: `call0000${++id}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }))
    return [
      { role: 'user', content: asked },
      { role: 'assistant', content: said, ...(made.length > 0 ? { tool_calls: made } : {}) },
      ...made.map((call) => ({ role: 'tool', tool_call_id: call.id, content: '{"found": 1}' })),
      ...(made.length > 0 ? [{ role: 'assistant', content: 'Done.' }] : []),
    ]
  })
}

describe('previews equal the sent prompts with tools, calls and their results', () => {
  for (const [name, { model: format, reply }] of Object.entries(toolFormats)) {
    for (const mode of ['last', 'every', 'every_with_gt', undefined] as const) {
      test(`${name}, ${mode ?? 'GenInferencer'}`, async () => {
        let asked = 0
        await fc.assert(
          fc.asyncProperty(toolTurns, toolNames, async (turns, names) => {
            const tools = names.map((tool) => ({ name: tool, parameters: { type: 'object', properties: { x: { type: 'integer' } } } }))
            const dataset = {
              abbr: 'd',
              rows: [{ messages: messagesOf(turns), tools, functions: tools }],
              reader_cfg: { input_columns: ['messages'], tools_column: 'tools' },
              infer_cfg: {
                prompt_template: { messages: [{ expand_column: 'messages' }] },
                inferencer: mode ? { type: 'ChatInferencer', infer_mode: mode } : { type: 'GenInferencer' },
              },
              eval_cfg: {
                evaluator: { type: mode ? 'ToolCallEvaluator' : 'BFCLEvaluator', ...(mode ? {} : { category: 'live_relevance' }) },
              },
            } as unknown as DatasetConfig
            const model: ModelConfig = { abbr: 'm', type: 'embedded', ...format }
            const { standIns: _, ...look } = shown(model, dataset, [])
            const replies = turns.flatMap(({ said, calls }) => [reply(said, calls), ...(calls.length > 0 ? [{ text: 'Done.' }] : [])])
            const { replayed, ...run } = await sent(model, dataset, mode === 'every' ? replies : [])
            expect(look).toEqual(run)
            if ('sent' in run) expect(replayed).toEqual(run.sent)
            if ('sent' in run) asked++
            for (const tool of 'sent' in run ? names : [])
              expect(run).toMatchObject({ sent: expect.arrayContaining([expect.stringContaining(`"${tool}"`)]) })
          }),
          { numRuns: propertyRuns(50) },
        )
        if (triesAll) expect(asked).toBeGreaterThan(0)
      })
    }
  }
})
