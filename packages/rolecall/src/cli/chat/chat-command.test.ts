import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { hasPython } from '../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../proof/testing/python-snapshot.ts'
import { main, rolecall } from '../../../../../proof/testing/rolecall.ts'
import { triesAll } from '../../../../../proof/testing/sampling.ts'
import type { Transcript } from '../../model/agent/transcript.ts'

keepPythonSnapshot()

const { FORCE_COLOR: _, ...environment } = process.env
const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** Runs `rolecall chat` in a pipe; `input` holds the user's lines. */
const chat = (args: readonly string[], input = '', cwd = tmpdir()) => rolecall(['chat', ...args], cwd, {}, input)

const events = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; [key: string]: unknown })

const schemas = JSON.stringify([
  {
    type: 'function',
    function: {
      name: 'get_current_weather',
      description: 'Get the current weather in a given location',
      parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
    },
  },
])

describe('in a pipe', { timeout: 120_000 }, () => {
  test("runs document 004's conversation to its end with no flags", async () => {
    const { code, stdout, stderr } = await chat(['我想了解今天上海的天气'])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: [
        '好的，我将为你查询上海的天气。',
        '→ get_current_weather {"location": "Shanghai"}',
        '← {"temperature": 22}',
        '上海的天气是 22 摄氏度',
        '',
      ].join('\n'),
      stderr: '',
    })
  })

  test('--stats reports how much of each prompt was cached', async () => {
    const { code, stderr } = await chat(['--no-tools', '--stats'], '12+30=?\n1+1=?\n')
    const told = [...stderr.matchAll(/^prompts: (\d+) tokens, (\d+) from the cache \(\d+ %\); replies: (\d+) tokens?$/gm)]
    expect({ code, lines: told.length }).toEqual({ code: 0, lines: 2 })
    const [first, second] = told.map(([, prompt, reused, reply]) => ({
      prompt: Number(prompt),
      reused: Number(reused),
      reply: Number(reply),
    }))
    // The whole first prompt and its reply are in the cache.
    expect(second!.reused).toBeGreaterThanOrEqual(first!.prompt)
  })

  test('--json prints events; the calling program answers tools that are only schemas', async () => {
    const folder = folderWith({ 'tools.json': schemas })
    const said = ['12+30=?', '{"content": "我想了解今天上海的天气"}', '{"content": {"temperature": -7}}', ''].join('\n')
    const { code, stdout } = await chat(['--json', '--tools', 'tools.json'], said, folder)
    expect(code).toBe(0)
    const told = events(stdout)
    expect(told.filter(({ type }) => type === 'done')).toMatchObject([
      { reason: 'answer', text: '42', turns: 1 },
      { reason: 'answer', text: '上海的天气是 -7 摄氏度', turns: 2 },
    ])
    expect(told).toContainEqual({ type: 'waiting', id: 'call_0', name: 'get_current_weather', arguments: { location: 'Shanghai' } })
    expect(told.some(({ type }) => type === 'prompt')).toBe(false)
  })

  test("runs a module's tools and slash commands, and shows exact prompts", async () => {
    const tools = `export default [{ ...${JSON.stringify(JSON.parse(schemas)[0].function)}, run: ({ location }) => ({ temperature: location.length }) }]`
    const folder = folderWith({ 'tools.ts': tools })
    const said = [
      '/tools',
      '/system Be brief.',
      '我想了解今天上海的天气',
      '/prompt',
      '/save chat.json',
      '/reset',
      '/history',
      '/load chat.json',
      '/history',
      '',
    ].join('\n')
    const { code, stdout } = await chat(['--tools', 'tools.ts', '--show-prompt'], said, folder)
    expect(code).toBe(0)
    expect(stdout).toContain('get_current_weather Get the current weather')
    expect(stdout).toContain('上海的天气是 8 摄氏度')
    expect(stdout).toContain('⟦<s><|im_start|>system⟧\n│ Be brief.⟦<|im_end|>⟧')
    expect(stdout).toContain('⟦<|im_start|>environment name=<|plugin|>⟧\n│ {"temperature": 8}⟦<|im_end|>⟧')
    expect(stdout).toMatch(/new chat\n {2}system Be brief\.\n5 messages loaded\n[\s\S]*assistant 上海的天气是 8 摄氏度\n$/)
    const saved = JSON.parse(readFileSync(join(folder, 'chat.json'), 'utf8')) as Transcript
    expect(saved.steps).toHaveLength(2)
    expect(saved.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant'])
  })

  test.skipIf(!triesAll || !hasPython)(
    '--python: code runs, the answer follows, and the program ends well (needs deno and pyodide; CI only)',
    async () => {
      const { code, stdout, stderr } = await chat(['--python', 'Use Python to compute 123 * 45.'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('5535')
    },
  )

  test('prints a new seed for each sampled chat, and repeats the chat with that seed', async () => {
    const drawn = ['--temperature', '3', '--max-tokens', '8', '--no-tools', 'Hello']
    const [one, other] = [await chat(['--json', ...drawn]), await chat(['--json', ...drawn])]
    const [told] = events(one.stdout)
    expect(told).toEqual({ type: 'seed', seed: expect.any(Number) })
    expect(one.stdout).not.toBe(other.stdout)
    const again = await chat(['--json', '--seed', String(told!.seed), ...drawn])
    expect(again.stdout).toBe(one.stdout)
    const words = await chat(['--seed', '0', ...drawn])
    expect(words.stderr).toBe('seed 0 (--seed 0 repeats this chat)\n')
    expect((await chat(['--seed', '0', ...drawn])).stdout).toBe(words.stdout)
  })

  test('prints no seed for greedy decoding', async () => {
    expect(events((await chat(['--json', '--no-tools', '--max-tokens', '2', 'Hello'])).stdout).some(({ type }) => type === 'seed')).toBe(
      false,
    )
  })

  test('reports user errors with exit code 2', async () => {
    expect(await chat(['--model', 'gpt'], 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a model') })
    expect(await chat([], '/sistem x\n')).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "system"?') })
  })

  test('reads the template from an mlc-chat-config.json', async () => {
    const folder = folderWith({
      'mlc-chat-config.json': '{"conv_template": "vicuna_v1.1", "temperature": 0, "mean_gen_len": 16, "max_window_size": 200}',
    })
    const said = Array.from({ length: 8 }, (_, index) => `Is it ${index}?\n`).join('')
    const { code, stdout } = await chat(['--mlc-config', 'mlc-chat-config.json', '--max-tokens', '8', '--show-prompt'], said, folder)
    expect(code).toBe(0)
    expect(stdout).toContain('A chat between a curious user')
    expect(stdout).toMatch(/warning \d+ messages were left out to stay within the window of 200 tokens/)
  })
})

const script = '/usr/bin/script'
if (!existsSync(script)) console.warn('the chat in a terminal was not tried: there is no /usr/bin/script (util-linux)')

describe.skipIf(!triesAll || !existsSync(script) || process.platform !== 'linux')(
  'in a terminal (needs script of util-linux; CI only)',
  { timeout: 120_000 },
  () => {
    test('Ctrl-C stops the answer but not the program; Ctrl-D exits', async () => {
      const tool = JSON.stringify(JSON.parse(schemas)[0].function)
      const cwd = folderWith({ 'tools.ts': `export default [{ ...${tool}, run: () => new Promise(() => undefined) }]` })
      const command = `${process.execPath} ${main} chat --tools tools.ts`
      const child = spawn(script, ['-qec', command, '/dev/null'], { cwd, env: { ...environment, NO_COLOR: '1', TERM: 'xterm' } })
      running.push(child)
      let shown = ''
      child.stdout.on('data', (chunk) => (shown += chunk))
      const sees = async (what: RegExp) => {
        for (let waited = 0; !what.test(shown); waited += 50) {
          if (waited > 60_000) throw new Error(`${what} did not come: ${JSON.stringify(shown)}`)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
      await sees(/rolecall chat · tiny-chat · internlm2 · tools: get_current_weather · \/help[\s\S]*› /)
      child.stdin.write('我想了解今天上海的天气\r')
      await sees(/→ get_current_weather/)
      child.stdin.write('\u0003')
      await sees(/stopped by the user[\s\S]*› /)
      child.stdin.write('12+30=?\r')
      await sees(/\n42\r?\n/)
      child.stdin.write('\u0003')
      await sees(/press Ctrl-C again or Ctrl-D to exit/)
      child.stdin.write('/help\r')
      await sees(/\/system TEXT/)
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      child.stdin.write('\u0004')
      expect(await ended).toBe(0)
    })
  },
)
