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

/** A process that lives as long as this test. */
const living = () => ({ pid: process.ppid, host: hostname(), pids: pidsOfThisMachine(), started: startOf(process.ppid), token: 'other' })
const elsewhere = { pid: 1, host: 'another-machine', token: 'other' }

function lockedBy(holder: object, secondsAgo = 0): void {
  writeFileSync(file, JSON.stringify(holder))
  const then = new Date(Date.now() - 1000 * secondsAgo)
  utimesSync(file, then, then)
}
const inUse = { code: 'run-in-use' }

test('a stopped process of this machine keeps its lock as long as it lives', () => {
  lockedBy(living(), 3600)
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  expect(readFileSync(file, 'utf8')).toContain('other')
})

test('a dead process does not, nor does one whose PID was reused', () => {
  lockedBy({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  new RunLock(file).release()
  if (startOf(process.ppid) === undefined) return
  lockedBy({ ...living(), started: '1' })
  new RunLock(file).release()
  expect(readdirSync(folder)).toEqual([])
})

test('for another machine the last heartbeat counts, by the file server’s clock', () => {
  lockedBy(elsewhere)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  vi.useRealTimers()
  lockedBy(elsewhere, 61)
  new RunLock(file).release()
  // The same for another container, or this machine before a reboot.
  lockedBy({ ...living(), pids: 'before' })
  if (pidsOfThisMachine() !== undefined) expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
})

test('two runs of one process cannot share a folder', () => {
  const lock = new RunLock(file)
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  lock.release()
  new RunLock(file).release()
})

test('a process stopped for long notices the takeover and leaves the lock alone', () => {
  vi.useFakeTimers()
  const lock = new RunLock(file)
  vi.advanceTimersByTime(20_000)
  lock.check()
  rmSync(file)
  lockedBy(elsewhere)
  // Before the next heartbeat, and also if that is late.
  vi.setSystemTime(Date.now() + 90_000)
  expect(lock.check).toThrow('the run has been taken over (process 1 on another-machine)')
  expect(lock.lost.aborted).toBe(true)
  lock.release()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(elsewhere)
})

test('a deleted lock is recreated', () => {
  vi.useFakeTimers()
  const lock = new RunLock(file)
  rmSync(file)
  vi.advanceTimersByTime(5000)
  expect(readdirSync(folder)).toEqual(['run.lock'])
  lock.check()
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('viewers and resuming processes see the same lock state', () => {
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

test('detects whether a process is alive', () => {
  expect(isAlive(process.pid)).toBe(true)
  expect(isAlive(2 ** 22 + 1)).toBe(false)
})

test('a process that is slow to replace a stale lock does not move its successor', () => {
  const dead = JSON.stringify({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  writeFileSync(file, dead)
  const lock = new RunLock(file)
  const before = statSync(file, { bigint: true })
  // It read the stale lock earlier and continues now. If it renamed the new lock even briefly, a third process could find none.
  expect(takeOver(file, dead, 'slow')).toBe(false)
  expect(statSync(file, { bigint: true }).ctimeNs).toBe(before.ctimeNs)
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a process that died while replacing a stale lock is replaced itself', () => {
  const dead = JSON.stringify({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  writeFileSync(file, dead)
  const right = `${file}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`
  writeFileSync(right, JSON.stringify({ ...living(), pid: 2 ** 22 + 2, started: '1' }))
  new RunLock(file).release()
  expect(readdirSync(folder)).toEqual([])
})

test('a process stopped while replacing a stale lock is not overtaken', () => {
  const dead = JSON.stringify({ ...living(), pid: 2 ** 22 + 1, started: '1' })
  writeFileSync(file, dead)
  writeFileSync(`${file}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`, JSON.stringify(living()))
  expect(() => new RunLock(file)).toThrow(expect.objectContaining(inUse))
  expect(readFileSync(file, 'utf8')).toBe(dead)
})
