import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyClone } from './copied-clone.ts'
import { programTimeout } from './run-program.ts'

// The command of a clone builds what is stale when it starts. Whatever interrupts that, later calls work.

const clone = copyClone(['LICENSE'])
const version = /^\d+\.\d+\.\d+\n$/
const program = join(clone, 'packages/rolecall/bin/rolecall.mjs')
const call = () => spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8', timeout: programTimeout })
const dist = join(clone, 'packages/rolecall/dist')

/** Starts the command in a process group of its own and kills it after a while, as Ctrl-C in a terminal does. */
async function interrupted(milliseconds: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [program, '--version'], { detached: true, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await wait(milliseconds)
  try {
    process.kill(-child.pid!, 'SIGINT')
  } catch {
    // It was faster.
  }
  await ended
}

test('calls that are interrupted at any moment of the build break no later call', { timeout: 300_000 }, async () => {
  for (const milliseconds of [50, 200, 500, 1000, 1500, 2500]) {
    rmSync(dist, { recursive: true, force: true })
    await interrupted(milliseconds)
    const { status, stdout } = call()
    expect({ milliseconds, status, stdout }).toEqual({ milliseconds, status: 0, stdout: expect.stringMatching(version) })
  }
  expect(readdirSync(dist)).toEqual(['js'])
  expect(existsSync(join(clone, '.cache/build.lock'))).toBe(false)
})

test('a changed source is built once by calls at the same time, with a line that says so', { timeout: 120_000 }, async () => {
  expect(call().stderr).toBe('')
  const now = new Date(Date.now() + 1000)
  utimesSync(join(clone, 'packages/core/src/index.ts'), now, now)
  await wait(1100)
  const calls = Array.from({ length: 3 }, () => spawn(process.execPath, [program, '--version'], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const results = await Promise.all(
    calls.map(async (child) => {
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (text) => (stdout += text))
      child.stderr.on('data', (text) => (stderr += text))
      await new Promise((resolve) => child.once('close', resolve))
      return { stdout, stderr }
    }),
  )
  expect(results.map(({ stdout }) => version.test(stdout))).toEqual([true, true, true])
  expect(results.filter(({ stderr }) => stderr !== '')).toEqual([
    { stdout: expect.any(String), stderr: expect.stringMatching(/^rolecall: building code/) },
  ])
})

test('packing leaves the build current', { timeout: 300_000 }, () => {
  const folder = join(clone, 'packages/core')
  const publishing = (...flags: string[]) =>
    spawnSync(process.execPath, [join(clone, 'scripts/for-publishing.mjs'), ...flags], { cwd: folder, timeout: programTimeout }).status
  expect([publishing('--publish', '--built'), publishing('--restore'), call().stderr]).toEqual([0, 0, ''])
})
