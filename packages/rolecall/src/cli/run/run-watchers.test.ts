import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { sumsFolder } from '../../../../../proof/testing/queued-run.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { WorkerMetrics } from '../queue/worker-metrics.ts'
import { openWatchers } from './run-watchers.ts'
import { SpanSender } from './span-sender.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) await server.close()
})

/** A server that refuses the first row, cuts the second, and reads the metrics with the last one. */
async function answering(onLast: () => Promise<void> = async () => {}): Promise<ScriptedServer> {
  const server = await scriptedServer(({ body, path }) => {
    if (path.endsWith('/models')) return { json: { data: [{ id: 'adder' }] } }
    const id = Number(/(\d+)\+1/.exec(body)![1])
    if (id === 0) return { status: 400, json: { error: { message: 'the secret question is refused' } } }
    const usage = { prompt_tokens: 5, completion_tokens: 1 }
    const json = { choices: [{ message: { content: `${id + 1}` }, finish_reason: id === 1 ? 'length' : 'stop' }], usage }
    return id === 3 ? (response) => void onLast().then(() => response.end(JSON.stringify(json))) : { json }
  })
  servers.push(server)
  return server
}

const price = { price: { input: 100_000, output: 500_000 }, concurrency: 1 }

test('--metrics serves rows, tokens, cost and waits of a run while it goes on', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const watchers = await openWatchers({ metrics: '0' })
  const url = /http:\S+/.exec(String(write.mock.calls[0]![0]))![0]
  write.mockRestore()
  let metrics = ''
  const server = await answering(async () => {
    metrics = await (await fetch(url)).text()
  })
  const folder = sumsFolder(server.url, 4, price)
  const loaded = await loadConfig(join(folder, 'eval.json'))
  await runEvaluation(loaded, { workDir: join(folder, 'runs'), cache: false, onEvent: (event) => watchers.show(event) })
  const labels = 'model="adder",dataset="sums"'
  for (const line of [
    `rolecall_run_rows_total{${labels},from="model"} 3`,
    `rolecall_run_failed_rows_total{${labels}} 1`,
    `rolecall_run_cut_rows_total{${labels}} 1`,
    `rolecall_run_prompt_tokens_total{${labels}} 10`,
    `rolecall_run_cost_total{${labels},currency="USD"} 2`,
    `rolecall_run_rows{${labels}} 4`,
    'rolecall_run_row_seconds_count{model="adder"} 3',
    'rolecall_run_limit_reached 0',
  ])
    expect(metrics.split('\n')).toContain(line)
  expect((await fetch(url.replace('/metrics', '/other'))).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
  await watchers.close()
  await expect(fetch(url)).rejects.toThrow()
})

test.each([
  ['x', 'is neither a port nor HOST:PORT'],
  ['70000', 'is neither a port nor HOST:PORT'],
  ['127.0.0.1:', 'is neither a port nor HOST:PORT'],
  ['192.0.2.1:9464', 'metrics cannot be served at 192.0.2.1:9464'],
])('--metrics %s is refused before anything is sent', async (address, problem) => {
  const server = await answering()
  const folder = sumsFolder(server.url, 1)
  expect(await rolecall(['run', 'eval.json', '--metrics', address], folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(problem),
  })
  expect(server.seen).toEqual([])
})

type Span = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status?: object
}

test.each([
  [['--otel'], false],
  [['--otel', 'content'], true],
])('%s sends a span for each row and one for the run, with text only if asked', async (flags, hasText) => {
  const collector = await scriptedServer(() => ({ json: {} }))
  servers.push(collector)
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url.replace('/v1', ''))
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%20b')
  const server = await answering()
  await rolecall(['run', 'eval.json', '--no-cache', '--prompts', ...flags], sumsFolder(server.url, 4, price))
  expect(collector.seen.map(({ path, headers }) => [path, headers['x-key']])).toEqual([['/v1/traces', 'a b']])
  const { body } = collector.seen[0]!
  const spans = JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as Span[]
  const root = spans.at(-1)!
  expect(spans.map(({ name, kind }) => [name.replace(/run .*/, 'run'), kind])).toEqual([
    ...Array(4).fill(['chat adder', 3]),
    ['rolecall run', 1],
  ])
  expect(spans.slice(0, 4).every(({ traceId, parentSpanId }) => traceId === root.traceId && parentSpanId === root.spanId)).toBe(true)
  const of = (index: number) => Object.fromEntries(spans[index]!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
  expect(of(1)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'adder',
    'gen_ai.usage.input_tokens': '5',
    'gen_ai.response.finish_reasons': { values: [{ stringValue: 'length' }] },
    'server.address': '127.0.0.1',
    'rolecall.dataset': 'sums',
  })
  expect(spans[0]!.status).toMatchObject({ code: 2 })
  expect([body.includes('gen_ai.output.messages'), body.includes('2+1=?'), body.includes('secret')]).toEqual([hasText, hasText, hasText])
})

test('a collector that is missing is an error at the start; one that fails is a note at the end', async () => {
  const server = await answering()
  const folder = sumsFolder(server.url, 4, price)
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', undefined)
  expect(await rolecall(['run', 'eval.json', '--otel'], folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no collector is named'),
  })
  expect(server.seen).toEqual([])
  expect(await rolecall(['run', 'eval.json', '--otel', 'everything'], folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Allowed choices are content'),
  })
  const collector = await scriptedServer(() => ({ status: 500, text: 'no' }))
  servers.push(collector)
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url.replace('/v1', ''))
  const { code, stderr } = await rolecall(['run', 'eval.json', '--otel', '--no-cache'], folder)
  expect([code, stderr]).toEqual([4, expect.stringMatching(/5 spans were not sent to .*\/v1\/traces: the collector answered 500/)])
})

test('a collector that fails gets one request at the end of a run, and the note says why and counts all spans', async () => {
  const collector = await scriptedServer(() => ({ status: 503, text: 'no' }))
  const { port } = new URL(collector.url)
  const filled = (endpoint: string) => {
    const sender = new SpanSender(false, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    for (let span = 0; span < 450; span++) sender.finish(undefined)
    return sender
  }
  expect(await filled(`http://127.0.0.1:${port}`).close()).toMatch(/^450 spans were not sent to .*: the collector answered 503$/)
  expect(collector.seen).toHaveLength(2)
  await collector.close()
  expect(await filled(`http://localhost:${port}`).close()).toMatch(/^450 spans were not sent to .*\/v1\/traces: \S/)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'it is not an address with http:// or https://'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h', OTEL_EXPORTER_OTLP_HEADERS: 'x=hunter%0A2' }, 'cannot be sent as a header'],
])('a collector that cannot be reached is refused at the start: %j', (environment, problem) => {
  expect(() => new SpanSender(false, environment)).toThrow(problem)
  expect(() => new SpanSender(false, environment)).not.toThrow('hunter')
})

test('a worker counts rows by queue, waits and refusals', () => {
  const metrics = new WorkerMetrics()
  const status = (done: number) => ({
    ...{ id: 'w', host: 'h', pid: 1, version: '0', started: '' },
    queues: { 'run.0': { slots: 4, underWay: 2, done, failed: 1, rate: 3 } },
  })
  metrics.show({ kind: 'status', status: status(5) })
  metrics.show({ kind: 'status', status: status(8) })
  // The run is started again with another set-up.
  metrics.show({ kind: 'status', status: status(2) })
  // Rows that were answered after the last status, and a run that is over before the first.
  metrics.show({ kind: 'end', run: 'run', queue: 'run.0', status: status(4).queues['run.0'] })
  metrics.show({ kind: 'end', run: 'short', queue: 'short.0', status: status(3).queues['run.0'] })
  metrics.show({ kind: 'wait', wait: { reason: 'rate limit', milliseconds: 5, for: 'rate-limit' } })
  const lines = metrics.format().split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'rolecall_worker_rows_total{queue="run.0"} 12',
      'rolecall_worker_rows_total{queue="short.0"} 3',
      'rolecall_worker_failed_rows_total{queue="run.0"} 2',
      'rolecall_worker_waits_total{for="rate-limit"} 1',
    ]),
  )
})
