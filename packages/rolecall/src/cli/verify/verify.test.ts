import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Deviation, fakeLlamaServer } from '../../../../../proof/testing/fake-llama-server.ts'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'

// Sentences are compared as a terminal of this width shows them.
beforeEach(() => void vi.stubEnv('COLUMNS', '160'))
afterEach(() => void vi.unstubAllEnvs())

const template = `{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}<|im_start|>assistant
`

const opened: ScriptedServer[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

async function serverWith(deviation: Deviation = {}, source = template): Promise<ScriptedServer> {
  const server = await fakeLlamaServer(source, deviation)
  opened.push(server)
  return server
}

describe('rolecall verify', () => {
  test('a server that renders its template exactly exits with code 0', async () => {
    const { url } = await serverWith()
    const { code, stdout, stderr } = await rolecall(['verify', url, '--requests', '40'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^llama\.cpp fake-1 fake against its own template: the same\n\d+ chats in \d+ requests: \d+ the same by bytes\n/)
    expect(stdout).toContain('token ids were not compared: no tokenizer is given')
  })

  test('differences are grouped by cause with an example, exit with code 3, and are available as JSON', async () => {
    const { url } = await serverWith({ messages: (messages) => messages.filter(({ role }) => role !== 'system') })
    const { code, stdout } = await rolecall(['verify', url])
    expect(code).toBe(3)
    expect(stdout).toMatch(
      /^\d+ {2}the system message is written differently or dropped \(system\)\n {2}→ .+\n {2}e\.g\. {4}system.*\n {2}ours {4}".*\n {2}server {2}"/m,
    )
    const found = JSON.parse((await rolecall(['verify', url, '--json'])).stdout)
    expect(found).toMatchObject({ server: { kind: 'llama.cpp' }, byCause: [{ cause: 'system' }] })
  })

  test('compares with a given template, format and tokenizer', async () => {
    const { url } = await serverWith()
    const folder = folderWith({
      'a.jinja': template.replace('{{ m.content }}', '{{ m.content | trim }}'),
      'tokenizer_config.json': '{"bos_token": "<s>"}',
    })
    const trimmed = await rolecall(['verify', url, '--chat-template', 'a.jinja'], folder)
    expect(trimmed.stdout).toMatch(/against a\.jinja: \d+ differences?\n[\s\S]*^\d+ {2}only whitespace differs/m)
    const named = await rolecall([
      'verify',
      url,
      '--format',
      'internlm2',
      '--tokenizer',
      join(import.meta.dirname, '../../../embedded-model'),
    ])
    expect(named.stdout).toContain('against internlm2')
    expect(named.stdout).toContain('tools')
    const both = await rolecall(['verify', url, '--format', 'internlm2', '--chat-template', 'a.jinja'], folder)
    expect(both.stderr).toContain('only one format can be set')
  })

  test("a server's template has limits: an endless one is an error", { timeout: 60_000 }, async () => {
    const endless = `{% for a in range(99999) %}{% for b in range(99999) %}{{ a }}{% endfor %}{% endfor %}${template}`
    const server = await scriptedServer(({ path }) => {
      if (path === '/v1/models') return { json: { data: [{ id: 'm' }] } }
      return path === '/props' ? { json: { chat_template: endless } } : { json: { prompt: 'x', tokens: [1] } }
    })
    opened.push(server)
    const { code, stderr } = await rolecall(['verify', server.url, '--requests', '14'])
    expect(code).toBe(2)
    expect(stderr).toContain('its own template')
    expect(server.seen).toHaveLength(2)
  })

  test('invalid addresses, unreachable servers and missing options exit with code 2', async () => {
    expect(await rolecall(['verify', 'nonsense'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not a server address') })
    expect(await rolecall(['verify', 'http://127.0.0.1:9'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('127.0.0.1:9/v1/models'),
    })
    const { url } = await serverWith()
    expect(await rolecall(['verify', url, '--requests', '3'])).toMatchObject({ code: 2, stderr: expect.stringContaining('allow more') })
    expect(await rolecall(['verify', url, '--requests', 'many'])).toMatchObject({ code: 2 })
    const vllm = await scriptedServer(() => ({ json: { data: [{ id: 'm', owned_by: 'vllm', root: 'org/model' }] } }))
    opened.push(vllm)
    expect(await rolecall(['verify', vllm.url])).toMatchObject({ code: 2, stderr: expect.stringContaining('--format') })
  })

  test('a key is read from the environment and not printed', async () => {
    const server = await serverWith()
    const { stdout } = await rolecall(['verify', server.url, '--requests', '12', '--key-env', 'MY_KEY', '--json'], undefined, {
      MY_KEY: 'secret-key',
    })
    expect(server.seen.every(({ headers }) => headers.authorization === 'Bearer secret-key')).toBe(true)
    expect(stdout).not.toContain('secret-key')
  })
})
