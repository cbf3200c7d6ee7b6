import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { engineCommand, loadsWeights, localModelServer } from '../../compat/opencompass/import/local-model-server.ts'
import { type LaunchedEngine, launchEngine } from './launch-engine.ts'
import { launchEngines } from './launch-engines.ts'

const folder = folderWith({
  // A stand-in for an engine: it answers after a while, and starts a child that would outlive it.
  'engine.mjs': `
import { createServer } from 'node:http'
import { spawn } from 'node:child_process'
const [path, port] = process.argv.slice(2)
console.log('loading ' + path)
const later = 'setTimeout(() => require("node:fs").writeFileSync(process.argv[1], ""), 4000)'
spawn(process.execPath, ['-e', later, import.meta.dirname + '/written-later'], { stdio: 'ignore' })
setTimeout(() => createServer((request, response) => {
  if (request.url === '/version') return response.end('{"version": "1.2.3"}')
  response.end(JSON.stringify({ data: [{ id: path }], pid: process.pid }))
}).listen(Number(port), '127.0.0.1'), 300)
`,
  'exits.mjs': `console.error('CUDA out of memory'); process.exit(3)`,
  'silent.mjs': `setInterval(() => {}, 1000); process.on('SIGTERM', () => {})`,
})
const model = { abbr: 'm', type: 'HuggingFacewithChatTemplate', path: 'org/m' }
const own = (script: string) => `"${process.execPath}" ${folder}/${script} {path} {port}`
let engine: LaunchedEngine | undefined
afterEach(async () => {
  await engine?.stop()
})

describe('an engine', () => {
  test('is started, waited for, and stopped with its children', async () => {
    engine = await launchEngine(model, { engine: own('engine.mjs'), seconds: 30 })
    expect(engine.version).toBe('1.2.3')
    expect(engine.command.at(-2)).toBe('org/m')
    const { pid, data } = (await (await fetch(`${engine.url}/models`)).json()) as { pid: number; data: { id: string }[] }
    expect(data).toEqual([{ id: 'org/m' }])
    await engine.stop()
    expect(isThere(pid)).toBe(false)
    await sleep(4500)
    expect(existsSync(`${folder}/written-later`)).toBe(false)
  })

  test('that exits, never answers or cannot be started is an error with what it printed', async () => {
    const launch = (command: string, seconds = 30) => launchEngine(model, { engine: command, seconds })
    await expect(launch(own('exits.mjs'))).rejects.toThrow(/exit code 3.*CUDA out of memory/)
    const time = performance.now()
    await expect(launch(own('silent.mjs'), 1)).rejects.toThrow('did not answer')
    expect(performance.now() - time).toBeLessThan(14_000)
    await expect(launch('no-such-engine-here --port {port}')).rejects.toThrow('ENOENT')
    await expect(launch('vlm')).rejects.toThrow('nor a command with {port}')
  })

  test('ends when the process that started it is killed', async () => {
    const script = `import { launchEngine } from ${JSON.stringify(new URL('./launch-engine.ts', import.meta.url).pathname)}
const engine = await launchEngine({ path: 'org/m' }, { engine: ${JSON.stringify(own('engine.mjs'))}, seconds: 30 })
console.log(engine.url)`
    const root = new URL('../../../../../', import.meta.url).pathname
    const file = `${folder}/start.ts`
    writeFileSync(file, script)
    const starter = spawn(process.execPath, [`${root}scripts/ts.mjs`, file], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    const url = await new Promise<string>((resolve) =>
      starter.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim())),
    )
    const { pid } = (await (await fetch(`${url}/models`)).json()) as { pid: number }
    starter.kill('SIGKILL')
    for (let tries = 0; tries < 100 && isThere(pid); tries++) await sleep(100)
    expect(isThere(pid)).toBe(false)
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the command of an engine', () => {
  test('has the settings of the config that it shares', () => {
    const settings = {
      ...model,
      tokenizer_path: 'org/t',
      model_kwargs: { tensor_parallel_size: 2, trust_remote_code: true },
      max_seq_len: 4096,
    }
    expect(engineCommand('vllm', settings, 8001).join(' ')).toBe(
      'vllm serve org/m --tokenizer org/t --tensor-parallel-size 2 --trust-remote-code --port 8001',
    )
    expect(engineCommand('sglang', settings, 30001).join(' ')).toBe(
      'python3 -m sglang.launch_server --model-path org/m --tokenizer-path org/t --tp-size 2 --trust-remote-code --port 30001',
    )
    expect(engineCommand('lmdeploy', settings, 23334).join(' ')).toBe(
      'lmdeploy serve api_server org/m --session-len 4096 --server-port 23334',
    )
    expect(engineCommand('llama-server', { ...settings, path: 'm.gguf' }, 8081).join(' ')).toBe(
      'llama-server -m m.gguf -c 4096 --port 8081',
    )
    expect(localModelServer(model)).toEqual({ command: ['vllm', 'serve', 'org/m'], url: 'http://127.0.0.1:8000/v1' })
  })

  test('is only for models that load weights', async () => {
    expect(loadsWeights({ type: 'opencompass.models.VLLM', path: 'org/m' })).toBe(true)
    expect(loadsWeights({ type: 'openai', path: 'm', base_url: 'http://h/v1' })).toBe(false)
    await expect(
      launchEngines([{ abbr: 'o', type: 'openai', path: 'm' }], undefined, { engine: 'vllm', seconds: 1, note: () => {} }),
    ).rejects.toThrow('nothing to serve')
  })
})
