import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { zipOf } from '../../../../../../proof/testing/zip-of.ts'
import type { Note } from '../../../../../core/src/base/errors/note.ts'
import { linesOf } from '../../../compat/results/foreign-values.ts'
import { sideBySide } from '../../../compat/results/side-by-side.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import { OpenRun } from '../../../server/viewer/open-run.ts'
import { compareRunFolders } from '../compare-run-folders.ts'
import { openRecords } from '../records/records.ts'
import { readResult, readRunInfo } from '../run-layout.ts'
import { scoreRun } from '../score-run.ts'
import { openRunOrResults } from './open-run-or-results.ts'
import { foreignSetup } from './setup-file.ts'

const cache = folderWith({})
const before = process.env.ROLECALL_CACHE

beforeAll(() => {
  process.env.ROLECALL_CACHE = cache
})

afterAll(() => {
  if (before === undefined) delete process.env.ROLECALL_CACHE
  else process.env.ROLECALL_CACHE = before
})

async function read(files: Readonly<Record<string, string | Uint8Array>>, part = '') {
  const given = folderWith(files)
  const { folder } = await openRunOrResults(`${given}${part}`)
  const info = readRunInfo(folder)
  return { given, folder, info, setup: foreignSetup(folder)!, rows: rowsOf(folder), value: readResult(folder, info.pairs[0]!)?.value }
}

function rowsOf(folder: string): RowRecord[] {
  const records = openRecords(join(folder, readRunInfo(folder).pairs[0]!.predictions))
  const rows = records.read(0, records.count)
  records.close()
  return rows
}

const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const config = {
  task: 'sums',
  num_fewshot: 0,
  doc_to_text: '{{question}}',
  generation_kwargs: { until: ['\n'], max_gen_toks: 16 },
  filter_list: [{ name: 'strict', filter: [{ function: 'regex', regex_pattern: 'is (\\d+)' }] }],
  metric_list: [{ metric: 'exact_match', ignore_case: false, ignore_punctuation: true }],
}

function lmEval(time: string, scores: readonly number[]): Record<string, string> {
  const sample = (score: number, doc_id: number, filter: string) => ({
    doc_id,
    doc: { question: `Q${doc_id}?` },
    target: '4',
    arguments: { gen_args_0: { arg_0: [JSON.stringify([{ role: 'user', content: `Q${doc_id}?` }])], arg_1: {} } },
    resps: [['it is 4']],
    filtered_resps: [filter === 'strict' ? '4' : 'it'],
    filter,
    metrics: ['exact_match'],
    doc_hash: `hash ${doc_id}`,
    exact_match: filter === 'strict' ? score : 0,
  })
  return {
    [`m/results_${time}.json`]: JSON.stringify({
      results: { sums: { 'exact_match,strict': scores.reduce((sum, one) => sum + one, 0) / scores.length, 'exact_match,loose': 0 } },
      configs: { sums: config },
      config: { model: 'local-chat-completions' },
      model_name: 'm',
      lm_eval_version: '0.4.13',
    }),
    [`m/samples_sums_${time}.jsonl`]: lines(
      ...['strict', 'loose'].flatMap((filter) => scores.map((score, id) => sample(score, id, filter))),
    ),
  }
}

describe('lm-eval', () => {
  test('two filters of a row are two metrics of one record', async () => {
    const { rows, setup, value, given } = await read(lmEval('2026-01-01T10-00-00.1', [1, 0]))
    expect(value).toBe(50)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      prediction: 'it is 4',
      gold: '4',
      prompts: ['[{"role":"user","content":"Q0?"}]'],
      details: {
        metrics: { 'exact_match,strict': { score: 1, pred: '4' }, 'exact_match,loose': { score: 0, pred: 'it' } },
        keys: { doc_hash: 'hash 0' },
      },
    })
    expect(setup).toMatchObject({ harness: 'lm-eval', version: '0.4.13', source: given, notes: [] })
    expect(setup.pairs[0]!.setup).toMatchObject({
      endpoint: 'chat',
      sampling: { max_tokens: 16, stop: ['\n'] },
      scoring: { 'exact_match,strict': { normalisation: { ignore_punctuation: true } } },
    })
  })

  test('of several runs in a folder, the latest is read or the one with this number', async () => {
    const files = { ...lmEval('2026-01-01T10-00-00.1', [1]), ...lmEval('2026-01-02T10-00-00.1', [0]) }
    expect((await read(files)).value).toBe(0)
    expect((await read(files, '#1')).value).toBe(100)
    expect((await read(files, '/m/sums')).value).toBe(0)
    await expect(read(files, '#nope')).rejects.toMatchObject({ code: 'no-selection', fix: 'choose one of 1, 2, m/sums' })
  })

  test('samples without their results file are read; a results file without samples is an error that says how to get them', async () => {
    const files = lmEval('2026-01-01T10-00-00.1', [1, 1])
    const [results, samples] = Object.keys(files) as [string, string]
    expect((await read({ [samples]: files[samples]! })).setup.notes).toMatchObject([{ code: 'no-results' }])
    await expect(read({ [results]: files[results]! })).rejects.toMatchObject({ code: 'no-rows', problem: /no samples file/ })
  })

  test('choices with log-likelihoods; a tie is the first choice', async () => {
    const sample = {
      doc_id: 0,
      doc: { question: 'Q?', choices: ['a', 'bb'] },
      target: '1',
      arguments: { gen_args_0: { arg_0: 'Q?', arg_1: ' a' }, gen_args_1: { arg_0: 'Q?', arg_1: ' bb' } },
      resps: [[['-2.0', 'False']], [['-2.0', 'False']]],
      filtered_resps: [],
      filter: 'none',
      metrics: ['acc', 'acc_norm'],
      acc: 0,
      acc_norm: 1,
    }
    const { rows } = await read({ 'samples_mc_2026-01-01T10-00-00.jsonl': lines(sample) })
    expect(rows[0]).toMatchObject({
      prediction: 'a',
      score: 0,
      details: { metrics: { acc: { pred: 'a' }, acc_norm: { pred: 'bb', score: 1 } } },
    })
  })
})

describe('Inspect', () => {
  const sample = (id: number, epoch: number, value: string) => ({
    id,
    epoch,
    input: `Q${id}?`,
    target: '4',
    messages: [
      { role: 'user', content: `Q${id}?` },
      { role: 'assistant', content: 'four' },
    ],
    output: {
      choices: [
        {
          message: {
            content: [
              { type: 'reasoning', reasoning: 'hm', internal: 'think' },
              { type: 'text', text: 'four' },
            ],
          },
          stop_reason: 'max_tokens',
        },
      ],
    },
    scores: { match: { value, answer: 'four' } },
  })
  const header = {
    version: 2,
    status: 'success',
    eval: {
      task: 'sums',
      model: 'openai-api/host/m',
      created: '2026-01-01',
      config: { epochs: 2 },
      scorers: [{ name: 'match', options: { ignore_case: true }, metrics: [] }],
    },
    plan: { config: { max_tokens: 8 } },
  }
  const expected = {
    prediction: ['four', 'four'],
    reasoning: ['hm', 'hm'],
    finish: 'length',
    score: 0.5,
    details: {
      metrics: { match: { score: 0.5 }, 'match epoch 1': { score: 1, sample: 0 }, 'match epoch 2': { score: 0, sample: 1 } },
      reasoning_in: 'text',
    },
  }

  test('an archive and a JSON log have the same rows', async () => {
    const members = Object.fromEntries(
      [1, 2].map((epoch) => [`samples/1_epoch_${epoch}.json`, JSON.stringify(sample(1, epoch, epoch === 1 ? 'C' : 'I'))]),
    )
    const archive = await read({ 'log.eval': zipOf({ 'header.json': JSON.stringify(header), ...members }) })
    const json = await read({ 'log.json': JSON.stringify({ ...header, samples: [sample(1, 2, 'I'), sample(1, 1, 'C')] }) })
    expect(archive.rows).toMatchObject([expected])
    expect(json.rows).toEqual(archive.rows)
    expect(json.setup.pairs).toMatchObject([{ model: 'm', dataset: 'sums', setup: { sampling: { max_tokens: 8 } } }])
  })

  test('a row with an error has no score, and a status other than success is noted', async () => {
    const failed = { ...sample(1, 1, 'C'), output: { choices: [] }, scores: {}, error: { message: 'HTTP 400' } }
    const { rows, setup } = await read({ 'log.json': JSON.stringify({ ...header, status: 'error', samples: [failed] }) })
    expect(rows).toMatchObject([{ error: 'HTTP 400', prediction: null, outcome: 'failed' }])
    expect(setup.notes).toMatchObject([{ code: 'unfinished' }])
  })

  test('a damaged archive is an error that names it', async () => {
    await expect(read({ 'log.eval': 'PK and nothing else' })).rejects.toMatchObject({ code: 'bad-zip' })
  })
})

describe('OpenCompass and AISBench', () => {
  const row = (answer: string) => ({
    prompt: [{ role: 'HUMAN', prompt: `Q ${answer}?` }],
    origin_prediction: `It is ${answer}`,
    predictions: answer,
    references: 'A',
  })
  const configText =
    "models=[dict(abbr='m', type='OpenAISDK', path='m', max_out_len=9)]\ndatasets=[dict(abbr='d', eval_cfg=dict(evaluator=dict(type='AccEvaluator')), infer_cfg=dict())]\n"

  test('details of rows, with the settings of the resolved config', async () => {
    const { rows, value, setup } = await read({
      '20260101_100000/results/m/d.json': JSON.stringify({ accuracy: 50, details: { type: 'GEN', 0: row('A'), 1: row('B') } }, null, 4),
      '20260101_100000/configs/c.py': configText,
    })
    expect(value).toBe(50)
    expect(rows[1]).toMatchObject({
      prediction: 'It is B',
      score: 0,
      details: { pred: 'B' },
      prompts: ['[{"role":"user","content":"Q B?"}]'],
    })
    expect(setup).toMatchObject({ harness: 'opencompass', pairs: [{ setup: { sampling: { max_tokens: 9 } } }] })
  })

  test('predictions without details have no scores, which is noted; parts are joined', async () => {
    const prediction = (text: string) => ({ origin_prompt: 'Q?', prediction: text, gold: 'A' })
    const { rows, setup } = await read({
      'predictions/m/d_0.json': JSON.stringify({ 0: prediction('x'), 1: prediction('y') }),
      'predictions/m/d_1.json': JSON.stringify({ 0: prediction('z') }),
    })
    expect(rows.map(({ prediction, score }) => [prediction, score])).toEqual([
      ['x', undefined],
      ['y', undefined],
      ['z', undefined],
    ])
    expect(setup.notes.map(({ code }) => code)).toEqual(['no-settings', 'no-details'])
    const failed = await read({
      'predictions/m/d.jsonl': lines({ id: 1, success: true, ...prediction('A') }, { id: 0, success: false, ...prediction('') }),
    })
    expect(failed.setup.harness).toBe('aisbench')
    expect(failed.rows.map(({ details, error }) => [details?.row, error])).toEqual([
      [1, undefined],
      [0, 'the request failed'],
    ])
  })
})

test('Every Eval Ever: rows, epochs and errors', async () => {
  const row = (id: string, epoch: string, score: number, error: string | null = null) => ({
    evaluation_name: 'sums',
    sample_id: id,
    sample_hash: `h${id}`,
    input: { raw: `Q${id}?`, reference: ['4'], choices: null },
    output: { raw: ['4'] },
    evaluation: { score },
    error,
    metadata: { stop_reason: 'stop', epoch },
  })
  const aggregate = {
    schema_version: '0.3.0',
    evaluation_id: 'x',
    model_info: { id: 'org/m' },
    evaluation_results: [
      {
        evaluation_name: 'accuracy on sums for scorer match',
        source_data: { dataset_name: 'sums' },
        score_details: { score: 0.5 },
        generation_config: { generation_args: { max_tokens: 24 } },
      },
    ],
  }
  const files = {
    'd/u.json': JSON.stringify(aggregate),
    'd/u_samples.jsonl': lines(row('1', '1', 1), row('1', '2', 0), row('2', '1', 0, 'E'), row('2', '2', 0, 'E')),
  }
  const { rows, setup } = await read(files)
  expect(rows).toMatchObject([
    { score: 0.5, details: { keys: { sample_hash: 'h1' } } },
    { error: 'E', prediction: null },
  ])
  expect(setup.pairs).toMatchObject([{ model: 'm', setup: { sampling: { max_tokens: 24 }, scoring: { match: {} } } }])
})

test('Inspect: examples and the start of a reply are messages of an assistant that the model was given', async () => {
  const message = (role: string, content: string, source: string) => ({ role, content, source })
  const sample = {
    id: 1,
    epoch: 1,
    input: 'Q?',
    target: 'A',
    messages: [
      message('user', 'example?', 'input'),
      message('assistant', 'B', 'input'),
      message('user', 'Q?', 'input'),
      message('assistant', 'The answer is', 'input'),
      message('assistant', 'A', 'generate'),
    ],
    output: { choices: [{ message: { content: 'A' }, stop_reason: 'stop' }] },
    scores: { match: { value: 'C', answer: 'A' } },
  }
  const spec = { task: 't', model: 'x/m', config: {}, scorers: [{ name: 'match', options: {}, metrics: [] }] }
  const log = { version: 2, status: 'success', eval: spec, plan: {}, results: {}, samples: [sample] }
  const { rows } = await read({ 'log.json': JSON.stringify(log) })
  expect(JSON.parse(rows[0]!.prompts![0]!)).toMatchObject(sample.messages.slice(0, 4).map(({ role, content }) => ({ role, content })))
})

test('evalscope: repeats are one row, in any order', async () => {
  const review = (index: number, group_id: number, generation_index: number, value: number) => ({
    index,
    target: 'A',
    messages: [
      { role: 'user', content: 'Q?' },
      { role: 'assistant', content: `A${generation_index}` },
    ],
    sample_score: { group_id, generation_index, score: { value: { accuracy: value }, extracted_prediction: 'A' } },
  })
  const { rows, setup } = await read({
    'reviews/m/mcq_default.jsonl': lines(review(1, 0, 1, 0), review(2, 1, 0, 1), review(0, 0, 0, 1)),
    'configs/task_config.yaml': 'repeats: 2\ngeneration_config: {max_tokens: 5}\nresolved_benchmarks: {mcq: {few_shot_num: 2}}\n',
  })
  expect(rows).toMatchObject([
    { score: 0.5, prediction: ['A0', 'A1'], details: { row: 0, keys: { id: '0' } } },
    { score: 1, prediction: 'A0', details: { row: 1 } },
  ])
  expect(setup.pairs).toMatchObject([{ setup: { prompt: { shots: 2 }, sampling: { max_tokens: 5 }, rows: { epochs: 2 } } }])
})

test('promptfoo: pass and score are two metrics; a missing reply is an error', async () => {
  const row = (testIdx: number, more: object) => ({
    testIdx,
    promptIdx: 0,
    provider: { id: 'openai:chat:m', label: 'm' },
    prompt: { raw: 'Q?', label: 'plain' },
    vars: { question: `Q${testIdx}` },
    ...more,
  })
  const results = [
    row(0, { success: false, score: 0.8, response: { output: 'x', finishReason: 'length' } }),
    row(1, { success: false, score: 0, error: 'HTTP 500', response: {} }),
  ]
  const { rows } = await read({ 'out.json': JSON.stringify({ evalId: 'e', results: { version: 3, prompts: [], results }, config: {} }) })
  expect(rows).toMatchObject([
    { score: 0, finish: 'length', details: { metrics: { pass: { score: 0 }, 'mean score': { score: 0.8 } } } },
    { error: 'HTTP 500' },
  ])
})

test('plain JSON Lines: the columns that were read are noted', async () => {
  const { rows, setup } = await read({ 'a.jsonl': lines({ id: 'x', prompt: 'Q?', prediction: '4', gold: '4', correct: true, extra: 1 }) })
  expect(rows).toMatchObject([{ prediction: '4', gold: '4', score: 1, details: { keys: { id: 'x' } } }])
  expect(setup.notes[0]!.text).toBe(
    'read id from "id", gold from "gold", reply from "prediction", score from "correct", prompt from "prompt"; not read: extra',
  )
})

test('images of messages keep their places', async () => {
  const part = (url: string) => ({ type: 'image_url', image_url: { url } })
  const messages = [{ role: 'user', content: [part('a.png'), { type: 'text', text: 'Which?' }, part('b.png')] }]
  const { rows } = await read({ 'rows.jsonl': lines({ messages, prediction: 'A', gold: 'A', score: 1 }) })
  expect(JSON.parse(rows[0]!.prompts![0]!)).toEqual([{ role: 'user', content: '\uFFFCWhich?\uFFFC', images: ['a.png', 'b.png'] }])
})

test('compare, score and the viewer read them like own runs; the given files stay as they are', async () => {
  const first = await read(lmEval('2026-01-01T10-00-00.1', [1, 0, 0]))
  const second = await read(lmEval('2026-01-02T10-00-00.1', [1, 1, 0]))
  expect(compareRunFolders(first.folder, second.folder)[0]!.comparison).toMatchObject({ rows: 3, better: [1], worse: [] })
  const other = { evaluator: { type: 'AccEvaluator' }, postprocessor: { type: 'regex', pattern: 'is (\\d+)' } }
  const scored = await scoreRun(first.folder, undefined, other)
  expect(scored.summary.results[0]!.value).toBe(100)
  expect(readResult(first.folder, first.info.pairs[0]!)?.value).toBeCloseTo(33.33, 1)
  await expect(scoreRun(first.folder)).rejects.toMatchObject({ code: 'no-evaluator' })
  const viewed = new OpenRun(first.folder)
  expect((await viewed.state()).pairs[0]).toMatchObject({ rows: 3 })
  viewed.close()
  expect(existsSync(join(first.given, 'configs'))).toBe(false)
  // Read again only if the files changed.
  expect((await openRunOrResults(first.given)).folder).toBe(first.folder)
  rmSync(first.folder, { recursive: true })
  expect((await openRunOrResults(first.given)).folder).toBe(first.folder)
})

test('a file with another ending is an error that says which are read', async () => {
  const given = folderWith({ 'samples.jsonl.gz': 'x', 'notes.txt': 'x' })
  await expect(openRunOrResults(join(given, 'notes.txt'))).rejects.toThrow('files of results end with .eval, .json, .jsonl')
  await expect(openRunOrResults(join(given, 'samples.jsonl.gz'))).rejects.toThrow('gunzip -k')
})

describe('damaged files', () => {
  const cut = (files: Readonly<Record<string, string>>, part: RegExp, length: number) => {
    const name = Object.keys(files).find((one) => part.test(one))!
    return { files: { ...files, [name]: files[name]!.slice(0, -length) }, name }
  }
  const plain = { 'rows.jsonl': lines({ prompt: 'Q', prediction: 'A', gold: 'A' }, { prompt: 'R', prediction: 'B', gold: 'B' }) }
  const predictions = { '0': { origin_prompt: 'Q', prediction: 'A' }, '1': { origin_prompt: 'R', prediction: 'B' } }
  const leftOut = ({ notes }: { notes: readonly Note[] }) => notes.filter(({ code }) => code === 'rows-left-out').map(({ text }) => text)

  test('a line that is cut off is left out and listed with its number; the rest is read', async () => {
    const damaged = [
      { ...cut(plain, /rows/, 8), rows: 1, place: 'line 2' },
      { ...cut({ 'predictions/m/d.json': JSON.stringify(predictions) }, /predictions/, 12), rows: 1, place: 'the end' },
      { files: { 'rows.jsonl': `oops\n\n${plain['rows.jsonl']}` }, name: 'rows.jsonl', rows: 2, place: 'line 1' },
      { files: { 'rows.jsonl': `{"version": 1}\n${plain['rows.jsonl']}[1]\n` }, name: 'rows.jsonl', rows: 2, place: 'line 4' },
    ]
    for (const { files, name, rows: count, place } of damaged) {
      const { rows, setup } = await read(files)
      expect(rows).toHaveLength(count)
      expect(leftOut(setup)).toEqual([expect.stringContaining(`${name}: `)])
      expect(leftOut(setup)[0]).toContain(place)
    }
  })

  test('files may start with a byte order mark and have CRLF; a config that is no YAML is noted', async () => {
    const marked = Object.fromEntries(
      Object.entries(lmEval('2026-01-01T00-00-00', [1, 0])).map(([name, text]) => [name, `\uFEFF${text.replaceAll('\n', '\r\n')}`]),
    )
    const { rows, setup } = await read(marked)
    expect(rows.map(({ score }) => score)).toEqual([1, 0])
    expect(setup.notes).toEqual([])
    const review = { target: 'A', messages: [{ role: 'assistant', content: 'A' }], sample_score: { score: { value: { acc: 1 } } } }
    const { setup: other } = await read({ 'reviews/m/d.jsonl': lines(review), 'configs/task_config.yaml': 'a: [1\nb' })
    expect(other.notes).toMatchObject([{ code: 'no-settings', where: 'configs/task_config.yaml' }])
  })

  test('lm-eval: a lost line loses the verdict of its filter only, and other lines are not samples', async () => {
    const files = lmEval('2026-01-01T00-00-00', [1, 0, 1])
    const name = Object.keys(files)[1]!
    const [first, second, third, ...loose] = files[name]!.trimEnd().split('\n')
    const given = [
      `{"task": "sums"}`,
      first!.slice(0, -30),
      second,
      third,
      loose[0],
      `${loose[1]!.slice(0, 40)}"${loose[1]!.slice(40)}`,
      loose[2],
    ]
    const { rows, setup } = await read({ ...files, [name]: `${given.join('\n')}\n` })
    const metrics = rows.map(({ details }) => [details!.row, ...Object.keys(details!.metrics as object)])
    expect(metrics).toEqual([
      [1, 'exact_match,strict'],
      [2, 'exact_match,strict', 'exact_match,loose'],
      [0, 'exact_match,loose'],
    ])
    expect(leftOut(setup)[0]).toMatch(/: 3 left out: line 1 \(it is not a sample\); line 2 .*; line 6 /)
  })

  test('Every Eval Ever: a lost line of one epoch does not shift the others', async () => {
    const sample = (id: number, epoch: number) => ({
      evaluation_name: 'sums',
      sample_id: `s${id}`,
      input: { raw: `Q${id}?`, reference: ['A'] },
      output: { raw: ['A'] },
      evaluation: { score: 1 },
      metadata: { epoch: String(epoch) },
    })
    const all = lines(...[1, 2].flatMap((epoch) => [0, 1, 2].map((id) => sample(id, epoch)))).split('\n')
    all[4] = all[4]!.slice(0, -9)
    const aggregate = {
      schema_version: '0.3.0',
      evaluation_id: 'e',
      model_info: { id: 'o/m' },
      evaluation_results: [{ evaluation_name: 'sums' }],
    }
    const { rows, setup } = await read({ 'a.json': JSON.stringify(aggregate), 'a_samples.jsonl': all.join('\n') })
    expect(rows.map(({ prediction }) => prediction)).toEqual([['A', 'A'], 'A', ['A', 'A']])
    expect(leftOut(setup)).toEqual([expect.stringContaining('a_samples.jsonl: 1 left out: line 5')])
  })

  test('documents whose settings are cut off, and files without a readable row, are errors', async () => {
    const document = { evalId: 'e', results: { version: 3, results: [{ promptIdx: 0, response: { output: 'A' }, success: true }] } }
    for (const { files, name } of [
      cut(lmEval('2026-01-01T00-00-00', [1, 0]), /results/, 20),
      cut({ 'out.json': JSON.stringify(document) }, /out/, 5),
    ])
      await expect(read(files)).rejects.toMatchObject({ where: name, problem: expect.stringContaining('it is cut off or damaged') })
    const lost = lmEval('2026-01-01T00-00-00', [1])
    const name = Object.keys(lost)[1]!
    await expect(read({ ...lost, [name]: lost[name]!.replaceAll('"resps"', '"resps') })).rejects.toMatchObject({
      code: 'damaged-results',
      where: `${name}, line 1`,
    })
  })
})

test('rows of blocks are matched by id; a line far from the others of its row is reported', () => {
  const rows = (...ids: readonly number[]) => ids.map((id) => ({ id }))
  const far: unknown[] = []
  const joined = (...blocks: { id: number }[][]) =>
    [
      ...sideBySide(
        blocks,
        ({ id }) => id,
        (id, block) => far.push([id, block]),
      ),
    ].map((row) => row.map((fields) => fields?.id ?? null))
  expect(joined(rows(1, 2, 3), rows(3, 1, 4, 2))).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [null, 4],
  ])
  expect(joined(rows(1, 1, 2), rows(2, 1, 1))).toEqual([
    [1, 1],
    [1, 1],
    [2, 2],
  ])
  expect(far).toEqual([])
  const many = Array.from({ length: 1500 }, (_, id) => id + 1)
  expect(joined(rows(0, ...many), rows(...many, 0)).filter((row) => row.includes(null))).toEqual([[0, null]])
  expect(far).toEqual([[0, 1]])
})

test('a line may be longer than the chunks it is read in', () => {
  expect([...linesOf(['{"a', '": ', '1}\n', '\n', '2\n3', '4'])]).toEqual(['{"a": 1}', '2', '34'])
})

test('a folder without results of any harness is no run', async () => {
  await expect(read({ 'notes.txt': 'hello', 'data.json': '{"a": 1}', 'rows.jsonl': '{"x": 1}\n' })).rejects.toMatchObject({
    code: 'no-run',
  })
})

test('a file is read alone, without files whose names contain its name', async () => {
  const row = (prediction: string) => lines({ question: 'Q', prediction, gold: 'A' })
  const { rows, setup } = await read({ 'q.jsonl': row('A'), 'q2.jsonl': row('B'), 'q_samples.jsonl': row('C') }, '/q.jsonl')
  expect(rows.map(({ prediction }) => prediction)).toEqual(['A'])
  expect(setup.notes.map(({ text }) => text)).toContain('it has 2 runs; this is q.jsonl')
})

describe('other versions and orders of keys', () => {
  test('lm-eval before it named the filters of samples: a block per filter, requests as pairs', async () => {
    const { filter_list, ...rest } = config
    const both = { ...rest, filter_list: [...filter_list, { name: 'last', filter: [{ function: 'take_first' }] }] }
    const sample = (doc_id: number, exact_match: number) => ({
      doc_id,
      doc: { question: `Q${doc_id}?` },
      target: '4',
      arguments: [[`Q${doc_id}?`, { until: [] }]],
      resps: [['is 4']],
      filtered_resps: ['4'],
      exact_match,
    })
    const results = { sums: { 'exact_match,strict': 0.5, 'exact_match,last': 0 } }
    const { rows } = await read({
      'm/results_2024-01-01T00-00-00.json': JSON.stringify({ results, configs: { sums: both }, config: {}, model_name: 'm' }),
      'm/samples_sums_2024-01-01T00-00-00.jsonl': lines(sample(0, 1), sample(1, 0), sample(0, 0), sample(1, 0)),
    })
    expect(rows).toMatchObject([
      { prompts: ['Q0?'], details: { metrics: { 'exact_match,strict': { score: 1 }, 'exact_match,last': { score: 0 } } } },
      { prompts: ['Q1?'], details: { metrics: { 'exact_match,strict': { score: 0 }, 'exact_match,last': { score: 0 } } } },
    ])
  })

  test('a log of Inspect with sorted keys', async () => {
    const sample = { epoch: 1, id: 1, input: 'Q?', messages: [], output: {}, scores: { match: { value: 'C' } }, target: 'A' }
    const spec = { config: {}, model: 'x/m', run_id: 'r', scorers: [{ name: 'match' }], task: 't' }
    const { setup } = await read({ 'log.json': JSON.stringify({ eval: spec, samples: [sample], status: 'success', version: 2 }) })
    expect(setup).toMatchObject({ harness: 'inspect', pairs: [{ model: 'm', dataset: 't' }] })
  })

  test('promptfoo 2: rows without numbers, assertions beside their verdicts', async () => {
    const componentResults = [{ pass: true, assertion: { type: 'contains', value: '4' } }]
    const row = (question: string) => ({
      provider: { id: 'openai:chat:m' },
      prompt: { raw: question, label: 'p' },
      vars: { question },
      response: { output: '4' },
      success: true,
      score: 1,
      gradingResult: { pass: true, componentResults },
    })
    const { rows, setup } = await read({
      'out.json': JSON.stringify({ results: { version: 2, results: [row('Q0?'), row('Q1?')] }, config: {} }),
    })
    expect(rows).toMatchObject([{ details: { row: 0 } }, { details: { row: 1 } }])
    expect(setup.pairs[0]!.setup.scoring.pass!.extraction).toMatchObject([{ type: 'contains', value: '4' }])
  })

  test('OpenCompass: details that are a list of verdicts get prompt and reply from the predictions', async () => {
    const prediction = (prompt: string, answer: string) => ({ origin_prompt: prompt, prediction: `is ${answer}`, gold: '4' })
    const { rows } = await read({
      'predictions/m/d.json': JSON.stringify({ 0: prediction('Q0?', '4'), 1: prediction('Q1?', '5') }),
      'results/m/d.json': JSON.stringify({
        accuracy: 50,
        details: [
          { pred: '4', answer: '4', correct: true },
          { pred: '5', answer: '4', correct: false },
        ],
      }),
    })
    expect(rows).toMatchObject([
      { prompts: ['Q0?'], prediction: 'is 4', score: 1 },
      { prompts: ['Q1?'], prediction: 'is 5', score: 0 },
    ])
  })
})
