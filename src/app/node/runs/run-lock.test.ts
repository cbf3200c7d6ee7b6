import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isAlive, pidsOfThisMachine, startOf } from './process-mark.ts'
import { isLocked, RunLock, takeOver } from './run-lock.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-lock-'))
  file = join(folder, 'run.lock')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

/** A process that lives as long as this test does. */
const living = () => ({ pid: process.ppid, host: hostname(), pids: pidsOfThisMachine(), started: startOf(process.ppid), token: 'other' })
const elsewhere = { pid: 1, host: 'another-machine', token: 'other' }

function lockedBy(holder: object, secondsAgo = 0): void {
  writeFileSync(file, JSON.stringify(holder))
  const then = new Date(Date.now() - 1000 * secondsAgo)
  utimesSync(file, then, then)
}
const inUse = { code: 'run-in-use' }

test('a process of this machine that is held up keeps its lock for as long as it lives', () => {
  lockedBy(living(), 3600)
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  expect(readFileSync(file, 'utf8')).toContain('other')
})

test('a process that is gone does not, nor one whose number another has got', () => {
  lockedBy({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  new RunLock(file).release()
  if (startOf(process.ppid) === undefined) return
  lockedBy({ ...living(), started: '1' })
  new RunLock(file).release()
  expect(readdirSync(folder)).toEqual([])
})

test('of another machine the time of its last beat counts, by the clock of the disk', () => {
  lockedBy(elsewhere)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  vi.useRealTimers()
  lockedBy(elsewhere, 61)
  new RunLock(file).release()
  // So, too, of another container, or of this machine before it was started anew.
  lockedBy({ ...living(), pids: 'before' })
  if (pidsOfThisMachine() !== undefined) expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
})

test('two runs of one process do not share a folder', () => {
  const lock = new RunLock(file)
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  lock.release()
  new RunLock(file).release()
})

test('who was held up for long finds out that another has the run, and leaves it the lock', () => {
  vi.useFakeTimers()
  const lock = new RunLock(file)
  vi.advanceTimersByTime(20_000)
  lock.check()
  rmSync(file)
  lockedBy(elsewhere)
  // Before the next beat, and also where that comes late.
  vi.setSystemTime(Date.now() + 90_000)
  expect(lock.check).toThrow('the run has been taken over (process 1 on another-machine)')
  expect(lock.lost.aborted).toBe(true)
  lock.release()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(elsewhere)
})

test('a lock that somebody deleted is made again', () => {
  vi.useFakeTimers()
  const lock = new RunLock(file)
  rmSync(file)
  vi.advanceTimersByTime(5000)
  expect(readdirSync(folder)).toEqual(['run.lock'])
  lock.check()
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('whoever looks at a run sees the same as who wants to go on with it', () => {
  const seen = () => isLocked(file)
  expect(seen()).toBe(false)
  lockedBy(living(), 3600)
  expect(seen()).toBe(true)
  lockedBy({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  expect(seen()).toBe(false)
  if (startOf(process.ppid) !== undefined) {
    lockedBy({ ...living(), started: '1' })
    expect(seen()).toBe(false)
  }
  lockedBy(elsewhere, 30)
  expect(seen()).toBe(true)
  lockedBy(elsewhere, 90)
  expect(seen()).toBe(false)
  rmSync(file)
  const lock = new RunLock(file)
  expect(seen()).toBe(true)
  lock.release()
  expect({ seen: seen(), left: readdirSync(folder) }).toEqual({ seen: false, left: [] })
})

test('a process is alive or not', () => {
  expect(isAlive(process.pid)).toBe(true)
  expect(isAlive(2 ** 22 + 1)).toBe(false)
})

test('a process that is slow to replace a dead lock does not move the lock that another has put there', () => {
  const dead = JSON.stringify({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  writeFileSync(file, dead)
  const lock = new RunLock(file)
  const before = statSync(file, { bigint: true })
  // It read the dead lock before, and comes back now. Were the new one renamed, even for a moment, a third process could find none.
  expect(takeOver(file, dead, 'slow')).toBe(false)
  expect(statSync(file, { bigint: true }).ctimeNs).toBe(before.ctimeNs)
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a process that died while it replaced a dead lock is replaced itself', () => {
  const dead = JSON.stringify({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  writeFileSync(file, dead)
  const right = `${file}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`
  writeFileSync(right, JSON.stringify({ ...living(), pid: 2 ** 22 + 2, started: '1' }))
  new RunLock(file).release()
  expect(readdirSync(folder)).toEqual([])
})

test('a process that is held up while it replaces a dead lock is not passed by', () => {
  const dead = JSON.stringify({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  writeFileSync(file, dead)
  writeFileSync(`${file}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`, JSON.stringify(living()))
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  expect(readFileSync(file, 'utf8')).toBe(dead)
})
