/**
 * Runs inside Deno, in the process of a sandbox: forwards requests from the host to the thread with Python, and that thread's messages to the
 * host. Python is untrusted and can reach everything in its thread: the runner only forwards its messages, and the host treats them as the
 * output of the code.
 */
import { fromBase64 } from './base64.ts'
import { sealedLines } from './sealed-lines.ts'

type DenoMain = {
  args: readonly string[]
  stdin: { readable: ReadableStream<Uint8Array> }
  stdout: { writeSync(bytes: Uint8Array): number }
  exit(code: number): never
}
declare const Deno: DenoMain
declare class Worker {
  constructor(url: URL, options: { type: 'module'; deno: { permissions: object } })
  postMessage(message: unknown): void
  onmessage: (event: { data: unknown }) => void
  onerror: (event: { message: string; preventDefault(): void }) => void
}

/** The first line, the only unsealed one: no code runs yet that could read it. */
type Opening = { makesSnapshot: true; preparedCode: string } | { key: string; maxOutput: number; maxFiles: number; snapshotBytes: number }
type Request = { id: string; do: string; softLimit?: number; [key: string]: unknown }

const [pyodideFolder, workerFile] = Deno.args
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const chunks = (Deno.stdin.readable as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
let held: Uint8Array = new Uint8Array(0)

const opening = JSON.parse((await nextLine())!) as Opening
if ('makesSnapshot' in opening) await makeSnapshot(opening.preparedCode)
else await serve(opening)
// The host has ended, or has its snapshot.
Deno.exit(0)

async function serve({
  key,
  maxOutput,
  maxFiles,
  snapshotBytes,
}: Exclude<Opening, { makesSnapshot: true; preparedCode: string }>): Promise<void> {
  const lines = await sealedLines(fromBase64(key))
  const snapshot = snapshotBytes > 0 ? await nextBytes(snapshotBytes) : undefined
  const interrupt = new Uint8Array(new SharedArrayBuffer(4))
  /** Closed for good when code changes more than Python's memory: from then on, the thread is not trusted. */
  const latch = new Uint8Array(new SharedArrayBuffer(4))
  let current: Request | undefined
  /** Distinguishes the reply to the current request from late and forged ones. */
  let token = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasInterrupted = false
  let sent: Promise<void> = Promise.resolve()

  const send = (message: object) => {
    // Starts a new line, because code may have written an incomplete one into the pipe.
    sent = sent.then(async () => write(encoder.encode(`\n${await lines.seal(message)}\n`)))
  }
  const stop = () => {
    wasInterrupted = true
    interrupt[0] = 2
  }

  const worker = newThread()
  worker.onmessage = ({ data }) => {
    const { token: answered, ...answer } = data as { token?: unknown; output?: unknown; done?: unknown; ready?: unknown; fatal?: unknown }
    if (answer.ready) send({ ready: true })
    else if (answer.fatal) send({ fatal: String(answer.fatal) })
    else if (current && answer.done && answered === token) {
      const done = current.do === 'restore' && latch[0] !== 0 ? { restored: false } : answer.done
      send({ id: current.id, done, interrupted: wasInterrupted })
      clearTimeout(timer)
      current = undefined
    } else if (current && answer.output) send({ id: current.id, output: answer.output })
  }
  worker.onerror = (event) => {
    event.preventDefault()
    send({ fatal: event.message })
  }
  worker.postMessage({ do: 'load', folder: pyodideFolder, interrupt: interrupt.buffer, latch: latch.buffer, maxOutput, maxFiles, snapshot })

  for (let line = await nextLine(); line !== undefined; line = await nextLine()) {
    const request = (await lines.open(line)) as Request | undefined
    if (request?.do === 'interrupt') stop()
    else if (request?.do === 'restore' && latch[0] !== 0) send({ id: request.id, done: { restored: false } })
    else if (request) {
      current = request
      token = crypto.randomUUID()
      wasInterrupted = false
      interrupt[0] = 0
      clearTimeout(timer)
      const { id: _, softLimit, ...work } = request
      if (softLimit !== undefined) timer = setTimeout(stop, softLimit)
      worker.postMessage({ ...work, token })
    }
  }
}

/** Writes a snapshot of Python's memory before any code has run. */
function makeSnapshot(preparedCode: string): Promise<void> {
  return new Promise((resolve) => {
    const maker = newThread()
    maker.onmessage = ({ data }) => {
      const { snapshot } = data as { snapshot?: unknown }
      if (!(snapshot instanceof Uint8Array)) Deno.exit(1)
      write(snapshot)
      resolve()
    }
    maker.onerror = () => Deno.exit(1)
    maker.postMessage({ do: 'load', folder: pyodideFolder, makesSnapshot: true, preparedCode })
  })
}

/** A thread that may read Python's files, a permission it drops once Python is loaded. */
function newThread(): Worker {
  const url = new URL(workerFile!)
  const denied = { write: false, net: false, env: false, run: false, ffi: false, sys: false, import: false }
  return new Worker(url, { type: 'module', deno: { permissions: { ...denied, read: [pyodideFolder, new URL('.', url)] } } })
}

async function nextLine(): Promise<string | undefined> {
  const before: Uint8Array[] = []
  for (;;) {
    const end = held.indexOf(10)
    if (end >= 0) {
      const line = joined([...before, held.subarray(0, end)])
      held = held.subarray(end + 1)
      return decoder.decode(line)
    }
    before.push(held)
    if (!(await readMore())) return undefined
  }
}

async function nextBytes(length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let missing = length; ; ) {
    const part = held.subarray(0, missing)
    parts.push(part)
    held = held.subarray(part.length)
    missing -= part.length
    if (missing === 0 || !(await readMore())) return joined(parts)
  }
}

async function readMore(): Promise<boolean> {
  const { value, done } = await chunks.next()
  held = done ? new Uint8Array(0) : value
  return !done
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function write(bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(Deno.stdout.writeSync(rest))
}
