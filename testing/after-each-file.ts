import { afterAll, expect } from 'vitest'
import { removeFolders } from './folder-with.ts'

// The test files of a worker share its process and its modules, which are loaded once: most files take less time than loading
// them. What one file leaves behind, the next one finds. So it is looked for here, and the file that left it fails.

const signals = ['SIGINT', 'SIGTERM'] as const
const before = { settings: settings(), globals: globals(), listeners: signals.map((signal) => process.listenerCount(signal)) }

// Hooks run last in, first out: this one after those of the file itself.
afterAll(() => {
  removeFolders()
  expect(settings(), 'a test file leaves the process as it found it').toEqual(before.settings)
  // The bindings of llama.cpp, where they are installed, put a handler of their own there for as long as the process lives.
  const ofPeers = process.env.ROLECALL_PEERS === undefined ? 0 : 1
  for (const [index, signal] of signals.entries())
    expect(process.listenerCount(signal), `handlers of ${signal}`).toBeLessThanOrEqual(before.listeners[index]! + ofPeers)
  for (const [name, value] of Object.entries(globals()))
    expect(value === before.globals[name], `${name} is put back by the test file that replaced it`).toBe(true)
})

function settings(): object {
  return { folder: process.cwd(), exitCode: process.exitCode, environment: { ...process.env } }
}

function globals(): Record<string, unknown> {
  const { env, stdout, stderr } = process
  return { env, stdout, stderr, write: stdout.write, fetch, setTimeout, now: Date.now, random: Math.random }
}
