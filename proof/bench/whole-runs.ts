import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Shared by benchmarks of whole evaluations: the rows, the config and the server. The server and `rolecall run` are
// separate processes.

/** The bundled command line. */
export const main = fileURLToPath(new URL('../../../packages/rolecall/dist/js/cli/main.js', import.meta.url))

/** Concurrent rows of a run or a worker. */
export const atOnce = 16

export type RunMeasurement = {
  rows: number
  /** Wall-clock time from process start to exit. */
  seconds: number
  perSecond: number
  cpuMillisecondsPerRow: number
  processor: ProcessorTime
  peakMegabytes: number
}

/** Milliseconds of processor time of a process. Threads other than the main one compile hot functions and collect garbage. */
export type ProcessorTime = { user: number; system: number; main: number; others: number }

/** A folder with the files for `startServer` and `measure`. */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-bench-'))
  writeFileSync(join(folder, 'usage.mjs'), usageProgram)
  writeFileSync(join(folder, 'server.mjs'), serverProgram)
  writeFileSync(join(folder, 'loop.mjs'), loopProgram)
  return folder
}

type Usage = { processor: ProcessorTime; megabytes: number }

const usageProgram = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const [user, system] = [userCPUTime / 1000, systemCPUTime / 1000]
  // Nanoseconds; only Linux counts threads separately.
  const thread = '/proc/self/task/' + process.pid + '/schedstat'
  const main = existsSync(thread) ? Number(readFileSync(thread, 'utf8').split(' ')[0]) / 1e6 : user + system
  // Linux counts what the parent had when it started this process; the peak of the process itself is reported elsewhere.
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? maxRSS)
  writeFileSync(process.env.USAGE, JSON.stringify({ processor: { user, system, main, others: user + system - main }, megabytes: Math.round(kilobytes / 1024) }))
})
`

/** GET returns statistics since the last DELETE: number of requests, times of the first and last, and when the newest client connected. */
const serverProgram = `
import { createServer } from 'node:http'
const delay = Number(process.argv[2])
const body = JSON.stringify({
  id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'mock',
  choices: [{ index: 0, message: { role: 'assistant', content: 'The answer is B.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 80, completion_tokens: 6, total_tokens: 86 },
})
let seen = { count: 0, first: 0, last: 0, newest: 0 }
const known = new WeakSet()
const server = createServer((request, reply) => {
  if (request.method === 'DELETE') seen = { count: 0, first: 0, last: 0, newest: 0 }
  if (request.method !== 'POST') return reply.end(JSON.stringify(seen))
  if (!known.has(request.socket)) {
    known.add(request.socket)
    seen.newest = Date.now()
  }
  seen.first ||= Date.now()
  request.resume().on('end', () => {
    seen.count++
    const send = () => {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
      seen.last = Date.now()
    }
    if (delay > 0) setTimeout(send, delay)
    else send()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** A hand-written loop: read the rows, send sixteen concurrently, keep the answers, write them at the end. */
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

/** The server's statistics; times in milliseconds since 1970. */
export type Asked = { count: number; first: number; last: number; newest: number }

export type Mock = { url: string; process: ChildProcess; asked: () => Promise<Asked>; forget: () => Promise<void>; stop: () => void }

export function startServer(folder: string, milliseconds: number): Promise<Mock> {
  const server = spawn(process.execPath, [join(folder, 'server.mjs'), String(milliseconds)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve) => {
    server.stdout.once('data', (port) => {
      const origin = `http://127.0.0.1:${Number(String(port))}`
      resolve({
        url: `${origin}/v1`,
        process: server,
        asked: async () => (await (await fetch(origin)).json()) as Asked,
        forget: async () => void (await (await fetch(origin, { method: 'DELETE' })).text()),
        stop: () => void server.kill(),
      })
    })
  })
}

export async function writeRows(folder: string, count: number): Promise<void> {
  const file = createWriteStream(join(folder, `rows-${count}.jsonl`))
  for (let id = 0; id < count; id++) {
    const question = `Question ${id}: ${'which of these sentences says what is meant here? '.repeat(4)}`
    const row = JSON.stringify({ question, A: 'the first one', B: 'the second one', C: 'the third one', D: 'none of them', answer: 'B' })
    if (!file.write(`${row}\n`)) await new Promise<void>((resolve) => file.once('drain', resolve))
  }
  await new Promise<void>((resolve) => file.end(resolve))
}

/** A config with a model for each server. */
export function writeConfig(folder: string, rows: number, ...urls: string[]): string {
  const file = join(folder, `config-${rows}.json`)
  const prompt = '{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer:'
  const template = { round: [{ role: 'HUMAN', prompt }] }
  const dataset = {
    abbr: 'choices',
    path: `rows-${rows}.jsonl`,
    reader_cfg: { input_columns: ['question', 'A', 'B', 'C', 'D'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template }, inferencer: { type: 'GenInferencer', max_out_len: 16 } },
  }
  const common = { type: 'openai', path: 'mock', format: 'messages', concurrency: atOnce }
  const models = urls.map((url, number) => ({ abbr: `mock-${number}`, base_url: url, ...common }))
  writeFileSync(file, JSON.stringify({ models, datasets: [dataset] }))
  return file
}

/** Starts a Node program that records its resource usage. */
export function start(folder: string, args: readonly string[]) {
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

export async function measure(folder: string, rows: number, args: readonly string[]): Promise<RunMeasurement> {
  const begin = performance.now()
  await start(folder, args).ended
  const seconds = (performance.now() - begin) / 1000
  const { processor, megabytes } = JSON.parse(readFileSync(join(folder, 'usage.json'), 'utf8')) as Usage
  return {
    rows,
    seconds,
    perSecond: Math.round(rows / seconds),
    cpuMillisecondsPerRow: (processor.user + processor.system) / rows,
    processor,
    peakMegabytes: Math.round(megabytes),
  }
}
