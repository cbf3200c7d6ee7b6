import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { propertyRuns } from '../../../../../proof/testing/sampling.ts'
import { seededRandom } from '../../model/language-model/sampling.ts'

// A run against a real HTTP server, repeatedly killed without cleanup.

/** The program to kill: an evaluation against this test's server, bundled to start fast. */
const program = `
import { Agent, request } from 'node:http'
import { runEvaluation } from ${JSON.stringify(fileURLToPath(new URL('run-evaluation.ts', import.meta.url)))}
import { nodeEnvironment } from ${JSON.stringify(fileURLToPath(new URL('node-environment.ts', import.meta.url)))}
const { url, folder, workDir, ...options } = JSON.parse(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const post = (text) => new Promise((resolve, reject) => {
  const sent = request(url, { method: 'POST', agent }, async (reply) => {
    let body = ''
    for await (const chunk of reply) body += chunk
    resolve(body)
  })
  sent.on('error', reject).end(text)
})
const model = {
  name: 'mock', concurrency: 8,
  async generate(prompt) {
    const text = await post(prompt.pieces.map((piece) => piece.text).join(''))
    return { text, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
  },
}
const environment = { ...nodeEnvironment(folder), openModel: async () => model }
const ask = (name) => ({
  abbr: name, path: name + '.jsonl',
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: 'GenInferencer', max_out_len: 4 } },
})
const config = { models: [{ abbr: 'mock', type: 'mock' }], datasets: [ask('one'), ask('two')] }
const done = await runEvaluation(config, { environment, workDir, cache: false, ...options })
process.stdout.write(JSON.stringify({ folder: done.folder, unfinished: done.unfinished, rerunRows: done.rerunRows }))
agent.destroy()
`

const rows = 120
let root: string
let child: string
let server: Server
let url: string
/** Handles each question the server receives. */
let onQuestion: (question: string) => void = () => {}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rolecall-resume-'))
  child = join(root, 'a/b/child.mjs')
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"version": "0.0.0"}')
  writeFileSync(join(root, 'a/b/entry.mjs'), program)
  const build = await rolldown({ input: join(root, 'a/b/entry.mjs'), platform: 'node', onLog() {} })
  await build.write({ file: child, format: 'esm', codeSplitting: false })
  await build.close()
  for (const name of ['one', 'two']) {
    const lines = Array.from({ length: rows }, (_, id) => JSON.stringify({ question: `${name} ${id}`, answer: `${id % 3}` }))
    writeFileSync(join(root, `${name}.jsonl`), `${lines.join('\n')}\n`)
  }
  server = createServer(async (request, reply) => {
    let question = ''
    for await (const chunk of request) question += chunk
    onQuestion(question)
    // Answers take different times, so that rows finish out of order.
    setTimeout(() => reply.end(`${Number(question.split(' ')[1]) % 2}`), Number(question.split(' ')[1]) % 7 === 0 ? 12 : 1)
  })
  // A suspended run keeps its connections, however slow the machine is.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}, 120_000)

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(root, { recursive: true, force: true })
})

type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

function start(workDir: string, options: object = {}): { process: ChildProcess; ended: Promise<Ended> } {
  const given = JSON.stringify({ url, folder: root, workDir: join(root, workDir), ...options })
  const started = spawn(process.execPath, [child, given], { cwd: root, env: { ...process.env, NO_COLOR: '1' } })
  let [stdout, stderr] = ['', '']
  started.stdout.on('data', (chunk) => (stdout += chunk))
  started.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((resolve) => started.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
  return { process: started, ended }
}

/** Questions with answers on disk: every complete JSON line. */
function onDisk(workDir: string): Set<string> {
  const known = new Set<string>()
  for (const run of existsSync(join(root, workDir)) ? readdirSync(join(root, workDir)) : []) {
    for (const name of ['one', 'two']) {
      const file = join(root, workDir, run, `predictions/mock/${name}.jsonl`)
      const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
      for (const line of lines) known.add(`${name} ${(JSON.parse(line) as { id: number }).id}`)
    }
  }
  return known
}

/** Everything a run wrote, except times. */
function contents(folder: string): Record<string, unknown> {
  const read = (name: string) =>
    readFileSync(join(folder, name), 'utf8').replace(/"(milliseconds|seconds|started)": ?("[^"]*"|[\d.]+)/g, '"$1": 0')
  const files = ['one', 'two'].flatMap((name) => [`predictions/mock/${name}.jsonl`, `results/mock/${name}.json`])
  return Object.fromEntries([...files, 'summary/summary.json', 'configs/config.json'].map((name) => [name, read(name)]))
}

const wantedKills = propertyRuns(10)

test(`killed at ${wantedKills} random moments and resumed, a run repeats nothing recorded and gives the same results`, async () => {
  const unbroken = await start('unbroken').ended
  expect(unbroken).toMatchObject({ code: 0, stderr: '' })

  const random = seededRandom(7)
  const repeated: string[] = []
  const asked = new Map<string, number>()
  let [kills, starts, foldersMade] = [0, 0, 0]
  let last: Ended | undefined
  while (last?.code !== 0) {
    const known = onDisk('killed')
    const { process: running, ended } = start('killed', { reuse: 'latest' })
    starts++
    // Most are killed while rows run, some at start-up, while records are read and repaired.
    const dyingAfter = kills >= wantedKills ? Number.POSITIVE_INFINITY : random() < 0.8 ? 1 + Math.floor(random() * 12) : 0
    let heard = 0
    const kill = () => running.kill('SIGKILL')
    onQuestion = (question) => {
      if (known.has(question)) repeated.push(question)
      asked.set(question, (asked.get(question) ?? 0) + 1)
      if (++heard === dyingAfter) setTimeout(kill, random() * 4)
    }
    const early = dyingAfter === 0 ? setTimeout(kill, random() * 250) : undefined
    last = await ended
    clearTimeout(early)
    if (last.signal === 'SIGKILL') kills++
    expect(last.stderr).toBe('')
    foldersMade = readdirSync(join(root, 'killed')).length
  }

  expect(kills).toBeGreaterThanOrEqual(wantedKills)
  expect(repeated).toEqual([])
  expect(asked.size).toBe(2 * rows)
  // Rows in flight when a run is killed are sent again: at most the concurrency, plus as many answers received but not yet written.
  const again = [...asked.values()].reduce((sum, times) => sum + times - 1, 0)
  expect(again).toBeLessThanOrEqual(2 * 8 * kills)
  expect(foldersMade).toBe(1)
  const { folder } = JSON.parse(last.stdout) as { folder: string }
  expect(contents(folder)).toEqual(contents((JSON.parse(unbroken.stdout) as { folder: string }).folder))
  expect(starts).toBeGreaterThan(kills)
}, 240_000)

test('a run that is paused for long and continued is not taken over meanwhile', async () => {
  let heard = 0
  const { process: held, ended } = start('held')
  onQuestion = () => {
    if (++heard === 20) held.kill('SIGSTOP')
  }
  await vi.waitUntil(() => heard >= 20, { timeout: 60_000 })
  const [name] = readdirSync(join(root, 'held'))
  const anHourAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(root, 'held', name!, 'run.lock'), anHourAgo, anHourAgo)
  const second = await start('held', { reuse: 'latest' }).ended
  expect(second.code).not.toBe(0)
  expect(second.stderr).toContain(`the run is still in progress (process ${held.pid} on `)
  held.kill('SIGCONT')
  expect(await ended).toMatchObject({ code: 0 })
  expect(onDisk('held').size).toBe(2 * rows)
}, 120_000)

test('rows whose template or settings changed run again, others do not', async () => {
  const counted: string[] = []
  onQuestion = (question) => counted.push(question)
  expect((await start('changed').ended).code).toBe(0)
  expect(counted).toHaveLength(2 * rows)
  counted.length = 0
  expect(JSON.parse((await start('changed', { reuse: 'latest' }).ended).stdout)).toMatchObject({ unfinished: 0, rerunRows: 0 })
  expect(counted).toEqual([])
  // A new first row shifts all others; their answers move along.
  const file = join(root, 'one.jsonl')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, `${JSON.stringify({ question: 'one 999', answer: '1' })}\n${before}`)
  const moved = await start('changed', { reuse: 'latest' }).ended
  writeFileSync(file, before)
  expect({ code: moved.code, counted }).toEqual({ code: 0, counted: ['one 999'] })
  counted.length = 0
  expect(JSON.parse((await start('changed', { reuse: 'latest', seed: 5 }).ended).stdout)).toMatchObject({ rerunRows: 2 * rows })
}, 120_000)

test('two concurrent processes share one answer cache', async () => {
  const asked = new Map<string, number>()
  onQuestion = (question) => asked.set(question, (asked.get(question) ?? 0) + 1)
  const cache = join(root, 'cache')
  const both = await Promise.all([start('first', { cache }).ended, start('second', { cache }).ended])
  expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  asked.clear()
  const third = await start('third', { cache }).ended
  expect({ code: third.code, asked: asked.size }).toEqual({ code: 0, asked: 0 })
  const { folder } = JSON.parse(third.stdout) as { folder: string }
  expect(JSON.parse(readFileSync(join(folder, 'results/mock/one.json'), 'utf8'))).toMatchObject({ rows, cached: rows, failed: 0 })
  // Only damaged entries are sent again.
  const [file] = readdirSync(join(cache, 'answers'))
  const lines = readFileSync(join(cache, 'answers', file!), 'utf8').split('\n')
  lines[3] = lines[3]!.replace(/"prediction":"\d"/, '"prediction":"9"')
  lines[5] = lines[5]!.slice(0, 70)
  lines.push('no entry at all')
  writeFileSync(join(cache, 'answers', file!), lines.join('\n'))
  const fourth = await start('fourth', { cache }).ended
  expect(fourth.code).toBe(0)
  expect(asked.size).toBeLessThanOrEqual(2)
  expect((await start('fifth', { cache: false }).ended).code).toBe(0)
  expect(asked.size).toBe(2 * rows)
}, 120_000)
