import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { main, rolecall } from '../../../../../proof/testing/rolecall.ts'

// The command with a model on a real server; in a separate process if the test sends signals or kills it.

const rows = 60
let root: string
let server: Server
let answerAfter = 1
const asked: string[] = []
let onQuestion: (question: string) => void = () => {}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rolecall-long-'))
  server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages } = JSON.parse(body) as { messages: { content: string }[] }
    const question = messages.at(-1)!.content
    asked.push(question)
    onQuestion(question)
    setTimeout(() => {
      const message = { role: 'assistant', content: String(Number(question.slice(1)) % 2) }
      reply.setHeader('content-type', 'application/json').end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    }, answerAfter)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const lines = Array.from({ length: rows }, (_, id) => JSON.stringify({ question: `q${id}`, answer: `${id % 3}` }))
  writeFileSync(join(root, 'rows.jsonl'), `${lines.join('\n')}\n`)
  writeConfig('config.json', {})
}, 120_000)

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(root, { recursive: true, force: true })
})

beforeEach(() => {
  asked.length = 0
  answerAfter = 1
  onQuestion = () => {}
})

function writeConfig(name: string, model: object): void {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const dataset = {
    abbr: 'rows',
    path: 'rows.jsonl',
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } }, inferencer: { max_out_len: 4 } },
  }
  const models = [{ abbr: 'mock', type: 'openai', path: 'mock', base_url: url, format: 'messages', concurrency: 4, ...model }]
  writeFileSync(join(root, name), JSON.stringify({ models, datasets: [dataset] }))
}

type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

function start(args: readonly string[]) {
  const { FORCE_COLOR: _, ...environment } = process.env
  const child = spawn(process.execPath, [main, ...args], { cwd: root, env: { ...environment, NO_COLOR: '1', ROLECALL_CACHE: 'off' } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const ended = new Promise<Ended>((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
  return { child, ended }
}

function records(workDir: string): { id: number; prediction: string }[] {
  const [run] = existsSync(join(root, workDir)) ? readdirSync(join(root, workDir)) : []
  const file = join(root, workDir, run ?? '', 'predictions/mock/rows.jsonl')
  if (run === undefined || !existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { id: number; prediction: string })
}

test('killed and resumed with -r, the command does not send recorded rows again', async () => {
  const repeated: string[] = []
  for (let kill = 0; kill < 3; kill++) {
    const known = new Set(records('killed').map(({ id }) => `q${id}`))
    const { child, ended } = start(['run', 'config.json', '-w', 'killed', '-r'])
    let heard = 0
    onQuestion = (question) => {
      if (known.has(question)) repeated.push(question)
      if (++heard === 7) child.kill('SIGKILL')
    }
    expect((await ended).signal).toBe('SIGKILL')
  }
  onQuestion = () => {}
  const done = await rolecall(['run', 'config.json', '-w', 'killed', '-r'], root)
  expect({ code: done.code, repeated }).toEqual({ code: 0, repeated: [] })
  expect(records('killed').map(({ id }) => id)).toEqual(Array.from({ length: rows }, (_, id) => id))
  expect(new Set(asked).size).toBe(rows)
  expect(readdirSync(join(root, 'killed'))).toHaveLength(1)
}, 120_000)

test('Ctrl-C finishes and keeps rows in flight, and prints how to resume', async () => {
  answerAfter = 60
  const { child, ended } = start(['run', 'config.json', '-w', 'stopped'])
  onQuestion = () => {
    if (asked.length !== 10) return
    // Long enough for any machine to hear the signal before the last row.
    answerAfter = 500
    child.kill('SIGINT')
  }
  const stopped = await ended
  expect(stopped).toMatchObject({ code: 130, signal: null })
  expect(stopped.stderr).toContain('stopping when the rows in flight are done; Ctrl-C again stops at once')
  // Every question that reached the server has its answer on disk.
  expect(records('stopped')).toHaveLength(asked.length)
  expect(asked.length).toBeLessThan(rows)
  const [, command] = /next {2}rolecall (.*?)(?: {4}.*)?\n/.exec(stopped.stderr.replaceAll(/ \\\n +/g, ' '))!
  expect(command).toMatch(/^run config\.json -w stopped -r \d{8}_\d{6}$/)
  answerAfter = 1
  expect((await rolecall(command!.split(' '), root)).code).toBe(0)
  expect(asked).toHaveLength(rows)
}, 60_000)

test('a second Ctrl-C exits immediately, without damage', async () => {
  answerAfter = 20
  const { child, ended } = start(['run', 'config.json', '-w', 'twice'])
  onQuestion = () => {
    if (asked.length !== 12) return
    answerAfter = 600_000
    child.kill('SIGINT')
  }
  let said = ''
  child.stderr.on('data', (chunk) => {
    const isHeard = said.includes('Ctrl-C again')
    said += chunk
    if (!isHeard && said.includes('Ctrl-C again')) child.kill('SIGINT')
  })
  const stopped = await ended
  expect(stopped).toMatchObject({ code: 130, signal: null })
  expect(stopped.stderr).toMatch(/stopped without waiting .*next {2}rolecall run/s)
  const kept = records('twice').length
  expect(kept).toBeGreaterThan(0)
  answerAfter = 1
  onQuestion = () => {}
  asked.length = 0
  expect((await rolecall(['run', 'config.json', '-w', 'twice', '-r'], root)).code).toBe(0)
  expect(asked).toHaveLength(rows - kept)
}, 60_000)

test('SIGTERM during a hanging request ends the run within seconds, with an object under --json', async () => {
  const { child, ended } = start(['run', 'config.json', '-w', 'hanging', '--json'])
  onQuestion = () => {
    if (asked.length === 8) answerAfter = 600_000
    if (asked.length === 10) child.kill('SIGTERM')
  }
  const stopped = await ended
  expect(stopped).toMatchObject({ code: 130, signal: null })
  expect(stopped.stderr).toMatch(/stopping in 3 s.*next {2}rolecall run/s)
  expect(JSON.parse(stopped.stdout)).toMatchObject({ error: { code: 'stopped', exit_code: 130 } })
  // Answers that came are on disk; requests that hung are sent again.
  const kept = records('hanging').length
  expect(kept).toBeGreaterThan(0)
  answerAfter = 1
  onQuestion = () => {}
  asked.length = 0
  expect((await rolecall(['run', 'config.json', '-w', 'hanging', '-r'], root)).code).toBe(0)
  expect(asked).toHaveLength(rows - kept)
}, 60_000)

test('an unreachable server ends the run with a fix', async () => {
  writeConfig('gone.json', { base_url: 'http://127.0.0.1:9/v1', max_server_wait: 0.2 })
  const { code, stderr } = await rolecall(['run', 'gone.json', '-w', 'gone'], root)
  expect(code).toBe(2)
  expect(stderr).toMatch(/error .*\n {2}no server answers at .*\n {2}→ start the server/)
  // The run did not start, so there is nothing to resume.
  expect(stderr).not.toContain('next  ')
  expect(existsSync(join(root, 'gone'))).toBe(false)
}, 60_000)

test('shards are merged, runs compared and scored again', async () => {
  for (const part of ['1/2', '2/2']) expect((await rolecall(['run', 'config.json', '-w', 'parts', '--shard', part], root)).code).toBe(0)
  expect(asked).toHaveLength(rows)
  const merged = await rolecall(['merge', 'parts', '-o', 'joined'], root)
  expect({ code: merged.code, stdout: merged.stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${rows} rows joined · joined`),
  })
  const missing = await rolecall(['merge', `parts/shard-1-of-2/${readdirSync(join(root, 'parts/shard-1-of-2'))[0]}`], root)
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('a shard is missing: 2/2') })
  writeConfig('prompts.json', {})
  const config = JSON.parse(readFileSync(join(root, 'prompts.json'), 'utf8'))
  config.datasets[0].infer_cfg.prompt_template.template.round.unshift({ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Answer.' })
  config.datasets[0].eval_cfg = { pred_postprocessor: 'first-capital' }
  writeFileSync(join(root, 'prompts.json'), JSON.stringify(config))
  expect((await rolecall(['run', 'prompts.json', '-w', 'other', '--limit', '20', '--allow-unscorable'], root)).code).toBe(0)
  const compared = await rolecall(['compare', 'joined', 'other', '--verbose'], root)
  expect(compared.stdout).toMatch(
    /^mock on rows\nprompts differ \(20 of 20 rows\).*\nsecond against first on rows: .*\n20 rows in both, 40 only in the first, .* 20 sent another prompt\n(?:.*\n){3} {2}worse row 0: another prompt, .*score\n/,
  )
  expect(compared.stdout).toContain('    prompt\n    + system: Answer.\n      user: q0\n')
  const scored = await rolecall(['score', 'joined', '--json'], root)
  expect(JSON.parse(scored.stdout)).toMatchObject({ results: [{ rows, failed: 0 }] })
}, 60_000)
