import { describe, expect, test } from 'vitest'
import type { LanguageModel, ModelReply } from '../../model/language-model/language-model.ts'
import { shippedTokenizer } from '../../node/models/load-tokenizer.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { RowRecord } from './record/run-record.ts'
import { planRun, runPairs } from './run-pairs.ts'

const getTime = { name: 'get_time', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }
const call = (city: string) => ({ name: 'get_time', arguments: { city } })
const question: DatasetConfig = {
  abbr: 'clock',
  tools: [getTime],
  rows: [{ question: 'Time in Rome?', calls: [call('Rome')] }],
  reader_cfg: { input_columns: ['question'], output_column: 'calls' },
  infer_cfg: { prompt_template: { messages: [{ role: 'user', content: '{question}' }] } },
  eval_cfg: { evaluator: { type: 'ToolCallEvaluator' } },
}

type Said = Partial<ModelReply> & { text: string }

/** The result of a dataset whose model gives these replies in order, and the prompts it received. */
async function run(
  model: ModelConfig,
  dataset: DatasetConfig,
  ...replies: readonly Said[]
): Promise<{ record: RowRecord; prompts: readonly string[] }> {
  let number = 0
  const scripted: LanguageModel = {
    name: 'scripted',
    ...(model.type === 'embedded' ? { tokenizer: shippedTokenizer() } : {}),
    async generate() {
      return { finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [], ...replies[number++]! }
    },
  }
  const environment = { ...nodeEnvironment('.'), openModel: async () => scripted, tokenizerOf: () => undefined, identify: () => '' }
  for await (const event of runPairs(planRun([model], [dataset]), environment, { keepPrompts: true })) {
    if (event.kind === 'row') return { record: event.record, prompts: event.record.prompts ?? [] }
  }
  throw new Error('no row was answered')
}

const internlm2: ModelConfig = { type: 'embedded', format: 'internlm2' }
const server: ModelConfig = { type: 'openai', path: 'x', format: 'messages' }
const written = (city: string) => `Moment.<|action_start|><|plugin|>\n{"name": "get_time", "parameters": {"city": "${city}"}}<|action_end|>`

describe('calls are parsed', () => {
  test('from text, and the verdict gives the reason', async () => {
    const { record } = await run(internlm2, question, { text: written('Oslo') })
    expect(record).toMatchObject({ score: 0, calls: [call('Oslo')], calls_by: 'text', prediction: written('Oslo') })
    expect(record.details).toMatchObject({
      pred: [call('Oslo')],
      answer: [call('Rome')],
      reason: 'get_time: city is "Oslo", and "Rome" is expected',
    })
  })

  test('from ids, which distinguish markers from the same characters as text', async () => {
    const tokenizer = shippedTokenizer()
    const text = written('Rome')
    const marks = ['<|action_start|>', '<|plugin|>', '<|action_end|>']
    const protect = (id: number) => marks.some((mark) => tokenizer.idOf(mark) === id)
    const ids = text
      .split(/(<\|\w+\|>)/)
      .flatMap((part) =>
        marks.includes(part) ? [tokenizer.idOf(part)!] : part === '' ? [] : tokenizer.encodeRun(part, false, protect).ids,
      )
    expect((await run(internlm2, question, { text, ids })).record).toMatchObject({ score: 1, calls_by: 'ids', calls: [call('Rome')] })
    const typed = tokenizer.encodeRun(text, true, protect).ids
    expect((await run(internlm2, question, { text, ids: typed })).record).toMatchObject({ score: 0, calls: [] })
  })

  test("from a server's tool_calls; a reply without text is not empty then", async () => {
    const calls = [{ kind: 'call', name: 'get_time', arguments: { city: 'Rome' }, argumentsText: '{"city": "Rome"}', at: [0, 0] }] as const
    const { record, prompts } = await run(server, question, { text: '', calls })
    expect(record).toMatchObject({ score: 1, calls: [call('Rome')], calls_by: 'server' })
    expect(record.outcome).toBeUndefined()
    expect(JSON.parse(prompts[0]!)).toEqual({
      messages: [{ role: 'user', content: 'Time in Rome?' }],
      tools: [{ type: 'function', function: getTime }],
    })
  })

  test('from each of several answers', async () => {
    const { record } = await run(
      { ...internlm2, temperature: 1 } as ModelConfig,
      { ...question, n: 2 },
      { text: written('Rome') },
      { text: 'No.' },
    )
    expect(record).toMatchObject({ score: 0.5, calls: [[call('Rome')], []] })
  })

  test('after reasoning, which may mention calls', async () => {
    const text = `<think>I could write ${written('Oslo')}</think>${written('Rome')}`
    const { record } = await run({ ...internlm2, reply_syntax: 'internlm2' } as ModelConfig, question, { text })
    expect(record.prediction).toBe(written('Rome'))
    expect(record.calls).toEqual([call('Rome')])
  })

  test('from the text that roles makes of tools, where the template does not write them', async () => {
    const plain = '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n'
    const folded = '<tool_call>\n{"name": "get_time", "arguments": {"city": "Rome"}}\n</tool_call>'
    const asked = (roles: NonNullable<ModelConfig['roles']>) =>
      run({ type: 'embedded', chat_template: plain, roles } as ModelConfig, question, { text: `Moment.\n${folded}` })
    for (const roles of ['auto', { tools: 'fold' }] as const) {
      const { record, prompts } = await asked(roles)
      expect(prompts[0]).toContain('<tools>\n{"name": "get_time"')
      expect(record).toMatchObject({ score: 1, calls: [call('Rome')], calls_by: 'text' })
    }
    await expect(asked('strict')).rejects.toThrow(/tools/)
  })
})

describe('no call', () => {
  const none = { ...question, rows: [{ question: 'Hi!', calls: [] }] }

  test('is right if none is expected', async () => {
    expect((await run(internlm2, none, { text: 'Hello!' })).record).toMatchObject({ score: 1, calls: [] })
    expect((await run(internlm2, none, { text: written('Rome') })).record.details).toMatchObject({
      reason: 'it calls get_time, and no call is expected',
    })
  })
})

describe('a conversation with scripted results', () => {
  const messages = [
    { role: 'user', content: 'Time in Rome?' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_time', arguments: '{"city": "Rome"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '{"time": "10:05"}' },
    { role: 'assistant', content: 'It is 10:05.' },
  ]
  const chat = (mode: string): DatasetConfig => ({
    ...question,
    rows: [{ messages }],
    reader_cfg: { input_columns: ['messages'] },
    infer_cfg: {
      prompt_template: { messages: [{ expand_column: 'messages' }] },
      inferencer: { type: 'ChatInferencer', infer_mode: mode as never },
    },
  })

  test("continues from the model's calls, and each turn is scored", async () => {
    const { record, prompts } = await run(internlm2, chat('every'), { text: written('Rome') }, { text: 'Five past ten.' })
    expect(record).toMatchObject({ score: 1, gold: [[{ name: 'get_time' }], []], calls: [[call('Rome')], []] })
    expect(prompts[1]).toContain(
      `assistant\n${written('Rome')}<|im_end|>\n<|im_start|>environment name=<|plugin|>\n{"time": "10:05"}<|im_end|>\n`,
    )
  })

  test("on a server gets the model's calls under the ids that results refer to", async () => {
    const calls = [
      { kind: 'call', name: 'get_time', id: 'z', arguments: { city: 'Rome' }, argumentsText: '{"city": "Rome"}', at: [0, 0] },
    ] as const
    const { record, prompts } = await run(server, chat('every'), { text: '', calls }, { text: '10:05' })
    expect(record.score).toBe(1)
    const sent = JSON.parse(prompts[1]!) as { messages: object[] }
    expect(sent.messages[1]).toMatchObject({ tool_calls: [{ id: 'a', function: { name: 'get_time', arguments: '{"city": "Rome"}' } }] })
  })

  test('ends if the model makes a call without a scripted result, with a note', async () => {
    const { record, prompts } = await run(internlm2, chat('every'), { text: 'I do not know.' })
    expect(prompts).toHaveLength(1)
    expect(record.score).toBe(0)
    expect(record.notes?.map(({ text }) => text)).toEqual([
      'the conversation ended with round 1: nothing was called, and what follows are results of get_time',
    ])
    expect(record.details).toMatchObject({
      reason: 'turn 1: it calls nothing, and get_time is expected; turn 2: the conversation ended before this turn',
    })
  })

  test('can be sent turn by turn after the reference, or only for its last turn', async () => {
    const each = await run(internlm2, chat('every_with_gt'), { text: 'I do not know.' }, { text: 'It is 10:05.' })
    expect(each.record).toMatchObject({ score: 0, calls: [[], []] })
    expect(each.prompts[1]).toContain('{"name": "get_time", "parameters": {"city": "Rome"}}')
    expect((await run(internlm2, chat('last'), { text: 'It is 10:05.' })).record).toMatchObject({ score: 1, gold: [] })
  })
})

test('calls are not scored if nothing is generated', () => {
  const scored = { ...question, infer_cfg: { ...question.infer_cfg, inferencer: { type: 'PPLInferencer' } } }
  expect(() => planRun([internlm2], [scored])).toThrow('tool calls are scored, but this inferencer only compares likelihoods')
})

test('a format that cannot describe tools is refused before anything is sent', () => {
  expect(() => planRun([{ type: 'embedded', conv_template: 'vicuna_v1.1' }], [question])).toThrow('clock › tools: ')
})
