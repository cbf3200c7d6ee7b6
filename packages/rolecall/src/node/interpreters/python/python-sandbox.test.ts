import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPython, warnIfMissing } from '../../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../../proof/testing/python-snapshot.ts'
import { showOutputs } from '../../../model/agent/show-outputs.ts'
import { type PythonSandbox, pythonSandbox } from './python-sandbox.ts'

keepPythonSnapshot()

warnIfMissing(hasPython, 'the Python sandbox', 'deno and pyodide')

describe.skipIf(!hasPython)('the Python sandbox (skipped without deno or pyodide)', { timeout: 120_000 }, () => {
  let sandbox: PythonSandbox
  beforeAll(() => {
    sandbox = pythonSandbox()
  })
  afterAll(() => sandbox.close())

  test('returns what code prints and its last value, keeps variables, and reaches nothing outside', async () => {
    const run = async (code: string) => showOutputs((await sandbox.run(code)).outputs)
    expect(await run('x = 40\nprint("hello")\nx + 2')).toBe('hello\n42')
    expect(await run('x')).toBe('40')
    expect(await run('import js\nawait js.fetch("http://127.0.0.1:1")')).toMatch(/Error/)
    expect(await run('from pyodide.code import run_js\nrun_js("Deno.readTextFileSync(\'/etc/passwd\')")')).toMatch(/NotCapable|Denied/)
  })
})
