import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Fault, withFaults } from '../../../../../proof/testing/faults.ts'
import { rolecall as runRolecall } from '../../../../../proof/testing/rolecall.ts'
import { scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import type { Listening } from '../../server/listen.ts'
import { serve } from '../../server/serve-models.ts'

const key = 'sk-never-to-be-seen-42'

// Removes environment variables that would select another server.
beforeEach(() => {
  for (const name of ['OPENAI_BASE_URL', 'HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, undefined)
})
const rolecall = (args: string[], cwd: string) => runRolecall(args, cwd, { OPENAI_API_KEY: key })

let server: Listening
let choose: (number: number) => Fault | undefined = () => undefined
const folders: string[] = []
beforeAll(async () => {
  server = await serve({
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2' }],
    wrap: (app) => withFaults(app, { choose: ({ number }) => choose(number) }),
  })
})
afterEach(() => {
  choose = () => undefined
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
afterAll(() => server?.close())

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
]
const label = (answer: string) => ({ round: [round[0], { role: 'BOT', prompt: answer }] })
const reader_cfg = { input_columns: ['question'], output_column: 'answer' }
const datasets = [
  {
    abbr: 'sums',
    rows: [
      { question: '12+30=?', answer: '42' },
      { question: '1+1=?', answer: '2' },
      { question: '2+2=?', answer: '5' },
    ],
    reader_cfg,
    infer_cfg: { prompt_template: { template: { round } } },
  },
  {
    abbr: 'choice',
    rows: [
      { question: '1+1=?', answer: '2' },
      { question: '2+2=?', answer: '4' },
    ],
    reader_cfg,
    infer_cfg: {
      prompt_template: { template: { '2': label('2'), '3': label('3'), '4': label('4') } },
      inferencer: { type: 'PPLInferencer' },
    },
  },
]

function folderWith(model: object, chosen: readonly object[] = datasets): string {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-server-run-'))
  folders.push(folder)
  writeFileSync(
    join(folder, 'rolecall.config.json'),
    JSON.stringify({ models: [{ abbr: 'm', type: 'openai', ...model }], datasets: chosen }),
  )
  return folder
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

test('a model on a server: generation and perplexity, with transient failures', async () => {
  choose = (number) => (number % 3 === 1 ? { kind: 'status', status: 503 } : undefined)
  const folder = folderWith({
    path: 'tiny',
    base_url: `${server.url}/v1`,
    format: 'internlm2',
    extra_body: { add_special_tokens: false },
    key: 'sk-written-in-the-config',
    max_out_len: 6,
    max_retry_wait: 0.05,
  })
  const { code, stdout, stderr } = await rolecall(['run', '-w', 'results', '--json'], folder)
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('a key does not belong in a config') })
  expect(JSON.parse(stdout)).toMatchObject({
    results: [
      { dataset: 'sums', rows: 3, failed: 0, value: expect.closeTo(66.67, 1) },
      { dataset: 'choice', rows: 2, failed: 0, value: 100 },
    ],
  })
  const written = filesIn(join(folder, 'results'))
  expect(written.length).toBeGreaterThan(3)
  for (const path of written) expect(readFileSync(path, 'utf8')).not.toMatch(/sk-never|sk-written/)
})

describe('errors that stop a run immediately, instead of failing every row', () => {
  const stopped = async (model: object, chosen: readonly object[] = datasets.slice(0, 1)) => {
    const folder = folderWith(model, chosen)
    const { code, stderr } = await rolecall(['run', '-w', 'results'], folder)
    const results = join(folder, 'results')
    const rows = existsSync(results) ? filesIn(results).filter((path) => path.endsWith('.jsonl')) : []
    for (const path of rows) expect(readFileSync(path, 'utf8')).not.toContain('"error"')
    expect(stderr).not.toContain(key)
    return { code, stderr }
  }

  test('an unreachable address', async () => {
    const gone = await scriptedServer(() => ({ text: '' }))
    await gone.close()
    const { code, stderr } = await stopped({ path: 'tiny', base_url: gone.url, max_server_wait: 0.3 })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/error m › base_url\n {2}no server answers at http:\S+ \(.*ECONNREFUSED.*\)\n {2}→ start the server/),
    })
  })

  test('an address without an API', async () => {
    const { code, stderr } = await stopped({ path: 'tiny', base_url: server.url })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('most servers want it to end in /v1') })
  })

  test('an unknown model', async () => {
    const { code, stderr } = await stopped({ path: 'huge', base_url: `${server.url}/v1` })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('→ set path to one that it has: tiny') })
  })

  test('an invalid key', async () => {
    const strict = await scriptedServer(({ headers }) => ({
      status: 401,
      json: { error: { message: `Incorrect API key provided: ${headers.authorization}` } },
    }))
    const { code, stderr } = await stopped({ path: 'tiny', base_url: strict.url })
    await strict.close()
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/answered 401: "Incorrect API key provided: Bearer \*\*\*"\n.*OPENAI_API_KEY/),
    })
    expect(strict.seen.length).toBeLessThanOrEqual(16)
  })

  test('perplexity on a server without log-probabilities', async () => {
    const deaf = await scriptedServer(() => ({ json: { choices: [{ text: ' so', finish_reason: 'length' }] } }))
    const { code, stderr } = await stopped({ path: 'tiny', base_url: deaf.url, endpoint: 'completions' }, datasets.slice(1))
    await deaf.close()
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('does not report how likely a given text is') })
  })
})

test("a server without a config gets the quickstart's questions as messages", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-server-'))
  folders.push(folder)
  const { code, stdout, stderr } = await rolecall(['run', '--base-url', `${server.url}/v1`, '--limit', '2', '--no-cache'], folder)
  expect(stderr).toContain('choices: skipped')
  expect(stdout).toMatch(/^tiny .*\d/m)
  expect(stdout).toContain('8 rows in')
  expect(stdout).not.toContain('only the format differs')
  expect(code).toBe(0)
  const gone = await rolecall(['run', '--base-url', 'http://127.0.0.1:9/v1'], folder)
  expect(gone.code).toBe(2)
  expect(gone.stderr).toContain('http://127.0.0.1:9/v1/models does not answer as a server of models does')
  const guarded = await scriptedServer(() => ({ status: 401, text: '{}' }))
  const refused = await rolecall(['run', '--base-url', `${guarded.url}/v1/`], folder)
  await guarded.close()
  expect(refused.stderr).toMatch(/\d\/v1\/models answers with status 401\n.*set OPENAI_API_KEY to another key: this one is refused/)
}, 60_000)

test("a server's run of tasks does not mention the quickstart's datasets", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolecall-server-'))
  folders.push(folder)
  writeFileSync(
    join(folder, 'sums.yaml'),
    'task: sums\ndataset_path: json\ndataset_kwargs: {data_files: {test: sums.jsonl}}\ntest_split: test\noutput_type: generate_until\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n',
  )
  writeFileSync(join(folder, 'sums.jsonl'), '{"q": "1+1=", "a": "2"}\n')
  const { stdout, stderr } = await rolecall(['run', '--base-url', `${server.url}/v1`, '--tasks', 'sums.yaml', '--dry-run'], folder)
  expect(stdout).toContain('sums')
  expect(`${stdout}${stderr}`).not.toContain('choices')
}, 60_000)
