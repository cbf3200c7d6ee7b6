import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import type { McpMessage, McpTransport } from './mcp-sdk.ts'

/** A server that runs as a process of this machine. */
export type McpCommand = {
  command: string
  args?: readonly string[]
  /** Its environment. Besides these variables it gets only PATH, so that programs are found: no key of this process reaches it. */
  env?: Readonly<Record<string, string>>
  /** Its working folder; by default that of this process. */
  cwd?: string
}

/** The longest message that is read. */
const mostBytes = 4_000_000
/** How much of what a server says on its error stream is kept. */
const mostStderr = 2000

/** Runs a server and exchanges lines of JSON with it. Unlike the SDK's own transport, it passes no environment on. */
export class StdioTransport implements McpTransport {
  readonly #server: McpCommand
  #child: ChildProcessWithoutNullStreams | undefined
  #text = ''
  #isClosed = false
  /** The end of what the server has said on its error stream. */
  stderr = ''
  onmessage?: (message: McpMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void

  constructor(server: McpCommand) {
    this.#server = server
  }

  start(): Promise<void> {
    const { command, args = [], env = {}, cwd } = this.#server
    const { PATH, SystemRoot } = process.env
    const child = spawn(command, args, { cwd, env: { ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }), ...env }, stdio: 'pipe' })
    this.#child = child
    const decoder = new StringDecoder('utf8')
    child.stdout.on('data', (chunk: Buffer) => this.#read(decoder.write(chunk)))
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-mostStderr)
    })
    // Writing to a process that has ended is reported by its end.
    child.stdin.on('error', () => undefined)
    child.on('close', () => this.#ended())
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.#ended()
        reject(error)
      })
    })
  }

  async send(message: McpMessage): Promise<void> {
    if (this.#isClosed || this.#child === undefined) throw new Error('the server has ended')
    this.#child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#isClosed) return
    child.stdin.end()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), 1000)
      child.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      child.kill('SIGTERM')
    })
  }

  #read(text: string): void {
    this.#text += text
    if (this.#text.length > mostBytes && !this.#text.includes('\n')) {
      this.onerror?.(new Error(`the server wrote a message of more than ${mostBytes / 1e6} MB`))
      this.#text = ''
      this.#child?.kill('SIGKILL')
      return
    }
    const lines = this.#text.split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) {
      // Servers also print what is no message.
      const message = parsed(line)
      if (message !== undefined) this.onmessage?.(message)
    }
  }

  #ended(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }
}

function parsed(line: string): McpMessage | undefined {
  if (line.length > mostBytes) return undefined
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null && 'jsonrpc' in message ? message : undefined
  } catch {
    return undefined
  }
}
