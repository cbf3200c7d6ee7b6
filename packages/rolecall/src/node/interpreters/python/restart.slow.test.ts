import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPython, warnIfMissing } from '../../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../../proof/testing/python-snapshot.ts'
import { sampleOf, triesAll } from '../../../../../../proof/testing/sampling.ts'
import { showOutputs } from '../../../model/agent/show-outputs.ts'
import { isAlive } from '../../runs/process-mark.ts'
import { type PythonSandbox, pythonSandbox } from './python-sandbox.ts'

keepPythonSnapshot()
warnIfMissing(hasPython, 'restarts of the Python sandbox', 'deno and pyodide')

const secret = 'what-only-the-next-user-may-see'
const inJavaScript = (script: string) => `from pyodide.code import run_js\nrun_js(${JSON.stringify(script)})\n'planted'`

/** Reads the standard input and replies as if it were the runner. */
const thief = `
  (async () => {
    const write = (text) => Deno.stdout.writeSync(new TextEncoder().encode(text))
    const bytes = new Uint8Array(65536)
    for (let held = ''; ; ) {
      const count = await Deno.stdin.read(bytes)
      if (count === null) return
      held += new TextDecoder().decode(bytes.subarray(0, count))
      const lines = held.split('\\n')
      held = lines.pop()
      for (const line of lines) {
        try {
          const { id } = JSON.parse(line)
          write(JSON.stringify({ id, done: { value: 'stolen: ' + line, data: btoa(line), files: [{ path: line, size: 1 }] } }) + '\\n')
        } catch {
          write(line + '\\n')
        }
      }
    }
  })(), undefined`

const inWorker = (script: string) =>
  `new Worker('data:text/javascript,' + encodeURIComponent(${JSON.stringify(script)}), { type: 'module' })`

/** Traces that code could leave for the next session. */
const plants: Record<string, string> = {
  'a reader of the standard input': inJavaScript(thief),
  'a reader of the standard input in a thread of its own': inJavaScript(inWorker(thief)),
  'a reader of the standard input through Node’s modules': inJavaScript(
    "process.stdin.on('data', (data) => process.stdout.write(JSON.stringify({ id: JSON.parse(String(data)).id, done: { value: 'stolen' } }) + '\\n')); 1",
  ),
  'its own onmessage': inJavaScript(
    'self.onmessage = ({ data }) => self.postMessage({ token: data.token, done: { value: "stolen: " + JSON.stringify(data) } }); 1',
  ),
  'its own postMessage': inJavaScript(
    'const post = self.postMessage.bind(self); self.postMessage = (message) => post(message.done ? { ...message, done: { value: "stolen" } } : message); 1',
  ),
  'getters on prototypes': inJavaScript(
    "Object.defineProperty(Object.prototype, 'do', { get() { return 'run' } }); Object.defineProperty(Object.prototype, 'code', { get() { return '\"stolen\"' } }); 1",
  ),
  'timers that print': inJavaScript(
    'setInterval(() => Deno.stdout.writeSync(new TextEncoder().encode(\'{"done": {"value": "stolen"}}\\n\'.repeat(100))), 0); 1',
  ),
  'threads that never rest': inJavaScript(`[${Array.from({ length: 4 }, () => inWorker('for (;;);')).join(', ')}].length`),
  'a thread that has ended itself': inJavaScript('setTimeout(() => self.close(), 0); 1'),
  'a changed Python': [
    'import builtins, sys, math, os, asyncio',
    'builtins.sum = lambda values: 7',
    'math.sqrt = lambda value: 7',
    'sys.modules["json"] = math',
    'sys.setrecursionlimit(100)',
    'os.environ["MADE"] = "1"',
    'open("made.txt", "w").write("x")',
    'open("/lib/python314.zip", "wb").write(b"")',
    'import js',
    'js.globalThis.made = 1',
    'async def forever():',
    '    while True: await asyncio.sleep(0)',
    'task = asyncio.ensure_future(forever())',
    'made = 1',
    "'planted'",
  ].join('\n'),
}

describe.skipIf(!hasPython)('the next session finds no trace of (skipped without deno or pyodide)', () => {
  let sandbox: PythonSandbox

  beforeAll(async () => {
    sandbox = pythonSandbox()
    await sandbox.start!()
  }, 120_000)
  afterAll(() => sandbox?.close())

  // Each ends a process: CI tries a sample, another one for each commit.
  for (const [name, plant] of sampleOf(Object.entries(plants), triesAll ? 6 : 3)) {
    test(name, async () => {
      const { pid } = sandbox
      const { outputs: planted, restarted } = await sandbox.run(plant)
      // V8 may abort for lack of memory when threads start. That is safe: everything the code left is gone with the process.
      if (!restarted) expect(showOutputs(planted)).toBe("'planted'")
      await sandbox.restart()
      expect(isAlive(pid!)).toBe(false)
      await sandbox.addFile('secret.txt', new TextEncoder().encode(secret))
      const code = [
        'import sys, math, os, js, json',
        'print(open("secret.txt").read())',
        'json.dumps([sum([1]), math.sqrt(4), sys.getrecursionlimit() > 500, "MADE" in os.environ, os.listdir("."), hasattr(js, "made"), "made" in globals()])',
      ]
      const { ok, outputs } = await sandbox.run(code.join('\n'))
      expect({ ok, shown: showOutputs(outputs) }).toEqual({
        ok: true,
        shown: `${secret}\n'[1, 2.0, true, false, ["secret.txt"], false, false]'`,
      })
      expect(await sandbox.listFiles()).toEqual([{ path: 'secret.txt', size: secret.length }])
      expect(new TextDecoder().decode(await sandbox.readFile('secret.txt'))).toBe(secret)
    }, 60_000)
  }

  test('random numbers differ between sessions', async () => {
    const draw = async () => showOutputs((await sandbox.run('import random\nrandom.random()')).outputs)
    const before = await draw()
    await sandbox.restart()
    expect(await draw()).not.toBe(before)
  }, 60_000)

  test('the spare process is used, and an unused process is not replaced', async () => {
    await sandbox.restart()
    const { pid } = sandbox
    await sandbox.restart()
    expect(sandbox.pid).toBe(pid)
    await sandbox.run('import js\njs.globalThis.made = 1')
    await sandbox.restart()
    expect(sandbox.pid).not.toBe(pid)
  }, 60_000)
})

describe.skipIf(!hasPython)('limits that code cannot lift (skipped without deno or pyodide)', () => {
  let sandbox: PythonSandbox
  const maxOutput = 5000

  beforeAll(async () => {
    sandbox = pythonSandbox({ softLimit: 2000, grace: 1000, maxFile: 2 ** 20, maxOutput, maxTraffic: 4 * 2 ** 20 })
    await sandbox.start!()
  }, 120_000)
  afterAll(() => sandbox?.close())

  const run = async (code: string) => {
    const result = await sandbox.run(code)
    return { ...result, shown: showOutputs(result.outputs) }
  }

  test('output, where code sends it past Python', async () => {
    const { outputs, shown } = await run(
      inJavaScript("for (let i = 0; i < 20; i++) self.postMessage({ output: { stream: 'stdout', text: 'x'.repeat(1000) } }); 1"),
    )
    expect(outputs.reduce((sum, output) => sum + (output.kind === 'text' ? output.text.length : 0), 0)).toBe(maxOutput)
    expect(shown).toContain('[the output was too long: 15000 characters were left out]')
  }, 60_000)

  for (const [name, flood] of Object.entries({
    messages: "for (;;) self.postMessage({ output: { stream: 'stdout', text: 'x'.repeat(100000) } })",
    'the standard output': 'for (;;) Deno.stdout.writeSync(new Uint8Array(65536))',
    'the standard error': 'for (;;) Deno.stderr.writeSync(new Uint8Array(65536))',
  }))
    test(`bytes: a flood of ${name} ends the process`, async () => {
      const { restarted, shown } = await run(inJavaScript(flood))
      expect(restarted).toBe(true)
      // Messages pass through the runner, which may be too slow to forward so many in time, or run out of memory first.
      const ends = name === 'messages' ? /it wrote more than 4 MiB|it ran for 3 s|it ended with SIG/ : /it wrote more than 4 MiB/
      expect(shown).toMatch(ends)
      expect((await run('1 + 1')).shown).toBe('2')
    }, 60_000)

  test('the time of a file call', async () => {
    const impatient = pythonSandbox({ fileLimit: 200 })
    try {
      await impatient.run(inJavaScript('self.onmessage = () => undefined; 1'))
      await expect(impatient.listFiles()).rejects.toMatchObject({
        code: 'python-ended',
        problem: expect.stringContaining('more than 0.2 s'),
      })
      // The model did not make the file call, so it learns of the restart with its next code.
      const { restarted, outputs } = await impatient.run('1 + 1')
      expect({ restarted, shown: showOutputs(outputs) }).toEqual({
        restarted: true,
        shown: '[Python had to be started anew: a file call took more than 0.2 s. Variables and files are gone]\n2',
      })
    } finally {
      await impatient.close()
    }
  }, 60_000)

  test('the time of code that ended its thread', async () => {
    expect(await run(inJavaScript('self.close(); 1'))).toMatchObject({ ok: false, restarted: true })
    expect((await run('1 + 1')).shown).toBe('2')
  }, 60_000)

  test('forged names and sizes of files', async () => {
    await run(
      inJavaScript(
        'self.onmessage = ({ data }) => self.postMessage({ token: data.token, done: { files: Array(5000).fill({ path: "x", size: 1 }), data: "A".repeat(2_000_000) } }); 1',
      ),
    )
    expect(await sandbox.listFiles()).toHaveLength(1000)
    await expect(sandbox.readFile('x')).rejects.toMatchObject({ code: 'no-file' })
  }, 60_000)

  test('broken and cyclic links are not followed', async () => {
    await sandbox.restart()
    await run(
      'import os\nos.symlink("nowhere", "broken")\nos.symlink(".", "circle")\nopen("here", "w").write("x")\nos.symlink("here", "there")',
    )
    expect(await sandbox.listFiles()).toEqual([
      { path: 'here', size: 1 },
      { path: 'there', size: 1 },
    ])
  }, 60_000)

  test.skipIf(process.platform !== 'linux')(
    'processor time between runs: nothing runs on (needs /proc)',
    async () => {
      await run(
        inJavaScript(`setInterval(() => { for (const end = Date.now() + 20; Date.now() < end; ); }, 0), ${inWorker('for (;;);')}, 1`),
      )
      const { pid } = sandbox
      await new Promise((resolve) => setTimeout(resolve, 200))
      const before = processorTicks(pid!)
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(processorTicks(pid!) - before).toBe(0)
      expect((await run('1 + 1')).shown).toBe('2')
      expect(sandbox.pid).toBe(pid)
    },
    60_000,
  )
})

/** User and system time of all threads, in hundredths of a second. */
function processorTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}
