import { cpus } from 'node:os'
import { measureChats } from './chat.ts'
import { measureEmbedded } from './embedded.ts'
import { measureHttp } from './http.ts'
import { measureImport } from './import/import-configs.ts'
import { measureJinja } from './jinja/jinja.ts'
import { measureMlcChats } from './mlc-chats.ts'
import { measureLongArgument, measureParsing } from './parse.ts'
import { type Measurement, measureRendering } from './rendering.ts'
import { renderingCases } from './rendering-cases.ts'
import { measureRetrieval } from './retrieve.ts'
import { measureRunsOverHttp, showRuns } from './run-http.ts'
import { measureServing } from './serve.ts'
import { measureTokenizing } from './tokenizing.ts'

/** `npm run bench [-- --json] [-- NAME…]`: every figure of one run; compare ratios first, since machines differ. */
const args = process.argv.slice(2)
const asJson = args.includes('--json')
const names = args.filter((arg) => !arg.startsWith('--'))
const cases: Record<string, object> = {}

for (const one of renderingCases.filter(({ name }) => names.length === 0 || names.some((wanted) => name.includes(wanted)))) {
  for (const [name, measurement] of measureRendering(one)) {
    cases[name] = measurement
    if (!asJson) process.stdout.write(`${row(name, measurement)}\n`)
  }
}

if (names.length === 0 || names.some((name) => 'chat-10turns chat-tools'.includes(name))) {
  for (const [name, measurement] of measureChats()) {
    cases[name] = measurement
    if (!asJson) process.stdout.write(`${row(name, measurement)}\n`)
  }
}

if (names.length === 0 || names.some((name) => 'mlc-10turns'.includes(name))) {
  for (const [name, measurement] of measureMlcChats()) {
    cases[name] = measurement
    if (!asJson) process.stdout.write(`${row(name, measurement)}\n`)
  }
}

if (names.length === 0 || names.some((name) => 'tokenize'.includes(name))) {
  for (const [name, measurement] of measureTokenizing()) {
    cases[name] = measurement
    const { perSecond, wholeStringRatio } = measurement
    if (!asJson)
      process.stdout.write(
        `${name.padEnd(30)}${`${perSecond.toLocaleString('en')}/s`.padStart(12)}   whole string ×${wholeStringRatio.toFixed(2)}\n`,
      )
  }
}

if (names.length === 0 || names.some((name) => 'parse'.includes(name))) {
  for (const [name, measurement] of measureParsing()) {
    cases[name] = measurement
    const { megabytesPerSecond, longOverShort, jsonRatio } = measurement
    const beside = jsonRatio === undefined ? '' : `   JSON.parse alone ×${jsonRatio.toFixed(2)}`
    if (!asJson)
      process.stdout.write(
        `${name.padEnd(34)}${`${megabytesPerSecond} MB/s`.padStart(12)}   1 MB over 10 KB ×${longOverShort.toFixed(2)}${beside}\n`,
      )
  }
  const { milliseconds } = measureLongArgument()
  cases['parse-long-argument-chunk-4'] = { milliseconds }
  if (!asJson) process.stdout.write(`${'parse-long-argument-chunk-4'.padEnd(34)}${`${milliseconds} ms`.padStart(12)}   50 KB\n`)
}

if (names.length === 0 || names.some((name) => 'embedded'.includes(name))) {
  for (const [name, measurement] of await measureEmbedded()) {
    cases[name] = measurement
    if (!asJson) process.stdout.write(`${name.padEnd(30)}${`${measurement.tokensPerSecond.toLocaleString('en')} tokens/s`.padStart(19)}\n`)
  }
}

for (const [name, measurement] of measureJinja(names)) {
  cases[name] = measurement
  const { perSecond, ratios } = measurement
  const python = ratios.python === undefined ? 'Python’s jinja2 is not installed' : `Python ×${ratios.python}`
  if (!asJson)
    process.stdout.write(
      `${name.padEnd(40)}${`${perSecond.toLocaleString('en')}/s`.padStart(12)}   @huggingface/jinja ×${ratios.huggingfaceJinja}   ${python}\n`,
    )
}

if (names.length === 0 || names.some((name) => 'retrieve-bm25'.includes(name))) {
  const measurement = measureRetrieval()
  cases['retrieve-bm25'] = measurement
  const { rows, queries, indexSeconds, querySeconds } = measurement
  if (!asJson)
    process.stdout.write(
      `${'retrieve-bm25'.padEnd(34)}${`${(indexSeconds + querySeconds).toFixed(1)} s`.padStart(12)}   ${rows.toLocaleString('en')} rows × ${queries.toLocaleString('en')} questions: index ${indexSeconds.toFixed(1)} s, questions ${querySeconds.toFixed(1)} s\n`,
    )
}

if (names.length === 0 || names.some((name) => 'http'.includes(name))) {
  for (const [name, measurement] of await measureHttp()) {
    cases[name] = measurement
    const { requestsPerSecond, bareRatio, millisecondsOfProcessor } = measurement
    if (!asJson)
      process.stdout.write(
        `${name.padEnd(30)}${`${requestsPerSecond.toLocaleString('en')}/s`.padStart(12)}   bare loop ×${bareRatio.toFixed(2)}   ${millisecondsOfProcessor} ms of processor for a request\n`,
      )
  }
}

if (names.length === 0 || names.some((name) => 'serve'.includes(name))) {
  const measurement = await measureServing()
  cases.serve = measurement
  const { requests, lost, perSecond, milliseconds, grownMegabytes } = measurement
  if (!asJson)
    process.stdout.write(
      `${'serve'.padEnd(30)}${`${perSecond}/s`.padStart(12)}   ${requests} requests, 50 in flight, ${lost} lost; median ${milliseconds.median} ms, slowest ${milliseconds.slowest} ms; memory ${grownMegabytes} MB more at the end\n`,
    )
}

if (names.length === 0 || names.some((name) => 'import-configs'.includes(name))) {
  const measurement = measureImport()
  cases['import-configs'] = measurement
  const { files, seconds, filesPerSecond, entries, peakMegabytes } = measurement
  if (!asJson)
    process.stdout.write(
      `${'import-configs'.padEnd(34)}${`${filesPerSecond.toLocaleString('en')} files/s`.padStart(12)}   ${files.toLocaleString('en')} files with ${entries.toLocaleString('en')} datasets and models in ${seconds.toFixed(1)} s, heap up to ${peakMegabytes} MB\n`,
    )
}

if (names.length === 0 || names.some((name) => 'run-http'.includes(name))) {
  const measured = await measureRunsOverHttp()
  cases['run-http'] = measured
  if (!asJson) process.stdout.write(`${showRuns(measured)}\n`)
}

if (asJson) process.stdout.write(`${JSON.stringify({ cases })}\n`)
else {
  const [cpu] = cpus()
  process.stdout.write(`\nNode ${process.version}, ${cpu?.model ?? 'unknown processor'}; one thread, processor time. "floor": writing the same finished strings into the same buffer; "joined": joining a chat's texts first.
"reference": OpenCompass in CPython 3.11, for mlc-10turns MLC's C++ (vicuna) and WebLLM (chatml), on another machine (they cannot run here), so only the
order of magnitude compares.\n`)
}

function row(name: string, { perSecond, floorRatio, joinedRatio, characters, reference }: Measurement): string {
  const rate = `${perSecond.toLocaleString('en')}/s`.padStart(12)
  const joined = joinedRatio === undefined ? '' : `   joined ×${joinedRatio.toFixed(2)}`
  const beside = reference === undefined ? '' : `   reference ${reference.toLocaleString('en')}/s`
  return `${name.padEnd(30)}${rate}   floor ×${floorRatio.toFixed(2).padStart(5)}   ${String(characters).padStart(5)} characters${joined}${beside}`
}
