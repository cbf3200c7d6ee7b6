import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { GuardedProcess } from './guarded-process.ts'

const opened: GuardedProcess[] = []
afterEach(() => {
  for (const guarded of opened.splice(0)) guarded.kill()
})

function start(...command: [string, ...string[]]): GuardedProcess {
  const guarded = new GuardedProcess(command, { cwd: '/', env: { PATH: '/usr/bin:/bin' }, ulimits: ['-c 0'] })
  opened.push(guarded)
  guarded.hold(true)
  guarded.stdout.on('data', (data) => (read.text += data))
  return guarded
}

const read = { text: '' }
const pidOf = async (guarded: GuardedProcess) => {
  await expect.poll(() => guarded.pid).toBeGreaterThan(0)
  return guarded.pid!
}

describe.skipIf(process.platform === 'win32')('a guarded process (needs a shell)', () => {
  test('can be written to and read, and reports how it ended', async () => {
    read.text = ''
    const cat = start('cat')
    cat.stdin.end('hello')
    expect(await cat.exited).toBe('code 0')
    expect(read.text).toBe('hello')
    expect(cat.pid).toBe(undefined)
    expect(await start('sh', '-c', 'exit 3').exited).toBe('code 3')
    expect(await start('sh', '-c', 'kill -ABRT $$').exited).toBe('SIGABRT')
    expect(await start('/no/such/program').exited).toBe('code 127')
  })

  test('can be killed immediately, while running, while suspended, and twice', async () => {
    const early = start('sleep', '60')
    early.kill()
    expect(await early.exited).toBe('SIGKILL')
    const suspended = start('sleep', '60')
    await pidOf(suspended)
    suspended.suspend()
    suspended.kill()
    suspended.kill()
    expect(await suspended.exited).toBe('SIGKILL')
  })

  test.skipIf(process.platform !== 'linux')('ends if another process kills its shell (needs /proc)', async () => {
    const sleeping = start('sleep', '60')
    const pid = await pidOf(sleeping)
    const shell = Number(parentOf(pid))
    process.kill(shell, 'SIGKILL')
    await sleeping.exited
    await expect.poll(() => stateOf(pid)).toMatch(/^[ZX-]/)
  })

  test.skipIf(process.platform !== 'linux')('does not run while it is suspended (needs /proc)', async () => {
    const busy = start('sh', '-c', 'while :; do :; done')
    const pid = await pidOf(busy)
    busy.suspend()
    await expect.poll(() => stateOf(pid)).toBe('T')
    busy.resume()
    await expect.poll(() => stateOf(pid)).not.toBe('T')
  })
})

const fieldsOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
const parentOf = (pid: number) => fieldsOf(pid)[1]

/** R, S, T or Z as in ps; - if there is no process. */
function stateOf(pid: number): string {
  try {
    return fieldsOf(pid)[0]!
  } catch {
    return '-'
  }
}
