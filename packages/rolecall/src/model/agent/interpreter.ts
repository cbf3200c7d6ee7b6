/** An output of code: printed text, a value or an image, in order. */
export type CodeOutput =
  | { kind: 'text'; stream: 'stdout' | 'stderr'; text: string }
  /** The value of the last expression, as a notebook shows it. */
  | { kind: 'value'; text: string }
  | { kind: 'error'; name: string; message: string; text: string }
  | { kind: 'image'; mime: string; data: Uint8Array; path: string }
  | { kind: 'html'; html: string; path: string }
  /** Notes of the interpreter: truncated output, a timeout, lost state. */
  | { kind: 'note'; text: string }

/** The result of running code. */
export type CodeResult = {
  outputs: readonly CodeOutput[]
  /** No error and no interruption. */
  ok: boolean
  /** The state of earlier code is lost. */
  restarted?: true
}

/** A file that code wrote, and its size in bytes. */
export type CodeFile = { path: string; size: number }

/** How to run code: the abort signal, a listener for output, and milliseconds after which it is interrupted, if not as usual. */
export type CodeOptions = { signal?: AbortSignal; onOutput?: (output: CodeOutput) => void; limit?: number }

/** Runs a model's code; state persists between runs. */
export type Interpreter = {
  name: string
  /** Whether code is sandboxed: no access to the machine's files, network and processes. */
  isSandbox: boolean
  /** Starts the interpreter early, so that the first code need not wait. */
  start?(): Promise<void>
  run(code: string, options?: CodeOptions): Promise<CodeResult>
  /** Makes a file available to the code under this name. */
  addFile(path: string, data: Uint8Array): Promise<void>
  listFiles(): Promise<readonly CodeFile[]>
  readFile(path: string): Promise<Uint8Array>
  /** Clears the state. */
  restart(): Promise<void>
  close(): Promise<void>
}
