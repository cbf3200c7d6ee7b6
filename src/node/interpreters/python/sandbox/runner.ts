/**
 * Runs inside Deno, in the process that holds the Python of a sandbox: it hands requests from the host to the thread with Python, and
 * what that thread tells to the host. Python itself cannot be trusted, and reaches everything in its own thread: nothing here acts on
 * what it says but to hand it on, and the host takes it for what the code gave, whatever it is.
 */
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
  terminate(): void
  onmessage: (event: { data: unknown }) => void
  onerror: (event: { message: string; preventDefault(): void }) => void
}

type Request = { id: string; do: string; softLimit?: number; [key: string]: unknown }

const [pyodideFolder, workerFile, maxOutput] = Deno.args
const encoder = new TextEncoder()
const interrupt = new Uint8Array(new SharedArrayBuffer(4))
let current: Request | undefined
/** Tells the answer to the current request from late and made-up ones, which would otherwise answer the next. */
let token = ''
let timer: ReturnType<typeof setTimeout> | undefined
let wasInterrupted = false

let worker = openWorker(() => send({ ready: true }))
worker.postMessage(toLoad({}))
/** Python as it is before any code has run: made when it is first needed, by a thread that never runs any. */
let snapshot: Promise<Uint8Array | undefined> | undefined

let held = ''
const decoder = new TextDecoder()
for await (const bytes of Deno.stdin.readable as unknown as AsyncIterable<Uint8Array>) {
  const lines = (held + decoder.decode(bytes, { stream: true })).split('\n')
  held = lines.pop()!
  for (const line of lines) take(JSON.parse(line) as Request)
}
// The host is gone.
Deno.exit(0)

function take(request: Request): void {
  if (request.do === 'interrupt') {
    wasInterrupted = true
    interrupt[0] = 2
    return
  }
  if (request.do === 'renew') {
    current = request
    token = ''
    renew(request).catch((error: unknown) => send({ fatal: String(error) }))
    return
  }
  current = request
  token = crypto.randomUUID()
  wasInterrupted = false
  interrupt[0] = 0
  const { id: _, softLimit, ...work } = request
  if (softLimit !== undefined)
    timer = setTimeout(() => {
      wasInterrupted = true
      interrupt[0] = 2
    }, softLimit)
  worker.postMessage({ ...work, token })
}

/** A new thread with a new Python in the place of the old one, of which nothing is left: neither Python nor what is around it. */
async function renew(request: Request): Promise<void> {
  retire(worker)
  snapshot ??= takeSnapshot()
  const taken = await snapshot
  await new Promise<void>((resolve) => {
    worker = openWorker(() => resolve())
    // The thread gets a copy: code could write into what it shares.
    worker.postMessage(toLoad(taken ? { snapshot: taken } : {}))
  })
  current = undefined
  interrupt[0] = 0
  send({ id: request.id, done: {} })
}

/** Undefined where this pyodide makes none: Python is then started from the beginning each time. */
function takeSnapshot(): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const maker = newThread()
    const end = (taken: unknown) => {
      retire(maker)
      resolve(taken instanceof Uint8Array ? taken : undefined)
    }
    maker.onmessage = ({ data }) => end((data as { snapshot?: unknown }).snapshot)
    maker.onerror = (event) => {
      event.preventDefault()
      end(undefined)
    }
    maker.postMessage(toLoad({ makesSnapshot: true }))
  })
}

function openWorker(onReady: () => void): Worker {
  const opened = newThread()
  opened.onmessage = ({ data }) => {
    const { token: answered, ...told } = data as { done?: unknown; token?: unknown; ready?: unknown; fatal?: unknown }
    if (told.ready) onReady()
    else if (told.fatal) send(told)
    else if (current && (!told.done || answered === token)) {
      send({ id: current.id, ...told, ...(told.done ? { interrupted: wasInterrupted } : {}) })
      if (told.done) {
        clearTimeout(timer)
        current = undefined
      }
    }
  }
  opened.onerror = (event) => {
    event.preventDefault()
    send({ fatal: event.message })
  }
  return opened
}

/** Permissions of its own: what a thread gives up, later ones still have until they are loaded. */
function newThread(): Worker {
  const url = new URL(workerFile!)
  const denied = { write: false, net: false, env: false, run: false, ffi: false, sys: false, import: false }
  return new Worker(url, { type: 'module', deno: { permissions: { ...denied, read: [pyodideFolder, url] } } })
}

function retire(old: Worker): void {
  old.onmessage = () => undefined
  old.onerror = (event) => event.preventDefault()
  old.terminate()
}

function toLoad(how: { snapshot?: Uint8Array; makesSnapshot?: true }): object {
  return { do: 'load', folder: pyodideFolder, interrupt: interrupt.buffer, maxOutput: Number(maxOutput), ...how }
}

function send(message: object): void {
  let bytes = encoder.encode(`${JSON.stringify(message)}\n`)
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes))
}
