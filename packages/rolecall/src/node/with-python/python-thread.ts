import { type ChildProcess, spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { type MessagePort, workerData } from 'node:worker_threads'
import type { PythonReply, PythonRequest, PythonStart, ResultPart } from './python-messages.ts'

// The thread that owns the user's Python, while the thread that asks waits: `PythonProcess` is the other side.

const { port, counts, start } = workerData as { port: MessagePort; counts: Int32Array; start: PythonStart }

const startSeconds = 60
/** Imports may take long, and happen once in a process. */
const importSeconds = 600
/** Output of user code that is shown; more is read and dropped. */
const mostShown = 64 * 1024
/** A larger result would not fit into memory beside the run. */
const largestResult = 1024 ** 3

type Running = { child: ChildProcess; versions: string; group: number }
type Pending = {
  id: number
  parts: ResultPart[]
  size: number
  /** The code is being imported, or called. */
  loads: () => void
  calls: () => void
  end: (reply: PythonReply) => void
}

let running: Running | undefined
let pending: Pending | undefined
let shownBytes = 0

port.on('message', (request: PythonRequest) => {
  void answer(request).then((reply) => {
    port.postMessage(reply)
    Atomics.add(counts, 0, 1)
    Atomics.notify(counts, 0)
  })
})

async function answer({ line, id, seconds }: PythonRequest): Promise<PythonReply> {
  const process = running ?? (await started())
  if ('problem' in process) return { kind: 'not-started', problem: process.problem }
  running = process
  return new Promise((resolve) => {
    let timer = setTimeout(() => undefined)
    const limit = (most: number, what: string) => {
      clearTimeout(timer)
      timer = setTimeout(() => stop(`it took more than ${most} s, the limit of ${what}`), most * 1000)
    }
    const calls = () => limit(seconds, 'a call')
    calls()
    pending = {
      id,
      parts: [],
      size: 0,
      loads: () => limit(Math.max(seconds, importSeconds), 'an import'),
      calls,
      end: (reply) => {
        clearTimeout(timer)
        pending = undefined
        resolve(reply)
      },
    }
    requestsOf(process.child).write(`${line}\n`)
  })
}

/** Ends the process with everything that user code started; the next request starts another. */
function stop(problem: string): void {
  const ended = running
  running = undefined
  if (ended !== undefined) endGroup(ended)
  pending?.end({ kind: 'stopped', problem })
}

function endGroup({ child, group }: Running): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended.
  }
  child.stdin?.destroy()
}

function started(): Promise<Running | { problem: string }> {
  const { executable, script, paths, checkout, folder, environment } = start
  return new Promise((resolve) => {
    const child = spawn(executable, [script, JSON.stringify(paths), checkout], {
      cwd: folder,
      env: { ...environment },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    const timer = setTimeout(() => fail(`it did not start within ${startSeconds} s`), startSeconds * 1000)
    const fail = (problem: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve({ problem })
    }
    const lastWords: string[] = []
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        lastWords.push(text)
        if (lastWords.length > 20) lastWords.shift()
        show(text)
      })
    }
    // Writing to a process that has ended is reported by its exit.
    child.stdin?.on('error', () => undefined)
    requestsOf(child).on('error', () => undefined)
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code, signal) => {
      if (running?.child === child) {
        const how = code === null ? `by ${signal}` : code > 128 ? `by signal ${code - 128}` : `with exit code ${code}`
        // What it wrote last is still read, and a reply counts.
        setTimeout(() => stop(`the Python process ended ${how}`), 50)
      } else fail(`it ended with exit code ${code}: ${lastWords.join('').trim().split('\n').at(-1) ?? ''}`)
    })
    readLines(child, (tag, id, text) => {
      if (tag !== 'ready') {
        receive(id, tag, text)
        return
      }
      clearTimeout(timer)
      const { pid, versions } = JSON.parse(text) as { pid: number; versions: unknown }
      resolve({ child, versions: JSON.stringify(versions), group: pid })
    })
  })
}

function requestsOf(child: ChildProcess): NodeJS.WritableStream {
  return child.stdio[3] as NodeJS.WritableStream
}

function receive(id: number, tag: string, text: string): void {
  if (pending === undefined || pending.id !== id) return
  switch (tag) {
    case 'loads':
      pending.loads()
      return
    case 'loaded':
      pending.calls()
      return
    case 'value':
    case 'split':
    case 'rows':
      pending.parts.push({ tag, text })
      pending.size += text.length
      if (pending.size > largestResult) stop('its result is larger than 1 GiB')
      return
    case 'done':
      pending.end({ kind: 'done', parts: pending.parts, versions: running?.versions ?? '{}' })
      return
    case 'failed':
      pending.end({ kind: 'failed', text })
  }
}

/** `ID TAG TEXT`, a line each. Chunks are joined once per line: a long one comes in thousands. */
function readLines(child: ChildProcess, line: (tag: string, id: number, text: string) => void): void {
  const replies = child.stdio[4] as NodeJS.ReadableStream
  let rest: string[] = []
  let held = 0
  replies.setEncoding('utf8')
  replies.on('data', (chunk: string) => {
    const parts = chunk.split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      const whole = rest.length === 0 ? part : [...rest, part].join('')
      rest = []
      held = 0
      const [, id, tag, text] = /^(\d+) (\w+) (.*)$/s.exec(whole) ?? []
      if (tag !== undefined) line(tag, Number(id), text ?? '')
    }
    held += last.length
    if (held > 400 * 1024 ** 2) stop('one value of its result is larger than 400 MiB')
    else if (last !== '') rest.push(last)
  })
}

/** What user code prints goes to standard error, without characters that control the terminal. */
function show(text: string): void {
  if (shownBytes > mostShown) return
  shownBytes += text.length
  const printable = text.slice(0, mostShown).replace(/[^\P{Cc}\n\t]/gu, '')
  const more = shownBytes > mostShown ? '\nnote the Python code prints more than 64 kB; the rest is not shown\n' : ''
  try {
    writeSync(2, `${printable}${more}`)
  } catch {
    // Nobody reads it, or cannot keep up.
  }
}
