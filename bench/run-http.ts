import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Whole evaluations against a local server, beside a bare loop with the same HTTP client: the server, the loop and `rolecall run`
// are processes of their own.

const built = new URL('../', import.meta.url)
const main = fileURLToPath(new URL('bundle/cli/main.js', built))
const atOnce = 16

export type RunMeasurement = {
  rows: number
  /** On the clock, from the start of the process to its end. */
  seconds: number
  perSecond: number
  cpuMillisecondsPerRow: number
  peakMegabytes: number
}

export type HttpMeasurements = {
  bare: RunMeasurement
  run: RunMeasurement
  /** Time and processor time for each row, beyond what is needed to start, over those of the bare loop. */
  overhead: { clock: number; processor: number }
  /** A run of one row: what it takes to start. */
  start: RunMeasurement
  short: RunMeasurement
  cached: RunMeasurement
  /** A server that takes 50 ms for each request: the bare loop and a run, with start-up, and the run's rate once it has started. */
  slowBare: RunMeasurement
  slowServer: RunMeasurement
  slowRate: number
  /** Peak memory of ten times as many rows, less that of these. */
  memoryGrowthMegabytes: number
  /** From the start of the process to the first request, with all rows but one on disk. */
  resumeSeconds: number
}

export type HttpSizes = { short: number; long: number; many: number }

/** 2,000 and 20,000 rows, and 10,000 and 100,000 for memory and resuming. */
export const fullSizes: HttpSizes = { short: 2000, long: 20_000, many: 100_000 }

export async function measureRunsOverHttp({ short, long, many }: HttpSizes = fullSizes): Promise<HttpMeasurements> {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-bench-'))
  writeFileSync(join(folder, 'usage.mjs'), usageProgram)
  writeFileSync(join(folder, 'server.mjs'), serverProgram)
  writeFileSync(join(folder, 'loop.mjs'), loopProgram)
  const [fast, slow] = [await startServer(folder, 0), await startServer(folder, 50)]
  try {
    for (const rows of new Set([short, long, many / 10, many])) await writeRows(folder, rows)
    const bareShort = await measure(folder, short, ['loop.mjs', `rows-${short}.jsonl`, fast.url])
    const bare = await measure(folder, long, ['loop.mjs', `rows-${long}.jsonl`, fast.url])
    const asking = (rows: number, url: string, ...flags: string[]) =>
      measure(folder, rows, [main, 'run', config(folder, rows, url), ...flags])
    const first = await asking(short, fast.url, '--no-cache')
    const run = await asking(long, fast.url, '--no-cache')
    await asking(short, fast.url, '--cache', join(folder, 'cache'))
    const cached = await asking(short, fast.url, '--cache', join(folder, 'cache'))
    const start = await asking(short, fast.url, '--no-cache', '--limit', '1')
    const slowBare = await measure(folder, short, ['loop.mjs', `rows-${short}.jsonl`, slow.url])
    const slowServer = await asking(short, slow.url, '--no-cache')
    const some = await asking(many / 10, fast.url, '--no-cache')
    const all = await asking(many, fast.url, '--no-cache', '-w', 'many')
    const perRow = (one: RunMeasurement, other: RunMeasurement, of: (of: RunMeasurement) => number) =>
      (of(one) - of(other)) / (one.rows - other.rows)
    const cpu = ({ rows, cpuMillisecondsPerRow }: RunMeasurement) => rows * cpuMillisecondsPerRow
    const ratio = (of: (of: RunMeasurement) => number) => perRow(run, first, of) / perRow(bare, bareShort, of)
    return {
      bare,
      run,
      overhead: { clock: ratio(({ seconds }) => seconds), processor: ratio(cpu) },
      start,
      short: first,
      cached,
      slowBare,
      slowServer,
      slowRate: Math.round(short / (slowServer.seconds - start.seconds)),
      memoryGrowthMegabytes: all.peakMegabytes - some.peakMegabytes,
      resumeSeconds: await timeToFirstRequest(folder, many, fast),
    }
  } finally {
    fast.stop()
    slow.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The figures as lines of the bench's output. */
export function showRuns(measured: HttpMeasurements): string {
  const { bare, run, start, short, cached, slowBare, slowServer, slowRate, overhead, memoryGrowthMegabytes, resumeSeconds } = measured
  const line = (name: string, { rows, seconds, perSecond, cpuMillisecondsPerRow, peakMegabytes }: RunMeasurement) =>
    `${name.padEnd(30)}${`${perSecond.toLocaleString('en')}/s`.padStart(12)}   ${rows.toLocaleString('en')} rows in ${seconds.toFixed(2)} s, ${cpuMillisecondsPerRow.toFixed(2)} ms of processor time a row, ${peakMegabytes} MB`
  return [
    line('run-http bare loop', bare),
    line('run-http', run),
    line('run-http short', short),
    line('run-http cached', cached),
    `${'run-http start'.padEnd(30)}${`${start.seconds.toFixed(2)} s`.padStart(12)}   for a run of one row`,
    line('run-http 50 ms, bare loop', slowBare),
    line('run-http 50 ms', slowServer),
    `${'run-http 50 ms, overhead'.padEnd(30)}${`×${(slowServer.seconds / slowBare.seconds).toFixed(2)}`.padStart(12)}   of the bare loop's time with start-up; ${slowRate}/s once started`,
    `${'run-http overhead'.padEnd(30)}${`×${overhead.clock.toFixed(2)}`.padStart(12)}   of the bare loop's time for each row; ×${overhead.processor.toFixed(2)} of its processor time`,
    `${'run-http memory'.padEnd(30)}${`${memoryGrowthMegabytes} MB`.padStart(12)}   more at the peak of ten times as many rows`,
    `${'run-http resume'.padEnd(30)}${`${resumeSeconds.toFixed(2)} s`.padStart(12)}   until the first request, with all other rows on disk`,
  ].join('\n')
}

const usageProgram = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  // Linux counts what the parent had when it started this process; the peak of the process itself is told elsewhere.
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? maxRSS)
  writeFileSync(process.env.USAGE, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, megabytes: Math.round(kilobytes / 1024) }))
})
`

const serverProgram = `
import { createServer } from 'node:http'
const delay = Number(process.argv[2])
const body = JSON.stringify({
  id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'mock',
  choices: [{ index: 0, message: { role: 'assistant', content: 'The answer is B.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 80, completion_tokens: 6, total_tokens: 86 },
})
let count = 0
const server = createServer((request, reply) => {
  if (request.method === 'GET') return reply.end(String(count))
  request.resume().on('end', () => {
    count++
    const send = () => reply.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    if (delay > 0) setTimeout(send, delay)
    else send()
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** What one writes by hand: read the rows, ask them sixteen at a time, keep the answers, write them at the end. */
const loopProgram = `
import { readFileSync, writeFileSync } from 'node:fs'
import { Pool } from ${JSON.stringify(import.meta.resolve('undici'))}
const [, , file, url] = process.argv
const rows = readFileSync(file, 'utf8').trim().split('\\n').map((line) => JSON.parse(line))
const { origin, pathname } = new URL(url)
const pool = new Pool(origin, { connections: ${atOnce} })
const answers = []
let next = 0
async function work() {
  while (next < rows.length) {
    const id = next++
    const { question, A, B, C, D, answer } = rows[id]
    const content = question + '\\nA. ' + A + '\\nB. ' + B + '\\nC. ' + C + '\\nD. ' + D + '\\nAnswer:'
    const body = JSON.stringify({ model: 'mock', messages: [{ role: 'user', content }], max_tokens: 16, temperature: 0 })
    const reply = await pool.request({ path: pathname + '/chat/completions', method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const text = (await reply.body.json()).choices[0].message.content
    answers[id] = { id, prediction: text, gold: answer, score: text === answer ? 1 : 0 }
  }
}
await Promise.all(Array.from({ length: ${atOnce} }, work))
writeFileSync(file + '.answers', answers.map((one) => JSON.stringify(one) + '\\n').join(''))
await pool.close()
`

type Mock = { url: string; count: () => Promise<number>; stop: () => void }

function startServer(folder: string, milliseconds: number): Promise<Mock> {
  const server = spawn(process.execPath, [join(folder, 'server.mjs'), String(milliseconds)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve) => {
    server.stdout.once('data', (port) => {
      const origin = `http://127.0.0.1:${Number(String(port))}`
      const count = async () => Number(await (await fetch(origin)).text())
      resolve({ url: `${origin}/v1`, count, stop: () => void server.kill() })
    })
  })
}

async function writeRows(folder: string, count: number): Promise<void> {
  const file = createWriteStream(join(folder, `rows-${count}.jsonl`))
  for (let id = 0; id < count; id++) {
    const question = `Question ${id}: ${'which of these sentences says what is meant here? '.repeat(4)}`
    const row = JSON.stringify({ question, A: 'the first one', B: 'the second one', C: 'the third one', D: 'none of them', answer: 'B' })
    if (!file.write(`${row}\n`)) await new Promise<void>((resolve) => file.once('drain', resolve))
  }
  await new Promise<void>((resolve) => file.end(resolve))
}

function config(folder: string, rows: number, url: string): string {
  const file = join(folder, `config-${rows}.json`)
  const prompt = '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer:'
  const template = { round: [{ role: 'HUMAN', prompt }] }
  const dataset = {
    abbr: 'choices',
    path: `rows-${rows}.jsonl`,
    reader_cfg: { input_columns: ['question', 'A', 'B', 'C', 'D'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template }, inferencer: { type: 'GenInferencer', max_out_len: 16 } },
  }
  const model = { abbr: 'mock', type: 'openai', path: 'mock', base_url: url, format: 'messages', concurrency: atOnce }
  writeFileSync(file, JSON.stringify({ models: [model], datasets: [dataset] }))
  return file
}

function start(folder: string, args: readonly string[]) {
  const environment = { ...process.env, USAGE: join(folder, 'usage.json'), NO_COLOR: '1' }
  const child = spawn(process.execPath, ['--import', `./usage.mjs`, ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<void>((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)))),
  )
  return { child, ended }
}

async function measure(folder: string, rows: number, args: readonly string[]): Promise<RunMeasurement> {
  const begin = performance.now()
  await start(folder, args).ended
  const seconds = (performance.now() - begin) / 1000
  const { cpu, megabytes } = JSON.parse(readFileSync(join(folder, 'usage.json'), 'utf8')) as { cpu: number; megabytes: number }
  return { rows, seconds, perSecond: Math.round(rows / seconds), cpuMillisecondsPerRow: cpu / rows, peakMegabytes: Math.round(megabytes) }
}

/** Adds one row to a dataset whose other rows are on disk, goes on with the run, and waits for the request. */
async function timeToFirstRequest(folder: string, rows: number, server: Mock): Promise<number> {
  const file = join(folder, `rows-${rows}.jsonl`)
  const line = readFileSync(file, 'utf8').split('\n', 1)[0]!
  writeFileSync(file, `${line.replace('Question 0', 'Question new')}\n`, { flag: 'a' })
  const before = await server.count()
  const begin = performance.now()
  const { ended } = start(folder, [main, 'run', join(folder, `config-${rows}.json`), '--no-cache', '-w', 'many', '-r'])
  let seconds = Number.NaN
  const watch = (async () => {
    while ((await server.count()) === before) await new Promise((resolve) => setTimeout(resolve, 5))
    seconds = (performance.now() - begin) / 1000
  })()
  await Promise.all([ended, watch])
  if ((await server.count()) !== before + 1) throw new Error(`resuming asked ${(await server.count()) - before} rows instead of one`)
  return seconds
}
