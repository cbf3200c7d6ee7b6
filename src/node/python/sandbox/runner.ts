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
  constructor(url: URL, options: { type: 'module' })
  postMessage(message: unknown): void
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

const worker = new Worker(new URL(workerFile!), { type: 'module' })
worker.onmessage = ({ data }) => {
  const { token: answered, ...told } = data as { done?: unknown; token?: unknown; ready?: unknown; fatal?: unknown }
  if (told.ready || told.fatal) send(told)
  else if (current && (!told.done || answered === token)) {
    send({ id: current.id, ...told, ...(told.done ? { interrupted: wasInterrupted } : {}) })
    if (told.done) {
      clearTimeout(timer)
      current = undefined
    }
  }
}
worker.onerror = (event) => {
  event.preventDefault()
  send({ fatal: event.message })
}
worker.postMessage({ do: 'load', folder: pyodideFolder, interrupt: interrupt.buffer, maxOutput: Number(maxOutput) })

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

function send(message: object): void {
  let bytes = encoder.encode(`${JSON.stringify(message)}\n`)
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes))
}
