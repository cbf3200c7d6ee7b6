import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { hubUse } from '../../packages/rolecall/src/node/hub/hub-use.ts'
import { removeFolders } from './folder-with.ts'
import { seed } from './sampling.ts'

fc.configureGlobal({ seed })

// Commands to paste are the same whether the tests were started by npx or not.
delete process.env.npm_command

// The test files of a worker share one process and its modules, because most files take less time than loading them would. A file
// that changes the process would affect the next one, so each file fails if it leaves something behind.

// A command that a test of an earlier file did not wait for may have left its listings of hubs: then a request would not be sent.
Object.assign(hubUse, { weights: true, locks: true, memory: undefined })
hubUse.sources.clear()

const signals = ['SIGINT', 'SIGTERM'] as const
const before = { settings: settings(), globals: globals(), listeners: signals.map((signal) => process.listenerCount(signal)) }

// Hooks run in reverse order: this one runs after the file's own.
afterAll(() => {
  removeFolders()
  expect(settings(), 'a test file leaves the process as it found it').toEqual(before.settings)
  // The bindings of llama.cpp, if installed, add one handler for the lifetime of the process.
  const ofPeers = process.env.ROLECALL_PEERS === undefined ? 0 : 1
  for (const [index, signal] of signals.entries())
    expect(process.listenerCount(signal), `handlers of ${signal}`).toBeLessThanOrEqual(before.listeners[index]! + ofPeers)
  for (const [name, value] of Object.entries(globals()))
    expect(value === before.globals[name], `the test file that replaced ${name} restores it`).toBe(true)
})

function settings(): object {
  return { folder: process.cwd(), exitCode: process.exitCode, environment: { ...process.env } }
}

function globals(): Record<string, unknown> {
  const { env, stdout, stderr } = process
  return { env, stdout, stderr, write: stdout.write, fetch, setTimeout, now: Date.now, random: Math.random }
}
