import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { hasPython, warnIfMissing } from '../../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../../proof/testing/python-snapshot.ts'
import { isAlive } from '../../runs/process-mark.ts'

keepPythonSnapshot()
warnIfMissing(hasPython, 'how sandboxes close', 'deno and pyodide')
const testWithPython = test.skipIf(!hasPython)

const library = new URL('../../../../dist/js/node.js', import.meta.url).href
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

/** Runs a program that uses the sandbox: only another process can observe whether it exits. */
function start(program: string): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', `import { pythonSandbox } from ${JSON.stringify(library)}\n${program}`],
    {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    },
  )
  running.push(child)
  return child
}

async function outcomeOf(program: string): Promise<{ code: number | null; told: string }> {
  const child = start(program)
  let told = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (told += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, told }
}

testWithPython(
  'a program that closes its sandbox exits once the process is gone',
  async () => {
    const program = `
    const sandbox = pythonSandbox()
    await sandbox.run('1')
    const { pid } = sandbox
    await Promise.all([sandbox.close(), sandbox.close()])
    await sandbox.close()
    try { process.kill(pid, 0); console.log('it is still there') } catch { console.log('gone') }`
    expect(await outcomeOf(program)).toEqual({ code: 0, told: 'gone\n' })
  },
  120_000,
)

testWithPython(
  'closes several concurrently: unused, still starting, running code, and one whose Python has died',
  async () => {
    const program = `
    const [unused, starting, busy, dead] = Array.from({ length: 4 }, () => pythonSandbox({ softLimit: 60_000 }))
    await Promise.all([busy.start(), dead.start()])
    const { restarted } = await dead.run('import os; os.system("x")')
    const started = starting.start().catch((error) => error.code)
    const ran = busy.run('while True: pass')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await Promise.all([unused, starting, busy, dead].map((sandbox) => sandbox.close()))
    console.log(JSON.stringify([restarted, await started, (await ran).ok]))`
    expect(await outcomeOf(program)).toEqual({ code: 0, told: '[true,"closed",false]\n' })
  },
  120_000,
)

testWithPython(
  'a program that forgets to close its sandbox exits as well',
  async () => {
    expect(await outcomeOf(`console.log((await pythonSandbox().run('1')).ok)`)).toEqual({ code: 0, told: 'true\n' })
  },
  120_000,
)

test.skipIf(!hasPython || process.platform === 'win32')(
  'when the program is killed, Python ends, though it was suspended (needs signals)',
  async () => {
    const child = start(`
    const sandbox = pythonSandbox()
    await sandbox.run('1')
    console.log(sandbox.pid)
    setInterval(() => undefined, 1000)`)
    const pid = await new Promise<number>((resolve) => child.stdout!.once('data', (data) => resolve(Number(data))))
    expect(process.kill(pid, 0)).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false)
  },
  120_000,
)
