import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { main, rolecall } from '../../../../../proof/testing/rolecall.ts'

type Started = { process: ChildProcessWithoutNullStreams; url: string; printed: () => string; ended: Promise<number | null> }

/** Starts a server as a user would, and waits until it prints its address. */
async function start(
  args: readonly string[],
  { cwd = tmpdir(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Started> {
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  while (!printed.includes('curl ') && !printed.includes('export ')) {
    const isOver = await Promise.race([ended.then(() => true), new Promise<false>((resolve) => setTimeout(() => resolve(false), 50))])
    if (isOver) throw new Error(`it ended: ${printed}`)
  }
  return { process: child, url: /http:\S+(?=\/v1\s)/.exec(printed)![0], printed: () => printed, ended }
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })

/** Enough tokens to interrupt the reply. */
const long = { prompt: '<s>', temperature: 1, seed: 1, min_tokens: 120, max_tokens: 120, stream: true }

// Each test starts a process, which is slow on a busy machine.
describe('rolecall serve', { timeout: 120_000 }, () => {
  test('prints its address and an example request; a signal lets it finish running requests', async () => {
    const server = await start(['--log'])
    const answer = await post(`${server.url}/v1/completions`, long)
    server.process.kill('SIGTERM')
    const text = await answer.text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await server.ended).toBe(0)
    expect(server.printed()).toContain(`curl ${server.url}/v1/chat/completions`)
    expect(server.printed()).toContain('"model":"tiny-chat"')
    expect(server.printed()).toMatch(/POST \/v1\/completions 200 \d+ ms/)
  })

  test('prints the settings of a coding agent, with the key as a variable', async () => {
    const server = await start(['--for', 'claude-code'], { env: { ROLECALL_API_KEY: 'secret' } })
    // It waits for signals once it has printed everything.
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    server.process.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const settings = [
      `export ANTHROPIC_BASE_URL=${server.url}`,
      'export ANTHROPIC_AUTH_TOKEN="$ROLECALL_API_KEY"',
      'export ANTHROPIC_MODEL=tiny-chat',
    ]
    expect(server.printed()).toContain(settings.join('\n'))
    expect(server.printed()).not.toContain('secret')
  })

  test('stops immediately at the second signal', async () => {
    const server = await start([])
    const answer = await post(`${server.url}/v1/completions`, { ...long, min_tokens: 900, max_tokens: 900 })
    server.process.kill('SIGINT')
    while (!server.printed().includes('again to stop')) await new Promise((resolve) => setTimeout(resolve, 10))
    server.process.kill('SIGINT')
    await expect(answer.text()).rejects.toThrow()
    expect(await server.ended).toBe(130)
  })

  test('serves the models of a config to clients with the key', async () => {
    const config = {
      models: [
        { abbr: 'one', type: 'embedded', format: 'internlm2' },
        { abbr: 'two', type: 'embedded', format: 'chatml' },
      ],
    }
    const cwd = folderWith({ 'rolecall.config.json': JSON.stringify(config) })
    const server = await start([], { cwd, env: { ROLECALL_API_KEY: 'secret' } })
    try {
      expect((await fetch(`${server.url}/v1/models`)).status).toBe(401)
      const { data } = (await (await fetch(`${server.url}/v1/models`, { headers: { authorization: 'Bearer secret' } })).json()) as {
        data: { id: string }[]
      }
      expect(data.map(({ id }) => id)).toEqual(['one', 'two'])
      expect(server.printed()).not.toContain('secret')
    } finally {
      server.process.kill('SIGTERM')
      await server.ended
    }
  })

  test('rejects invalid settings before it listens', async () => {
    const wrong: [string[], string][] = [
      [['--host', '0.0.0.0'], 'without a key'],
      [['--model', 'gpt'], 'embedded, gguf:PATH, openai:NAME@URL, anthropic:NAME@URL or google:NAME@URL'],
    ]
    for (const [args, message] of wrong) {
      const { code, stderr } = await rolecall(['serve', ...args])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    }
  })
})
