import { cpus } from 'node:os'
import { measureChats } from './chat.ts'
import { measureParsing, type ParsingMeasurement } from './parse.ts'
import { type Measurement, measureRendering } from './rendering.ts'
import { renderingCases } from './rendering-cases.ts'
import { measureRetrieval, type RetrievalMeasurement } from './retrieve.ts'
import { measureTokenizing, type TokenizingMeasurement } from './tokenizing.ts'

/** `npm run bench [-- --json] [-- NAME…]`: every figure of one run; compare ratios first, since machines differ. */
const args = process.argv.slice(2)
const asJson = args.includes('--json')
const names = args.filter((arg) => !arg.startsWith('--'))
const cases: Record<string, Measurement | TokenizingMeasurement | ParsingMeasurement | RetrievalMeasurement> = {}

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
    const { megabytesPerSecond, longOverShort } = measurement
    if (!asJson)
      process.stdout.write(
        `${name.padEnd(34)}${`${megabytesPerSecond} MB/s`.padStart(12)}   1 MB over 10 KB ×${longOverShort.toFixed(2)}\n`,
      )
  }
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

if (asJson) process.stdout.write(`${JSON.stringify({ cases })}\n`)
else {
  const [cpu] = cpus()
  process.stdout.write(`\nNode ${process.version}, ${cpu?.model ?? 'unknown processor'}; one thread. "floor": writing the same finished strings into the same buffer.
"reference": OpenCompass in CPython 3.11 on another machine (it cannot run here), so only the order of magnitude compares.\n`)
}

function row(name: string, { perSecond, floorRatio, characters, reference }: Measurement): string {
  const rate = `${perSecond.toLocaleString('en')}/s`.padStart(12)
  const beside = reference === undefined ? '' : `   reference ${reference.toLocaleString('en')}/s`
  return `${name.padEnd(30)}${rate}   floor ×${floorRatio.toFixed(2).padStart(5)}   ${String(characters).padStart(5)} characters${beside}`
}
