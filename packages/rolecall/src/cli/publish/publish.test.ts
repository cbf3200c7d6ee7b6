import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import type { PublishedPair } from '../../compat/publish/published-run.ts'
import { runAt } from '../../node/runs/find-run.ts'
import { openPublishedRun } from '../../node/runs/open-published-run.ts'
import { publishRun } from '../../node/runs/publish-run.ts'

const rows = [
  { question: '12+30=?', answer: '42' },
  { question: '2+2=?', answer: '5' },
  { question: '1+1=?', answer: '' },
]
const config = {
  models: [{ abbr: 'tiny', type: 'embedded', path: 'acme/tiny-chat', format: 'internlm2', max_out_len: 6, temperature: 0 }],
  datasets: [
    {
      abbr: 'sums',
      path: 'rows.jsonl',
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } },
    },
  ],
}

let folder: string
const publish = (args: readonly string[], env = {}) => rolecall(['publish', 'outputs', ...args], folder, env)
const lines = () => rows.map((row) => JSON.stringify(row)).join('\n')

beforeAll(async () => {
  folder = folderWith({ 'sums.json': JSON.stringify(config), 'rows.jsonl': lines() })
  const { code, stderr } = await rolecall(['run', 'sums.json', '--no-cache'], folder)
  expect(code, stderr).toBe(0)
})

describe('every-eval-ever', () => {
  const read = (out: string) => {
    const files = readdirSync(join(folder, out), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, out, name))
    const [aggregate, samples] = ['.json', '_samples.jsonl'].map((ending) => files.find((name) => name.endsWith(ending)))
    const text = readFileSync(samples!, 'utf8')
    return {
      aggregate: JSON.parse(readFileSync(aggregate!, 'utf8')),
      samples: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
      text,
    }
  }

  test('has the exact prompts, the extracted answers, and the metrics with intervals', async () => {
    const { code, stderr } = await publish(['--export-format', 'every-eval-ever', '--organization', 'Acme Lab', '-o', 'eee'])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('1 rows without a score are left out')
    const { aggregate, samples, text } = read('eee')
    expect(samples).toHaveLength(2)
    const [first] = samples
    const formatted = '<s><|im_start|>user\n12+30=?<|im_end|>\n<|im_start|>assistant\n'
    expect(first).toMatchObject({
      model_id: 'acme/tiny-chat',
      input: { raw: '12+30=?', formatted, reference: ['42'] },
      output: { raw: ['42'] },
      answer_attribution: [{ extracted_value: '42', extraction_method: 'none' }],
      evaluation: { score: 1, is_correct: true },
      sample_hash: createHash('sha256').update('12+30=?42').digest('hex'),
    })
    expect(aggregate).toMatchObject({
      evaluation_id: first.evaluation_id,
      model_info: { id: 'acme/tiny-chat', developer: 'acme', additional_details: { deployment_type: 'self_deployed' } },
      evaluation_results: [
        {
          metric_config: { metric_unit: 'proportion', min_score: 0, max_score: 1 },
          score_details: { score: 0.5, uncertainty: { confidence_interval: { confidence_level: 0.95, method: 'wilson' }, num_samples: 2 } },
          generation_config: { generation_args: { temperature: 0, max_tokens: 6 } },
        },
      ],
      detailed_evaluation_results: {
        checksum: createHash('sha256').update(text).digest('hex'),
        total_rows: 2,
        additional_details: { rows_without_score: '1' },
      },
    })
    expect(JSON.stringify(aggregate) + text).not.toContain(folder)
  })

  const checkout = process.env.ROLECALL_EVERY_EVAL_EVER ?? ''
  test.skipIf(checkout === '')('is valid by the published schemas (skipped without ROLECALL_EVERY_EVAL_EVER, a checkout)', () => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    const schema = (name: string) => ajv.compile(JSON.parse(readFileSync(join(checkout, 'every_eval_ever/schemas', name), 'utf8')))
    const [isAggregate, isSample] = [schema('eval.schema.json'), schema('instance_level_eval.schema.json')]
    const { aggregate, samples } = read('eee')
    expect(isAggregate(aggregate), JSON.stringify(isAggregate.errors)).toBe(true)
    for (const sample of samples) expect(isSample(sample), JSON.stringify(isSample.errors)).toBe(true)
  })

  test('prompts that changed since the run are left out, with a note', async () => {
    writeFileSync(join(folder, 'rows.jsonl'), lines().replace('12+30', '13+30'))
    const { code, stderr } = await publish(['--export-format', 'every-eval-ever', '--organization', 'Acme', '-o', 'changed'])
    writeFileSync(join(folder, 'rows.jsonl'), lines())
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('1 rows without their prompts, which cannot be rendered again as they were sent')
    expect(read('changed').samples.map(({ input }) => input.formatted === undefined)).toEqual([true, false])
  })

  test('requires an organization', async () => {
    const { code, stderr } = await publish(['--export-format', 'every-eval-ever'])
    expect(code).toBe(2)
    expect(stderr).toContain('--organization')
  })
})

test('opencompass: predictions, results, and the header and the lines of its summary', async () => {
  const { code, stderr } = await publish(['--export-format', 'opencompass', '-o', 'oc'])
  expect(code, stderr).toBe(0)
  const predictions = JSON.parse(readFileSync(join(folder, 'oc/predictions/tiny/sums.json'), 'utf8'))
  expect(predictions['0']).toEqual({
    origin_prompt: '<s><|im_start|>user\n12+30=?<|im_end|>\n<|im_start|>assistant\n',
    prediction: '42',
    gold: '42',
  })
  expect(JSON.parse(readFileSync(join(folder, 'oc/results/tiny/sums.json'), 'utf8')).accuracy).toBe(50)
  const [summary = ''] = readdirSync(join(folder, 'oc/summary'))
  expect(summary).toMatch(/^summary_\d{8}_\d{6}\.csv$/)
  const [header, line] = readFileSync(join(folder, 'oc/summary', summary), 'utf8').split('\n')
  expect(header).toBe('dataset,version,metric,mode,tiny')
  expect(line).toMatch(/^sums,[0-9a-f]{6},accuracy,gen,50\.00$/)
})

test('what a format needs is missing: an error before any format is written or sent', async () => {
  const formats = (names: string, ...more: string[]) => publish(['--export-format', names, '-o', 'nothing', ...more])
  const hub = await formats('opencompass,hub')
  expect(hub).toMatchObject({ code: 2, stderr: expect.stringContaining('--benchmark sums=ORG/NAME:TASK') })
  const misspelt = await formats('hub', '--benchmark', 'sum=acme/sums:default')
  expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('the run has no dataset sum') })
  expect((await formats('opencompass', '--benchmark', 'sums=acme/sums:default')).stderr).toContain('add hub to --export-format')
  expect((await formats('opencompass,opentelemetry')).stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
  expect((await formats('opencompass,mlflow')).stderr).toContain('MLFLOW_TRACKING_URI')
  expect(existsSync(join(folder, 'nothing'))).toBe(false)
})

test('hub: a file for each named benchmark', async () => {
  const { code, stderr } = await publish(['--export-format', 'hub', '--benchmark', 'sums=acme/sums:default', '-o', 'hub'])
  expect(code, stderr).toBe(0)
  const [entry] = parse(readFileSync(join(folder, 'hub/tiny/.eval_results/sums.yaml'), 'utf8'))
  expect(entry).toMatchObject({ dataset: { id: 'acme/sums', task_id: 'default' }, value: 50 })
  expect(entry.date).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect((await publish(['--export-format', 'hub', '--benchmark', 'sums'])).stderr).toContain('DATASET=ORG/NAME:TASK')
})

test('hub: names of models and datasets do not lead out of the output folder', async () => {
  const run = await openPublishedRun(runAt(join(folder, 'outputs')), () => {})
  const [pair] = run.pairs as [PublishedPair]
  const outside = { ...pair, result: { ...pair.result, model: '../../tiny', dataset: '../../../sums' } }
  const [written] = await publishRun({ ...run, pairs: [outside] }, 'hub', {
    output: join(folder, 'inside/of'),
    publisher: { organization: '', relationship: 'other' },
    benchmarks: new Map([['../../../sums', { id: 'acme/sums', task: 'default' }]]),
    environment: {},
    note: () => {},
  })
  expect(written).toEqual({ to: '_/_/tiny/.eval_results/__.._.._sums.yaml' })
  expect(existsSync(join(folder, 'inside/of', written!.to))).toBe(true)
})

test('a model that is named by a path on this machine is published without its folders', async () => {
  const home = folderWith({
    'rows.jsonl': lines(),
    'models/tiny/.keep': '',
    'other/tiny/.keep': '',
  })
  const named = ['models/tiny', join(home, 'other/tiny')].map((abbr) => ({ ...config.models[0]!, abbr, path: abbr }))
  writeFileSync(join(home, 'local.json'), JSON.stringify({ ...config, models: named }))
  const { code, stderr } = await rolecall(['run', 'local.json', '--no-cache'], home)
  expect(code, stderr).toBe(0)
  const run = await openPublishedRun(runAt(join(home, 'outputs')), () => {})
  expect(run.pairs.map(({ result, model }) => [result.model, model.id])).toEqual([
    ['tiny', undefined],
    ['tiny-2', undefined],
  ])
  const published = await rolecall(
    [
      'publish',
      'outputs',
      '--export-format',
      'every-eval-ever,opencompass,hub',
      '--organization',
      'A',
      '--benchmark',
      'sums=a/s:t',
      '-o',
      'all',
    ],
    home,
  )
  expect(published.code, published.stderr).toBe(0)
  const files = readdirSync(join(home, 'all'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const written = files.map((entry) => `${entry.name}${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`).join('')
  expect(files.length).toBeGreaterThan(5)
  expect(written).not.toMatch(/models\/|other\/|\/tmp/)
})

describe('mlflow', () => {
  type Request = { path: string; key: string | undefined; body: Record<string, unknown> }

  /** A tracking server with this experiment. */
  async function trackingServer(experiment: string | undefined, status = 200, refused = '') {
    const received: Request[] = []
    const replies: Readonly<Record<string, unknown>> = {
      'experiments/create': { experiment_id: '7' },
      'runs/create': { run: { info: { run_id: 'r1' } } },
      'runs/log-batch': {},
      'runs/update': {},
    }
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const path = request.url!.replace('/ml/api/2.0/mlflow/', '')
      received.push({ path, key: request.headers.authorization, body: text === '' ? {} : JSON.parse(text) })
      if (status !== 200 && path.includes(refused)) response.writeHead(status).end('{"message":"token=hunter2 is wrong"}')
      else if (!path.startsWith('experiments/get-by-name')) response.end(JSON.stringify(replies[path] ?? 'unknown'))
      else if (experiment === undefined) response.writeHead(404).end('{"error_code":"RESOURCE_DOES_NOT_EXIST"}')
      else response.end(JSON.stringify({ experiment: { experiment_id: experiment } }))
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    return { received, server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ml/` }
  }

  const send = (env: Record<string, string>) => publish(['--export-format', 'mlflow'], env)

  test('creates the experiment and a finished run with settings and scores, without rows', async () => {
    const { received, server, address } = await trackingServer(undefined)
    const { code, stderr, stdout } = await send({ MLFLOW_TRACKING_URI: address, MLFLOW_TRACKING_TOKEN: 'hunter2' })
    server.close()
    expect(code, stderr).toBe(0)
    expect(stdout.trim()).toBe(`${address}#/experiments/7`)
    expect(received.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      'experiments/get-by-name',
      'experiments/create',
      'runs/create',
      'runs/log-batch',
      'runs/update',
    ])
    expect(received.every(({ key }) => key === 'Bearer hunter2')).toBe(true)
    expect(received[2]!.body).toMatchObject({ experiment_id: '7', run_name: 'tiny on sums' })
    const { params, metrics } = received[3]!.body as { params: object[]; metrics: { key: string; value: number }[] }
    expect(params).toContainEqual({ key: 'max_tokens', value: '6' })
    expect(params).toContainEqual({ key: 'model_id', value: 'acme/tiny-chat' })
    expect(Object.fromEntries(metrics.map(({ key, value }) => [key, value]))).toMatchObject({ accuracy: 50, rows: 3 })
    expect(received[4]!.body).toMatchObject({ run_id: 'r1', status: 'FINISHED' })
    expect(JSON.stringify(received)).not.toMatch(/12\+30|\/tmp/)
  })

  test('an existing experiment is used; an id is used without a search', async () => {
    const named = await trackingServer('3')
    expect((await send({ MLFLOW_TRACKING_URI: named.address, MLFLOW_EXPERIMENT_NAME: 'evals' })).stdout).toContain('/experiments/3')
    named.server.close()
    expect(named.received[0]!.path).toBe('experiments/get-by-name?experiment_name=evals')
    expect(named.received).toHaveLength(4)
    const numbered = await trackingServer(undefined)
    expect((await send({ MLFLOW_TRACKING_URI: numbered.address, MLFLOW_EXPERIMENT_ID: '12' })).stdout).toContain('/experiments/12')
    numbered.server.close()
    expect(numbered.received[0]!.path).toBe('runs/create')
  })

  test('a run that the server does not take whole is marked as failed there', async () => {
    const { received, server, address } = await trackingServer('3', 500, 'log-batch')
    const { code, stderr } = await send({ MLFLOW_TRACKING_URI: address })
    server.close()
    expect([code, stderr]).toEqual([2, expect.stringContaining('HTTP 500')])
    expect(received.at(-1)).toMatchObject({ path: 'runs/update', body: { run_id: 'r1', status: 'FAILED' } })
  })

  test('errors show no keys: a server that refuses, one that is not MLflow, and one that does not answer', async () => {
    const refusing = await trackingServer('3', 401)
    const withKey = refusing.address.replace('://', '://me:hunter2@')
    const { code, stderr } = await send({ MLFLOW_TRACKING_URI: withKey })
    refusing.server.close()
    expect([code, refusing.received[0]!.key]).toEqual([2, `Basic ${Buffer.from('me:hunter2').toString('base64')}`])
    expect(stderr).toContain('HTTP 401')
    expect(stderr).not.toContain('hunter2')
    const other = createServer((_, response) => response.end('[]')).listen(0, '127.0.0.1')
    await new Promise((listening) => other.once('listening', listening))
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect((await send({ MLFLOW_TRACKING_URI: address })).stderr).toContain('not a tracking server of MLflow')
    await new Promise((closed) => other.close(closed))
    expect(await send({ MLFLOW_TRACKING_URI: address })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did not accept the run'),
    })
  })
})

describe('opentelemetry', () => {
  test('sends an event per row, without prompts and replies', async () => {
    const received: { url: string | undefined; key: string | undefined; body: string }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      received.push({ url: request.url, key: request.headers['x-key'] as string | undefined, body })
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { code, stderr, stdout } = await publish(['--export-format', 'opentelemetry'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: address,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
    })
    server.close()
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('3 rows')
    expect(received).toMatchObject([{ url: '/v1/logs', key: 'a b' }])
    const events = JSON.parse(received[0]!.body).resourceLogs[0].scopeLogs[0].logRecords
    expect(events).toHaveLength(3)
    expect(events[0].eventName).toBe('gen_ai.evaluation.result')
    expect(events[0].attributes).toContainEqual({ key: 'gen_ai.evaluation.score.value', value: { doubleValue: 1 } })
    expect(received[0]!.body).not.toContain('12+30')
  })

  test('credentials in the address become a header, and are never shown', async () => {
    const received: (string | undefined)[] = []
    const server = createServer((request, response) => {
      received.push(request.headers.authorization)
      response.statusCode = 503
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const address = `http://me:s%3Cecret@127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, stderr } = await publish(['--export-format', 'opentelemetry'], { OTEL_EXPORTER_OTLP_ENDPOINT: address })
    server.close()
    expect(code).toBe(2)
    expect(stderr).toContain('HTTP 503')
    expect(stderr).not.toMatch(/ecret/)
    expect(received).toEqual([`Basic ${Buffer.from('me:s<ecret').toString('base64')}`])
    const bad = await publish(['--export-format', 'opentelemetry'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: address,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=100%secret',
    })
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('a value in it is not percent-encoded') })
    expect(bad.stderr).not.toContain('secret')
  })

  test('no collector, or one that does not answer, is an error', async () => {
    expect((await publish(['--export-format', 'opentelemetry'])).stderr).toContain('OTEL_EXPORTER_OTLP_ENDPOINT')
    const { code, stderr } = await publish(['--export-format', 'opentelemetry'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
    expect(code).toBe(2)
    expect(stderr).toContain('did not take the events')
  })
})

test('unknown formats and folders without a run are errors', async () => {
  expect((await publish(['--export-format', 'wandb'])).stderr).toContain('"wandb" is not a format')
  expect((await rolecall(['publish', 'nowhere', '--export-format', 'hub'], folder)).code).toBe(2)
})
