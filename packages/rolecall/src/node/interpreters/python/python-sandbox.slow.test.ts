import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { harmlessAttacks, sandboxAttacks } from '../../../../../../proof/testing/attack/sandbox-attacks.ts'
import { hasPython, warnIfMissing } from '../../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../../proof/testing/python-snapshot.ts'
import type { CodeResult } from '../../../model/agent/interpreter.ts'
import { showOutputs } from '../../../model/agent/show-outputs.ts'
import { type PythonSandbox, pythonSandbox } from './python-sandbox.ts'

keepPythonSnapshot()
warnIfMissing(hasPython, 'attacks on the Python sandbox', 'deno and pyodide')

const secret = 'the-secret-of-this-test'
let folder: string
let server: Server
let port: number
let connections = 0
let sandbox: PythonSandbox

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-sandbox-'))
  writeFileSync(join(folder, 'secret.txt'), secret)
  process.env.ROLECALL_SANDBOX_SECRET = secret
  server = createServer((socket) => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
  sandbox = pythonSandbox({ maxOutput: 10_000, memory: 256 })
  await sandbox.start!()
}, 120_000)

afterAll(async () => {
  delete process.env.ROLECALL_SANDBOX_SECRET
  await sandbox?.close()
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** No attack may run, write, read or contact anything on this machine. */
afterEach(() => {
  expect(readdirSync(folder)).toEqual(['secret.txt'])
  expect(connections).toBe(0)
})

const run = (code: string) => runIn(sandbox, code)

async function runIn(python: PythonSandbox, code: string): Promise<CodeResult & { shown: string }> {
  const result = await python.run(code.replaceAll('FOLDER', folder).replaceAll('PORT', String(port)))
  const shown = showOutputs(result.outputs)
  expect(shown).not.toContain(secret)
  return { ...result, shown }
}

describe.skipIf(!hasPython)('as in a notebook (skipped without deno or pyodide)', () => {
  test('returns printed output and the last value, and keeps variables', async () => {
    expect(await run('x = 40\nprint("hello")\nx + 2')).toMatchObject({ ok: true, shown: 'hello\n42' })
    expect((await run('x')).shown).toBe('40')
    expect((await run('_ + 1')).shown).toBe('41')
    expect((await run('x;')).shown).toBe('')
    expect((await run('import sys\nprint("a", file=sys.stderr)\nNone')).outputs).toEqual([{ kind: 'text', stream: 'stderr', text: 'a\n' }])
    expect((await run('import asyncio\nawait asyncio.sleep(0.01)\n"done"')).shown).toBe("'done'")
  }, 60_000)

  test('errors have a traceback', async () => {
    const { ok, outputs } = await run('def f():\n    return 1/0\n\nf()')
    expect(ok).toBe(false)
    expect(outputs).toEqual([
      {
        kind: 'error',
        name: 'ZeroDivisionError',
        message: 'division by zero',
        text: expect.stringMatching(/^Traceback \(most recent call last\):\n {2}File "<cell \d+>", line 4, in <module>\n {4}f\(\)/),
      },
    ])
    expect((await run('print(')).shown).toContain('SyntaxError')
    expect((await run('input()')).shown).toContain('EOFError')
    expect((await run('raise SystemExit(3)')).shown).toContain('SystemExit')
  })

  test('adds, lists and reads files', async () => {
    await sandbox.addFile('data.csv', new TextEncoder().encode('a,b\n1,2\n'))
    expect((await run('import csv\nrows = list(csv.reader(open("data.csv")))\nrows')).shown).toBe("[['a', 'b'], ['1', '2']]")
    await run('import os\nos.makedirs("out", exist_ok=True)\nopen("out/résumé.bin", "wb").write(bytes(range(256)))')
    expect(await sandbox.listFiles()).toEqual(
      expect.arrayContaining([
        { path: 'data.csv', size: 8 },
        { path: 'out/résumé.bin', size: 256 },
      ]),
    )
    expect(await sandbox.readFile('out/résumé.bin')).toEqual(Uint8Array.from({ length: 256 }, (_, index) => index))
    await expect(sandbox.readFile('nothing')).rejects.toMatchObject({ code: 'no-file' })
  })

  test('missing modules are named, with a hint at Jupyter', async () => {
    for (const name of ['numpy', 'pandas', 'plotly']) {
      const { shown } = await run(`import ${name}.sub`)
      expect(shown).toContain(`ModuleNotFoundError: No module named '${name}'`)
      expect(shown).toContain('a Jupyter server (--jupyter URL)')
      expect(shown).not.toContain('micropip')
    }
  })
})

describe.skipIf(!hasPython)('code that exceeds a limit is stopped, and the state is kept (skipped without deno or pyodide)', () => {
  test('an endless loop, a long sleep, and an abort by the user', async () => {
    // On a busy machine, an interrupt takes its time.
    const impatient = pythonSandbox({ softLimit: 1000, grace: 60_000 })
    try {
      const endless = await runIn(impatient, 'kept = 7\nwhile True: pass')
      expect(endless.shown).toMatch(/KeyboardInterrupt\n\[interrupted after 1 s; variables are kept\]$/)
      expect((await runIn(impatient, 'import time\ntime.sleep(60)')).shown).toContain('interrupted after 1 s')
      expect((await runIn(impatient, 'kept')).shown).toBe('7')
    } finally {
      await impatient.close()
    }
    const abort = new AbortController()
    const stopped = sandbox.run('kept = 7\nprint("it runs")\nwhile True: pass', {
      signal: abort.signal,
      onOutput: () => abort.abort(),
    })
    expect(showOutputs((await stopped).outputs)).toContain('stopped by the user; variables are kept')
    expect((await sandbox.run('kept = 8', { signal: AbortSignal.abort() })).ok).toBe(false)
    expect((await run('kept')).shown).toBe('7')
  }, 120_000)

  test('huge output', async () => {
    const { shown, ok } = await run('for i in range(4000): print("x" * 100)')
    expect(ok).toBe(true)
    expect(shown.length < 11_000).toBe(true)
    expect(shown.slice(-80)).toMatch(/\[the output was too long: 39\d+ characters were left out\]$/)
    expect((await run('"y" * 1000000')).shown.length).toBeLessThan(11_000)
  })

  test('a huge allocation', async () => {
    expect((await run('kept = 7\nblock = bytearray(1024 * 1024 * 1024)')).shown).toContain('MemoryError')
    expect((await run('kept')).shown).toBe('7')
  })
})

describe.skipIf(!hasPython)('attacks reach nothing on this machine (skipped without deno or pyodide)', () => {
  for (const [name, code] of Object.entries(sandboxAttacks)) {
    test(name, async () => {
      const { ok, restarted } = await run(code)
      expect(ok && !harmlessAttacks.includes(name)).toBe(false)
      // V8 may abort for lack of memory when a thread starts, which is safe.
      if (!name.startsWith('another thread')) expect(restarted).toBe(undefined)
    }, 120_000)
  }

  test('code that writes into the pipe can at most forge its own result', async () => {
    const lines = ['not JSON', '[1]', 'null', '{"id": "guess", "done": {"value": "forged"}}', '{"id": 5}', '{"ready": 1}']
    const { shown } = await run(
      `from pyodide.code import run_js\nrun_js("Deno.stdout.writeSync(new TextEncoder().encode(${JSON.stringify(JSON.stringify(`\n${lines.join('\n')}\n`)).slice(1, -1)}))")\n"mine"`,
    )
    expect(shown).toBe("'mine'")
    expect((await run('1 + 1')).shown).toBe('2')
  })

  test('messages to the runner can at most forge its own result', async () => {
    const { shown } = await run(
      'import js\nfrom pyodide.ffi import to_js\njs.postMessage(to_js({"done": {"value": "forged"}}, dict_converter=js.Object.fromEntries))\n"mine"',
    )
    expect(shown).toBe("'mine'")
    expect((await run('1 + 1')).shown).toBe('2')
    expect((await run('1 + 1')).ok).toBe(true)
    await run('1')
  })
})

describe.skipIf(!hasPython)('code that ends Python ends only Python (skipped without deno or pyodide)', () => {
  test('os.system, a killed process, ctypes: the model is informed, and attached files are restored', async () => {
    await sandbox.addFile('data.csv', new TextEncoder().encode('a,b\n'))
    const system = await run('gone = 1\nimport os\nos.system("touch FOLDER/made")')
    expect(system).toMatchObject({ ok: false, restarted: true })
    expect(system.shown).toMatch(/\[Python had to be started anew: .*\. Variables and files are gone; the attached files are put back\]$/)
    expect((await run('open("data.csv").read()')).shown).toBe("'a,b\\n'")
    expect((await run('gone')).shown).toContain('NameError')

    // A process that ends between two runs is reported with the next one.
    await run('gone = 1')
    process.kill(sandbox.pid!, 'SIGKILL')
    await expect.poll(() => sandbox.pid).toBe(undefined)
    const after = await run('gone')
    expect(after.restarted).toBe(true)
    expect(after.shown).toMatch(/^\[Python had to be started anew: it ended with SIGKILL\. [\s\S]*NameError/)

    const script = 'Deno.writeTextFileSync("FOLDER/made", "x")'
    const { shown, restarted } = await run(`import ctypes\nctypes.CDLL(None).emscripten_run_script(b'${script}')`)
    // On a busy machine, the time limit may come first.
    expect(restarted || /Error|interrupted/.test(shown)).toBe(true)
    expect((await run('1 + 1')).shown).toBe('2')
  }, 180_000)

  test('an uninterruptible loop ends Python', async () => {
    const impatient = pythonSandbox({ softLimit: 200, grace: 200 })
    try {
      const stubborn = await runIn(impatient, 'while True:\n    try:\n        while True: pass\n    except BaseException: pass')
      expect(stubborn).toMatchObject({ ok: false, restarted: true })
      expect(stubborn.shown).toContain('it ran for 0.4 s and did not stop when it was interrupted')
    } finally {
      await impatient.close()
    }
  }, 60_000)

  test('closing ends the process', async () => {
    const { pid } = sandbox
    expect(existsSync(`/proc/${pid}`) || process.platform !== 'linux').toBe(true)
    await sandbox.close()
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
    await expect(sandbox.run('1')).rejects.toMatchObject({ code: 'closed' })
  })
})
