import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { stringify } from 'yaml'
import { evaluationEvent, logsRequest } from '../../compat/publish/evaluation-events.ts'
import {
  everyEvalEverAggregate,
  everyEvalEverPath,
  everyEvalEverSample,
  type PublishedFiles,
  type Publisher,
  pathPart,
} from '../../compat/publish/every-eval-ever-files.ts'
import { type HubBenchmark, hubEvalResults } from '../../compat/publish/hub-eval-results.ts'
import { mlflowRun } from '../../compat/publish/mlflow-run.ts'
import type { PublishedPair, PublishedRun } from '../../compat/publish/published-run.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { collectorOf } from './collector.ts'
import { mlflowServer, sendToMlflow } from './mlflow.ts'
import { timeOf, writeWorkDir } from './write-work-dir.ts'

export const publishFormats = ['every-eval-ever', 'hub', 'opencompass', 'opentelemetry', 'mlflow'] as const

export type PublishFormat = (typeof publishFormats)[number]

export type PublishOptions = {
  /** The folder to write into. */
  output: string
  publisher: Publisher
  /** The hub's names of datasets, for `hub`. */
  benchmarks: ReadonlyMap<string, HubBenchmark>
  /** `OTEL_EXPORTER_OTLP_…`, for `opentelemetry`; `MLFLOW_…`, for `mlflow`. */
  environment: Readonly<Record<string, string | undefined>>
  note: (text: string) => void
}

/** What was written: a file, relative to the output folder, or the address of a collector, and the number of rows in it. */
export type Published = { to: string; rows?: number }

/** Whether a format is sent to a server, instead of written to files. */
export function isSent(format: PublishFormat): boolean {
  return format === 'opentelemetry' || format === 'mlflow'
}

/** Refuses what some of the formats cannot be written without, before any of them is. */
export function checkPublish(
  formats: readonly PublishFormat[],
  datasets: readonly string[],
  { publisher, benchmarks, environment }: Pick<PublishOptions, 'publisher' | 'benchmarks' | 'environment'>,
): void {
  if (formats.includes('every-eval-ever') && publisher.organization === '')
    throw new PromptError('missing', {
      where: '--organization',
      problem: 'Every Eval Ever requires the name of the organization that publishes the results',
      fix: 'add e.g. --organization "Acme Lab"',
    })
  if (formats.includes('hub') && benchmarks.size === 0)
    throw new PromptError('missing', {
      where: '--benchmark',
      problem: 'the hub identifies results by the benchmark, and no dataset has one',
      fix: `add --benchmark ${datasets[0] ?? 'DATASET'}=ORG/NAME:TASK${datasets.length > 1 ? `; the run has ${datasets.join(', ')}` : ''}`,
    })
  if (!formats.includes('hub') && benchmarks.size > 0)
    throw new PromptError('conflict', {
      where: '--benchmark',
      problem: 'only the format hub has benchmarks',
      fix: 'add hub to --export-format',
    })
  const unknown = [...benchmarks.keys()].filter((name) => !datasets.includes(name))
  if (unknown.length > 0)
    throw new PromptError('unknown-dataset', {
      where: '--benchmark',
      problem: `the run has no dataset ${unknown.join(', ')}`,
      fix: `choose one of ${datasets.join(', ')}`,
    })
  if (formats.includes('opentelemetry')) collectorOf('logs', environment)
  if (formats.includes('mlflow')) mlflowServer(environment)
}

/** Writes a run in one of the formats of other tools. */
export async function publishRun(run: PublishedRun, format: PublishFormat, options: PublishOptions): Promise<Published[]> {
  switch (format) {
    case 'every-eval-ever': {
      const published: Published[] = []
      for (const pair of run.pairs) published.push(...(await writeEveryEvalEver(pair, run, options)))
      return published
    }
    case 'hub':
      return run.pairs.flatMap((pair) => writeHubResults(pair, run, options))
    case 'opencompass':
      return writeWorkDir(run, options.output, timeOf(run.started))
    case 'opentelemetry':
      return [await sendEvents(run, options)]
    case 'mlflow': {
      const runs = run.pairs.map((pair) => mlflowRun(pair, run))
      return [{ to: await sendToMlflow(mlflowServer(options.environment), runs, run.name) }]
    }
    default:
      return format satisfies never
  }
}

async function writeEveryEvalEver(
  pair: PublishedPair,
  run: PublishedRun,
  { output, publisher, note }: PublishOptions,
): Promise<Published[]> {
  const files: PublishedFiles = {
    uuid: randomUUID(),
    retrieved: String(Date.now() / 1000),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  }
  const path = everyEvalEverPath(pair, publisher, files)
  const samples = `${path}_samples.jsonl`
  mkdirSync(dirname(join(output, samples)), { recursive: true })
  const stream = createWriteStream(join(output, samples))
  const checksum = createHash('sha256')
  let [rows, withoutScore] = [0, 0]
  for await (const row of pair.rows()) {
    const sample = everyEvalEverSample(pair, row, publisher, files)
    if (sample === undefined) {
      withoutScore++
      continue
    }
    const line = `${JSON.stringify(sample)}\n`
    checksum.update(line)
    if (!stream.write(line)) await once(stream, 'drain')
    rows++
  }
  stream.end()
  await once(stream, 'finish')
  if (withoutScore > 0) note(`${modelText(pair.result)} · ${pair.result.dataset}: ${withoutScore} rows without a score are left out`)
  const aggregate = everyEvalEverAggregate(pair, run, publisher, files, { checksum: checksum.digest('hex'), rows, withoutScore })
  return [write(output, `${path}.json`, `${JSON.stringify(aggregate, null, 2)}\n`), { to: samples, rows }]
}

function writeHubResults(pair: PublishedPair, run: PublishedRun, { output, benchmarks, note }: PublishOptions): Published[] {
  const { dataset } = pair.result
  const benchmark = benchmarks.get(dataset)
  if (benchmark === undefined) {
    note(`${dataset} is left out: name its benchmark on the hub, --benchmark ${dataset}=ORG/NAME:TASK`)
    return []
  }
  const results = hubEvalResults(pair, run, benchmark)
  const folders = modelText(pair.result).split('/').map(pathPart)
  const name = [...folders, '.eval_results', `${pathPart(dataset)}.yaml`].join('/')
  return results === undefined
    ? []
    : [write(output, name, stringify(results, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }))]
}

function write(folder: string, name: string, text: string): Published {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return { to: name }
}

/** Events in one request to a collector. */
const batch = 500

async function sendEvents(run: PublishedRun, { environment }: PublishOptions): Promise<Published> {
  const { address, headers } = collectorOf('logs', environment)
  let events: ReturnType<typeof evaluationEvent>[] = []
  let rows = 0
  const send = async () => {
    if (events.length === 0) return
    const reply: Response | (Error & { cause?: Error }) = await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify(logsRequest(events, run)),
    }).catch((error) => error)
    if (!('status' in reply) || !reply.ok) {
      throw new PromptError('not-sent', {
        where: address.origin + address.pathname,
        problem: `the collector did not take the events: ${'status' in reply ? `HTTP ${reply.status}` : (reply.cause?.message ?? reply.message)}; ${rows} rows were sent before`,
        fix: 'check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS; OTLP over HTTP with JSON is required (port 4318 by default)',
      })
    }
    await reply.body?.cancel()
    rows += events.length
    events = []
  }
  for (const pair of run.pairs) {
    for await (const row of pair.rows()) {
      events.push(evaluationEvent(pair, row, run))
      if (events.length === batch) await send()
    }
  }
  await send()
  return { to: address.origin + address.pathname, rows }
}
