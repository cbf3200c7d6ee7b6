import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promptText } from '@rolecall/core/internal/format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptedModel } from '../../../../proof/testing/scripted-model.ts'
import { type ClientName, type ClientSettings, clientSettings } from './client-settings.ts'
import { createApp } from './create-app.ts'
import { type Listening, listen } from './listen.ts'
import type { RequestEntry } from './request-log.ts'

// The coding agents themselves, with the settings that `rolecall serve --for` prints: each runs a command that the model asks for, and shows
// the model's answer. They are not ours to depend on: `scripts/install-peers.sh FOLDER --agents` installs them.

/** Where they are installed, under `ROLECALL_PEERS` or `.cache/peers`. */
const programs = join(process.env.ROLECALL_PEERS ?? '.cache/peers', 'agents/node_modules/.bin')

const template = `{% for tool in tools or [] %}[{{ tool | tojson }}]
{% endfor %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content or '' }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

/** How each agent runs one prompt without a terminal, and its tool for commands. */
const runs: Readonly<Record<ClientName, { arguments: readonly string[]; tool: string; input: object; ignoresNoProxy?: true }>> = {
  'claude-code': {
    arguments: ['-p', 'Look around.', '--allowedTools', 'Bash'],
    tool: 'Bash',
    input: { command: 'echo zq$((40+2))', description: 'Looks' },
  },
  codex: {
    arguments: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'Look around.'],
    tool: 'exec_command',
    input: { cmd: 'echo zq$((40+2))' },
  },
  opencode: { arguments: ['run', 'Look around.'], tool: 'bash', input: { command: 'echo zq$((40+2))', description: 'Looks' } },
  'qwen-code': {
    arguments: ['--yolo', 'Look around.'],
    tool: 'run_shell_command',
    input: { command: 'echo zq$((40+2))', description: 'Looks', is_background: false },
    ignoresNoProxy: true,
  },
  cline: { arguments: ['Look around.'], tool: 'run_commands', input: { commands: ['echo zq$((40+2))'] } },
  pi: { arguments: ['--offline', '-p', 'Look around.'], tool: 'bash', input: { command: 'echo zq$((40+2))' } },
}

const requests: RequestEntry[] = []
let server: Listening
let home: string

beforeAll(async () => {
  const model = scriptedModel({
    concurrency: 4,
    says(prompt) {
      const text = prompt.kind === 'completion' ? promptText(prompt) : ''
      const called = Object.values(runs).find(({ tool }) => text.includes(`"name": "${tool}"`))
      const hasResult = text.includes('zq42')
      if (!called || hasResult || text.includes('<tool_call>')) return [`It is ${hasResult ? 'zqDONE' : 'nothing'}.`]
      return ['I look.', `<tool_call>\n${JSON.stringify({ name: called.tool, arguments: called.input })}\n</tool_call>`]
    },
  })
  const models = [{ model, name: 'scripted', config: { chat_template: template, roles: 'auto' } as const }]
  server = await listen(createApp({ models, onRequest: (entry) => void requests.push(entry) }))
})
afterAll(() => server.close({ now: true }))

describe.each(Object.keys(runs) as ClientName[])('%s', (name) => {
  const { arguments: given, tool, ignoresNoProxy } = runs[name]
  const settings: ClientSettings = clientSettings[name]({ url: 'http://127.0.0.1', model: 'scripted', hasKey: false })
  const program = join(programs, settings.start[0] ?? name)

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'rolecall-agent-'))
  })
  afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

  test.skipIf(!existsSync(program))(`runs a command and answers (skipped without ${program})`, { timeout: 240_000 }, async () => {
    const { files, env, setup, start } = clientSettings[name]({ url: server.url, model: 'scripted', hasKey: false }) as ClientSettings
    for (const [path, text] of Object.entries(files)) {
      const place = path.replace('~', home)
      await mkdir(dirname(place), { recursive: true })
      await writeFile(place, text)
    }
    const project = join(home, 'project')
    await mkdir(project)
    const variables = { PATH: process.env.PATH ?? '', HOME: home, ...folders(home), ...(ignoresNoProxy ? {} : onlyLoopback), ...env }
    const run = ([command = '', ...words]: readonly string[]) => output(join(programs, command), words, { cwd: project, env: variables })
    for (const command of setup) await run(command)
    requests.length = 0
    const { code, text } = await run([...start, ...given])
    expect([code, text]).toEqual([0, expect.stringContaining('zqDONE')])
    expect(requests.filter(({ status }) => status !== 200)).toEqual([])
    expect(requests.length, `${tool} is called once, its result is answered once; some agents ask for a title`).toBeLessThan(9)
  })
})

/** Nothing but the server can be reached: what a client wants of other machines fails at once. */
const onlyLoopback: NodeJS.ProcessEnv = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
}

function folders(home: string): NodeJS.ProcessEnv {
  const [XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME] = ['.config', '.data', '.cache', '.state'].map((name) =>
    join(home, name),
  )
  return { XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME }
}

/** What a command prints; ends it after some minutes. */
function output(
  command: string,
  words: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: 200_000 })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('error', reject)
    // Its own children may keep the pipes open.
    child.on('exit', (code) => setTimeout(() => resolve({ code, text }), 200))
  })
}
