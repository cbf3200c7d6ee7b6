import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { folderWith } from './folder-with.ts'
import { programTimeout } from './run-program.ts'
import { type ScriptedServer, scriptedServer } from './scripted-server.ts'

// The step of action.yml, run as a runner runs it: inputs and expressions become its environment, an event file and a stand-in for GitHub's API.

const action = fileURLToPath(new URL('../..', import.meta.url))
type Step = { id?: string; run?: string; env?: Record<string, string> }
const { inputs, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default?: string }>
  runs: { steps: Step[] }
}
const step = runs.steps.find(({ id }) => id === 'evaluate')

const rows = Array.from({ length: 12 }, (_, one) => ({ question: `What is ${one} + 2?`, answer: String(one + 2) }))

type Comment = { id: number; body: string; user: { type: string } }
let github: { comments: Comment[]; status: number }
let server: ScriptedServer

// One server for both: GitHub's API, and a model that adds unless it is told not to.
beforeEach(async () => {
  github = { comments: [], status: 200 }
  server = await scriptedServer(({ method, path, body }) => {
    if (path.startsWith('/v1/repos/')) return method === 'GET' ? { json: github.comments } : { status: github.status, json: {} }
    const [, one = '0', other = '0'] = /(\d+) \+ (\d+)/.exec(body) ?? []
    const content = body.includes('Say hello') && Number(one) % 6 !== 0 ? 'hello' : String(Number(one) + Number(other))
    return {
      json: {
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 9, completion_tokens: 1 },
      },
    }
  })
})

afterEach(() => server.close())

const config = (prompt: string) =>
  `data: qa.jsonl\nprompts: { only: ${JSON.stringify(prompt)} }\nmodels: [{ type: openai, path: adder, base_url: '${server.url}' }]\ngold: answer\ncheck: exact\n`
const good = () => config('{question}')
const bad = () => config('Say hello. {question}')

/** A repository whose base has one config and whose head has another. */
function repository(base: string, head: string) {
  const folder = folderWith({ 'qa.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'), 'eval.yaml': base })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
      timeout: programTimeout,
    }).trim()
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'base')
  const sha = git('rev-parse', 'HEAD')
  writeFileSync(join(folder, 'eval.yaml'), head)
  git('commit', '-qam', 'head')
  return { folder, sha }
}

/** The fields of a `pull_request` event that the action reads, among others that it has. */
const pullRequest = (sha: string) => ({
  action: 'synchronize',
  number: 7,
  pull_request: { number: 7, base: { ref: 'main', sha }, head: { ref: 'prompt', sha: 'f'.repeat(40), repo: { fork: false } } },
  repository: { full_name: 'somebody/prompts' },
})

async function runStep(folder: string, event: object, given: Record<string, string> = {}) {
  const files = folderWith({ 'event.json': JSON.stringify(event), output: '', summary: '' })
  mkdirSync(join(files, 'temporary'))
  const values: Record<string, string> = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, { default: value = '' }]) => [name, value])),
    config: 'eval.yaml',
    token: 'secret-token',
    ...given,
  }
  const environment = Object.entries(step?.env ?? {}).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => values[input] ?? '').replace(/\$\{\{ inputs\.cache .*\}\}/, 'off'),
  ])
  const child = spawn('bash', ['-e', '-c', step?.run ?? ''], {
    cwd: folder,
    env: {
      ...{
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: action,
        RUNNER_TEMP: join(files, 'temporary'),
      },
      ...{
        GITHUB_EVENT_PATH: join(files, 'event.json'),
        GITHUB_OUTPUT: join(files, 'output'),
        GITHUB_STEP_SUMMARY: join(files, 'summary'),
      },
      ...{ GITHUB_REPOSITORY: 'somebody/prompts', GITHUB_API_URL: server.url },
      ...Object.fromEntries(environment),
    },
  })
  const text: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => text.push(part.toString()))
  const code = await new Promise<number | null>((done) => child.on('close', done))
  const read = (name: string) => readFileSync(join(files, name), 'utf8')
  return { code, text: text.join(''), output: read('output'), summary: read('summary') }
}

/** What was written to GitHub. */
const written = () => server.seen.filter(({ method, path }) => path.startsWith('/v1/repos/') && method !== 'GET')

describe('the GitHub Action', { timeout: 180_000 }, () => {
  test('every input reaches the step, and no expression stands in a command, where a title could be code', () => {
    const used = new Set([...JSON.stringify(runs).matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name))
    expect([...used].sort()).toEqual(Object.keys(inputs).sort())
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{')
  })

  test('a worse prompt fails the job, and the comment says by how much and whether it may be chance', async () => {
    const { folder, sha } = repository(good(), bad())
    const { code, text, output, summary } = await runStep(folder, pullRequest(sha))
    expect({ code, text }).toEqual({ code: 3, text: expect.stringContaining('::error') })
    const [comment] = written()
    expect(comment).toMatchObject({
      method: 'POST',
      path: '/v1/repos/somebody/prompts/issues/7/comments',
      headers: { authorization: 'Bearer secret-token' },
    })
    const { body } = JSON.parse(comment?.body ?? '{}') as { body: string }
    expect(body).toMatch(/^<!-- rolecall eval\.yaml -->\n### Rolecall: `eval\.yaml`\n\n\| dataset \| rows \| before \| after \|/)
    expect(body).toMatch(/\| 12 \| 100\.0.*\| 16\.7.*\| significant \|\n\n- ❌ /)
    expect(body).toContain('prompts differ (12 of 12 rows)')
    expect(summary).toContain('| significant |')
    expect(output).toMatch(/^run<<(end-\S+)\n\S+\n\1\ncomparison<<(end-\S+)\n[\s\S]*\n\2\n$/)
    expect(text).not.toContain('secret-token')
    expect(
      execFileSync('git', ['worktree', 'list'], { cwd: folder, encoding: 'utf8', timeout: programTimeout }).trim().split('\n'),
    ).toHaveLength(1)
  })

  test('the comment of an earlier job is replaced, not that of a person who copied its mark', async () => {
    const { folder, sha } = repository(good(), `${good()}\n`)
    const body = '<!-- rolecall eval.yaml -->\nearlier'
    github.comments.push({ id: 1, body, user: { type: 'User' } }, { id: 2, body, user: { type: 'Bot' } })
    expect((await runStep(folder, pullRequest(sha), { 'fail-under': 'accuracy=0.5\naccuracy=0.6' })).code).toBe(0)
    expect(written()).toMatchObject([{ method: 'PATCH', path: '/v1/repos/somebody/prompts/issues/comments/2' }])
  })

  test('what cannot be compared or commented is said, and the run still counts', async () => {
    const { folder, sha } = repository(good(), `${good()}\n`)
    github.status = 403
    const forbidden = await runStep(folder, pullRequest(sha))
    expect({ ...forbidden, output: '', summary: '' }).toMatchObject({
      code: 0,
      text: expect.stringContaining('no comment is written: GitHub answers 403'),
    })
    const unknown = await runStep(folder, pullRequest('$(touch /tmp/owned)'))
    expect(unknown).toMatchObject({ code: 0, text: expect.stringContaining('the event has no base commit') })
    const limit = await runStep(folder, {}, { 'compare-with': 'none', 'fail-under': 'accuracy=1.01' })
    expect(limit.code).toBeGreaterThan(0)
    expect((await runStep(folder, {}, { config: '--help' })).text).toContain('is not the path of a config')
  })
})
