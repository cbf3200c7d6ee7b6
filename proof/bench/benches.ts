import { measureAgentLatency } from './agent-latency.ts'
import { measureChats } from './chat.ts'
import { measureEmbedded } from './embedded.ts'
import { measureExport } from './export.ts'
import { measureHttp } from './http.ts'
import { measureImport } from './import/import-configs.ts'
import { jinjaCases } from './jinja/cases.ts'
import { measureJinja } from './jinja/jinja.ts'
import { measureTasks } from './lm-eval.ts'
import { measureMlcChats } from './mlc-chats.ts'
import { measureLongArgument, measureParsing, measureValues } from './parse.ts'
import { measureQueue } from './queue/queue.ts'
import { showQueue } from './queue/show-queue.ts'
import { type Measurement, measureRendering } from './rendering.ts'
import { renderingCases } from './rendering-cases.ts'
import { measureResponses } from './response.ts'
import { measureRetrieval } from './retrieve.ts'
import { measureRunsOverHttp, showRuns } from './run-http.ts'
import { measureRunOfImages } from './run-images.ts'
import { measureProcessorTime, showProcessorTime } from './run-processor.ts'
import { measureServing } from './serve.ts'
import { measureTokenizing } from './tokenizing.ts'
import { measureTraining } from './training.ts'
import { measureOverlap } from './two-models.ts'

/** A metric with its name, for JSON and for the terminal. */
export type Figure = { name: string; measured: object; line: string }

/** A benchmark is a file and an entry here. `npm run bench -- NAME` matches `names`. */
export type Bench = {
  names: readonly string[]
  /** It is left out without the published vocabularies. */
  needsVocabularies?: true
  figures(): Iterable<Figure> | AsyncIterable<Figure>
}

export const benches: readonly Bench[] = [
  ...renderingCases.map((one): Bench => ({ names: [one.name], figures: () => rendered(measureRendering(one)) })),
  { names: ['chat-10turns', 'chat-tools'], figures: () => rendered(measureChats()) },
  { names: ['lm-eval-mmlu-5shot'], figures: () => rendered(measureTasks()) },
  { names: ['mlc-10turns'], figures: () => rendered(measureMlcChats()) },
  {
    names: ['tokenize'],
    needsVocabularies: true,
    *figures() {
      for (const [name, measured] of measureTokenizing())
        yield figure(name, measured, `${perSecond(measured.perSecond)}   whole string ×${measured.wholeStringRatio.toFixed(2)}`)
    },
  },
  {
    names: ['training', 'masks', 'next-turn'],
    needsVocabularies: true,
    *figures() {
      const { masks, nextTurns } = measureTraining()
      for (const [name, measured] of masks)
        yield figure(name, measured, `${perSecond(measured.perSecond)}   ids alone ×${measured.tokenizingRatio.toFixed(2)}`)
      for (const [name, measured] of nextTurns)
        yield figure(name, measured, `${perSecond(measured.perSecond)}   second turn ×${measured.secondTurnRatio.toFixed(2)}`)
    },
  },
  {
    names: ['export'],
    needsVocabularies: true,
    *figures() {
      const measured = measureExport()
      const { conversations, peakMegabytes } = measured
      const beside = `${number(conversations)} conversations of 10 turns, memory up to ${peakMegabytes} MB`
      yield figure('export-10turns-llama3', measured, `${perSecond(measured.perSecond)}   ${beside}`)
    },
  },
  {
    names: ['parse'],
    *figures() {
      for (const [name, measured] of measureParsing()) {
        const beside = measured.jsonRatio === undefined ? '' : `   JSON.parse alone ×${measured.jsonRatio.toFixed(2)}`
        yield figure(
          name,
          measured,
          `${right(`${measured.megabytesPerSecond} MB/s`)}   1 MB over 10 KB ×${measured.longOverShort.toFixed(2)}${beside}`,
        )
      }
      const values = measureValues()
      yield figure(
        'parse-values-whole',
        values,
        `${right(`${values.megabytesPerSecond} MB/s`)}   JSON.parse alone ×${values.jsonRatio.toFixed(2)}`,
      )
      const long = measureLongArgument()
      yield figure('parse-long-argument-chunk-4', long, `${right(`${long.milliseconds} ms`)}   50 KB`)
    },
  },
  {
    names: ['response'],
    *figures() {
      for (const [name, measured] of measureResponses())
        yield figure(
          name,
          measured,
          `${right(`${measured.megabytesPerSecond} MB/s`)}   1 MB over 10 KB ×${measured.longOverShort.toFixed(2)}`,
        )
    },
  },
  {
    names: ['embedded'],
    async *figures() {
      for (const [name, measured] of await measureEmbedded())
        yield figure(name, measured, right(`${measured.tokensPerSecond.toLocaleString('en')} tokens/s`))
    },
  },
  ...jinjaCases.map(
    (one): Bench => ({
      names: [one.name],
      *figures() {
        for (const [name, measured] of measureJinja(one)) {
          const { ratios } = measured
          const python = ratios.python === undefined ? 'Python’s jinja2 is not installed' : `Python ×${ratios.python}`
          yield figure(name, measured, `${perSecond(measured.perSecond)}   @huggingface/jinja ×${ratios.huggingfaceJinja}   ${python}`)
        }
      },
    }),
  ),
  {
    names: ['retrieve-bm25'],
    *figures() {
      const measured = measureRetrieval()
      const { rows, queries, indexSeconds, querySeconds } = measured
      const beside = `${number(rows)} rows × ${number(queries)} questions: index ${indexSeconds.toFixed(1)} s, questions ${querySeconds.toFixed(1)} s`
      yield figure('retrieve-bm25', measured, `${right(`${(indexSeconds + querySeconds).toFixed(1)} s`)}   ${beside}`)
    },
  },
  {
    names: ['http'],
    async *figures() {
      for (const [name, measured] of await measureHttp()) {
        const { requestsPerSecond, bareRatio, millisecondsOfProcessor } = measured
        const beside = `bare loop ×${bareRatio.toFixed(2)}   ${millisecondsOfProcessor} ms of processor for a request`
        yield figure(name, measured, `${perSecond(requestsPerSecond)}   ${beside}`)
      }
    },
  },
  {
    names: ['serve'],
    async *figures() {
      const measured = await measureServing()
      const { requests, lost, milliseconds, grownMegabytes } = measured
      const beside = `${requests} requests, 50 in flight, ${lost} lost; median ${milliseconds.median} ms, slowest ${milliseconds.slowest} ms; memory ${grownMegabytes} MB more at the end`
      yield figure('serve', measured, `${perSecond(measured.perSecond)}   ${beside}`)
    },
  },
  {
    names: ['agent-latency'],
    async *figures() {
      for (const measured of await measureAgentLatency()) {
        const { kilobytes, milliseconds, strictRatio, firstMilliseconds } = measured
        const beside = `without rewriting ×${strictRatio.toFixed(2)}; the first after the start ${firstMilliseconds.toFixed(1)} ms`
        yield figure(`agent-latency ${kilobytes} kB`, measured, `${right(`${milliseconds.toFixed(1)} ms`)}   ${beside}`)
      }
    },
  },
  {
    names: ['import-configs'],
    *figures() {
      const measured = measureImport()
      const { files, seconds, filesPerSecond, entries, peakMegabytes } = measured
      const beside = `${number(files)} files with ${number(entries)} datasets and models in ${seconds.toFixed(1)} s, heap up to ${peakMegabytes} MB`
      yield figure('import-configs', measured, `${right(`${number(filesPerSecond)} files/s`)}   ${beside}`)
    },
  },
  {
    names: ['run-http'],
    async *figures() {
      const measured = await measureRunsOverHttp()
      yield { name: 'run-http', measured, line: showRuns(measured) }
    },
  },
  {
    names: ['run-processor'],
    async *figures() {
      const measured = await measureProcessorTime()
      yield { name: 'run-processor', measured, line: showProcessorTime(measured) }
    },
  },
  {
    names: ['two-models'],
    async *figures() {
      const measured = await measureOverlap()
      const { rows, quick, slow, both, ofSlower, ofSum } = measured
      const beside = `of the slower one's time, ×${ofSum.toFixed(2)} of the sum: ${number(rows)} rows in ${both.toFixed(1)} s; alone ${quick.toFixed(1)} s and ${slow.toFixed(1)} s`
      yield figure('two-models', measured, `${`×${ofSlower.toFixed(2)}`.padStart(12)}   ${beside}`)
    },
  },
  {
    names: ['run-images'],
    async *figures() {
      const measured = await measureRunOfImages()
      const { rows, seconds, peakMegabytes } = measured
      const beside = `${number(rows)} rows with images of 1 MB in ${seconds.toFixed(1)} s, memory up to ${peakMegabytes} MB`
      yield figure('run-images', measured, `${perSecond(measured.perSecond)}   ${beside}`)
    },
  },
  {
    names: ['queue'],
    async *figures() {
      const measured = await measureQueue()
      yield { name: 'queue', measured: measured ?? {}, line: showQueue(measured) }
    },
  },
]

function* rendered(measurements: Iterable<readonly [string, Measurement]>): Generator<Figure> {
  for (const [name, measured] of measurements) {
    const { floorRatio, joinedRatio, characters, reference } = measured
    const joined = joinedRatio === undefined ? '' : `   joined ×${joinedRatio.toFixed(2)}`
    const beside = reference === undefined ? '' : `   reference ${number(reference)}/s`
    const rest = `floor ×${floorRatio.toFixed(2).padStart(5)}   ${String(characters).padStart(5)} characters${joined}${beside}`
    yield figure(name, measured, `${perSecond(measured.perSecond)}   ${rest}`)
  }
}

function figure(name: string, measured: object, shown: string): Figure {
  return { name, measured, line: `${name.padEnd(40)}${shown}` }
}

function perSecond(value: number): string {
  return right(`${number(value)}/s`)
}

function right(text: string): string {
  return text.padStart(16)
}

function number(value: number): string {
  return value.toLocaleString('en')
}
