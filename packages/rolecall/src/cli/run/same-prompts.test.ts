import { beforeAll, describe, expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import { planRun, runPairs } from '../../evaluation/run/run-pairs.ts'
import { loadEmbedded } from '../../node/models/load-embedded.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { rowsOf } from '../render/dataset-rows.ts'
import { viewRows } from '../render/view.ts'

const tiny: ModelConfig = { abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 4 }
const round = (answer: string) => ({
  round: [
    { role: 'HUMAN', prompt: '{question}' },
    { role: 'BOT', prompt: answer },
  ],
})
const labels = { '42': round('42'), '7': round('7') }
const rows = Array.from({ length: 6 }, (_, number) => ({
  question: `${number}+30=?`,
  answer: String(number + 30),
  cont: '42',
  choices: ['4', '7'],
}))

function dataset(inferencer: string, template: unknown = round('{answer}'), options: object = {}): DatasetConfig {
  return {
    abbr: 'sums',
    rows: rows.slice(4),
    train_rows: rows.slice(0, 4),
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      ice_template: { template: round('{answer}') },
      prompt_template: { template: { begin: ['</E>'], ...(template as object) }, ice_token: '</E>' } as never,
      retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2] },
      inferencer: { type: inferencer, ...options },
    },
  }
}

const withBegin = (template: Record<string, object>) =>
  Object.fromEntries(Object.entries(template).map(([label, turns]) => [label, { begin: ['</E>'], ...turns }]))

function labelled(inferencer: string): DatasetConfig {
  const plain = dataset(inferencer)
  return {
    ...plain,
    infer_cfg: { ...plain.infer_cfg, prompt_template: { template: withBegin(labels) as never, ice_token: '</E>' } },
    eval_cfg: { allow_unscorable: true },
  }
}

async function sent(model: ModelConfig, given: DatasetConfig): Promise<RowRecord[]> {
  const records: RowRecord[] = []
  for await (const event of runPairs(planRun([model], [given]), nodeEnvironment('.'), { keepPrompts: true })) {
    if (event.kind === 'row') records.push(event.record)
  }
  return records
}

async function shown(model: ModelConfig, given: DatasetConfig): Promise<string[][]> {
  const chosen = await rowsOf(
    given,
    (given.rows ?? []).map((_, index) => index),
    '.',
  )
  const views = viewRows(model, given, chosen, { folder: '.' })
  const texts = new Map<number, string[]>()
  for (const { row, rendered } of views) {
    texts.set(row!, [...(texts.get(row!) ?? []), sentText(rendered.prompt)])
  }
  return [...texts.values()]
}

beforeAll(async () => void (await loadEmbedded()), 60_000)

describe('render shows the prompts that run sends', () => {
  const datasets: DatasetConfig[] = [
    dataset('GenInferencer'),
    labelled('PPLInferencer'),
    labelled('LLInferencer'),
    dataset('PPLOnlyInferencer'),
    dataset('CLPInferencer'),
  ]
  for (const given of datasets) {
    for (const limit of [undefined, 60]) {
      test(`${given.infer_cfg.inferencer!.type}${limit === undefined ? '' : ', with examples left out'}`, async () => {
        const model = limit === undefined ? tiny : { ...tiny, max_seq_len: limit }
        const records = await sent(model, given)
        expect(records.map(({ prompts }) => prompts)).toEqual(await shown(model, given))
        expect(records.every(({ examples }) => examples.dropped > 0)).toBe(limit !== undefined)
      })
    }
  }

  test('the rounds of a chat, of which the first does not depend on a reply', async () => {
    const chats = {
      ...dataset('ChatInferencer', undefined, { infer_mode: 'every' }),
      rows: [{ question: ['1+1=?', '2+2=?'], answer: ['2', '4'] }],
    }
    const [record] = await sent(tiny, chats)
    const [prompts] = await shown(tiny, chats)
    expect(prompts).toHaveLength(2)
    expect(record!.prompts).toHaveLength(2)
    expect(record!.prompts![0]).toBe(prompts![0])
    // The model's reply replaces the placeholder.
    const [said] = record!.prediction as string[]
    expect(record!.prompts![1]).toBe(prompts![1]!.replace('assistant\n2<|im_end|>', `assistant\n${said}<|im_end|>`))
  })

  test('a config that the inferencer does not support is rejected by every command with the same message', async () => {
    const given = labelled('PPLOnlyInferencer')
    await expect(sent(tiny, given)).rejects.toThrow('PPLOnlyInferencer scores one text per row')
    await expect(shown(tiny, given)).rejects.toThrow('PPLOnlyInferencer scores one text per row')
  })
})

test('a marker in data is rejected before any request if marker_policy says so', async () => {
  const bad = { question: 'hi<|im_end|>', answer: '1' }
  const hostile = (...rows: object[]) => ({ ...dataset('GenInferencer'), rows }) as DatasetConfig
  await expect(sent({ ...tiny, marker_policy: 'reject' }, hostile(bad))).rejects.toThrow('<|im_end|>')
  const records = await sent({ ...tiny, marker_policy: 'reject' }, hostile(bad, { question: 'hi', answer: '1' }))
  expect(records.slice(0, 1)).toMatchObject([
    { prediction: null, error: expect.stringContaining('<|im_end|>'), tokens: { prompt: 0, reply: 0 } },
  ])
})

test('normalised perplexity drops examples that do not fit', async () => {
  const plain = labelled('PPLInferencer')
  const template = Object.fromEntries(Object.entries(labels).map(([label]) => [label, `</E>{question}</S>${label}`]))
  const given: DatasetConfig = {
    ...plain,
    infer_cfg: {
      ice_template: { template: '{question} {answer}' },
      prompt_template: { template, ice_token: '</E>', sep_token: '</S>' },
      retriever: { type: 'FixKRetriever', fix_id_list: [0, 1, 2] },
      inferencer: { type: 'PPLInferencer', normalizing_str: 'Answer:' },
    },
  }
  const all = await sent({ ...tiny, format: 'plain' }, given)
  const fewer = await sent({ ...tiny, format: 'plain', max_seq_len: 24 }, given)
  expect(all[0]!.examples).toEqual({ used: 3, dropped: 0 })
  expect(fewer[0]!.examples.dropped).toBeGreaterThan(0)
  expect(fewer[0]!.prompts![0]!.length).toBeLessThan(all[0]!.prompts![0]!.length)
  expect(fewer[0]!.scores![0]!.value).not.toBe(all[0]!.scores![0]!.value)
})
