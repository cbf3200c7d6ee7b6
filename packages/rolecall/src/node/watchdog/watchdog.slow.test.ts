import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { main } from '../../../../../proof/testing/rolecall.ts'

vi.setConfig({ testTimeout: 60_000 })

type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

/**
 * Starts a program, sends signals once it prints `busy`, and waits for its exit. Each signal but the first waits until the program has
 * printed `heard` once more, or some time if it cannot print.
 */
function signalled(args: readonly string[], cwd: string, signals: readonly NodeJS.Signals[], heard?: string): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: '1' } })
  const written = { stdout: '', stderr: '' }
  const send = async () => {
    for (const [index, signal] of signals.entries()) {
      if (heard === undefined) await new Promise((resolve) => setTimeout(resolve, 500))
      else await expect.poll(() => written.stdout.split(heard).length - 1, { timeout: 60_000 }).toBe(index)
      child.kill(signal)
    }
  }
  child.stdout.on('data', (chunk) => {
    const before = written.stdout.includes('busy')
    written.stdout += chunk
    if (!before && written.stdout.includes('busy')) void send()
  })
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk
  })
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, ...written })))
}

const busyRun = {
  'rows.jsonl': '{"question": "1+1=", "answer": "2"}\n',
  'rolecall.config.mjs': `export default {
    models: [{ abbr: 'tiny', type: 'embedded', format: 'internlm2', max_out_len: 2 }],
    datasets: [{
      abbr: 'sums', path: 'rows.jsonl', reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }, { role: 'BOT', prompt: '{answer}' }] } }, retriever: { type: 'ZeroRetriever' }, inferencer: { type: 'GenInferencer' } },
      eval_cfg: { evaluator: () => { process.stdout.write('busy\\n'); for (;;); } },
    }],
  }`,
}

test.for(['SIGTERM', 'SIGINT'] as const)('the second %s ends a run whose evaluator never gives the processor back', async (signal) => {
  const ended = await signalled([main, 'run'], folderWith(busyRun), [signal, signal])
  expect(ended.stderr).toContain('killed: the program was too busy')
  expect(ended.signal).toBe('SIGKILL')
})

const library = fileURLToPath(new URL('./watchdog.ts', import.meta.url))

function program(code: string): { file: string; folder: string } {
  const folder = folderWith({})
  const file = join(folder, 'program.cjs')
  const jiti = fileURLToPath(new URL('../../../../../node_modules/jiti/lib/jiti.cjs', import.meta.url))
  writeFileSync(
    file,
    `require(${JSON.stringify(jiti)})(__filename).import(${JSON.stringify(library)}).then(({ Watchdog }) => {
  const say = (text) => require('node:fs').writeSync(1, text + '\\n')
  ${code}
})`,
  )
  return { file, folder }
}

test('a signal that the program handles is left to it, and a reset count starts again', async () => {
  const { file, folder } = program(`
  const watchdog = new Watchdog()
  let heard = 0
  const alive = setInterval(() => undefined, 1000)
  watchdog.hear((count) => {
    watchdog.forget()
    say('heard ' + count)
    if (++heard < 3) return
    clearInterval(alive)
    watchdog.stop().then(() => say('ended'))
  }, ['SIGTERM'])
  setTimeout(() => say('busy'), 300)`)
  const ended = await signalled([file], folder, ['SIGTERM', 'SIGTERM', 'SIGTERM'], 'heard')
  expect(ended.stdout.trim().split('\n')).toEqual(['busy', 'heard 1', 'heard 1', 'heard 1', 'ended'])
  expect(ended).toMatchObject({ code: 0, signal: null })
})

test('a template that renders for too long kills the process and is named', async () => {
  const { file, folder } = program(`
  const watchdog = new Watchdog({ renderSeconds: 1 })
  const slow = watchdog.compile('{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}', { name: 'slow.jinja' })
  const quick = watchdog.compile('{{ a }}', { name: 'quick.jinja' })
  setTimeout(() => {
    say(quick.render({ a: 1 }))
    slow.render({}, { limits: { steps: 1e15 } })
  }, 300)`)
  const ended = await signalled([file], folder, [])
  expect(ended.stdout).toBe('1\n')
  expect(ended.stderr).toContain('error slow.jinja\n  rendering took more than 1 s')
  expect(ended.signal).toBe('SIGKILL')
})
