/** Something that code printed, gave or drew, in the order in which it came. */
export type CodeOutput =
  | { kind: 'text'; stream: 'stdout' | 'stderr'; text: string }
  /** The value of the last expression, as a notebook shows it. */
  | { kind: 'value'; text: string }
  | { kind: 'error'; name: string; message: string; text: string }
  | { kind: 'image'; mime: string; data: Uint8Array; path: string }
  | { kind: 'html'; html: string; path: string }
  /** What the interpreter itself has to say: output that was cut, time that ran out, state that is lost. */
  | { kind: 'note'; text: string }

/** What became of some code. */
export type CodeResult = {
  outputs: readonly CodeOutput[]
  /** No error, no interruption. */
  ok: boolean
  /** Everything that earlier code had made is gone. */
  restarted?: true
}

/** A file that code wrote, and its size in bytes. */
export type CodeFile = { path: string; size: number }

/** How code is run: what stops it, and who hears its output while it runs. */
export type CodeOptions = { signal?: AbortSignal; onOutput?: (output: CodeOutput) => void }

/** Runs a model's code; what one piece of code makes, the next one finds. */
export type Interpreter = {
  name: string
  /** Whether code is kept away from the machine: its files, its network, its processes. */
  isSandbox: boolean
  /** Starts ahead of the first code, which otherwise waits for it. */
  start?(): Promise<void>
  run(code: string, options?: CodeOptions): Promise<CodeResult>
  /** Puts a file where the code finds it under this name. */
  addFile(path: string, data: Uint8Array): Promise<void>
  listFiles(): Promise<readonly CodeFile[]>
  readFile(path: string): Promise<Uint8Array>
  /** Forgets everything that code has made. */
  restart(): Promise<void>
  close(): Promise<void>
}
