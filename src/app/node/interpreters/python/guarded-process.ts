import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'

export type GuardedOptions = { cwd: string; env: Record<string, string>; ulimits: readonly string[] }

/**
 * The shell stays as the parent of the process, on the other end of a pipe to us: when we close it, or are gone, it kills the process,
 * which may be suspended by then and could not notice. As long as the shell has not waited for it, its pid is nobody else's.
 * Only the process itself holds its standard pipes, so that they close when it ends.
 */
const guard = `exec 4<&0
"$@" <&4 4<&- 3<&- &
trap '' PIPE
exec 0<&- 1>&- 2>&- 4<&-
echo $! >&3
read -r _ <&3
kill -9 $!
wait $!`

/** Milliseconds that a process has to end by itself once its output is closed. */
const exitGrace = 200

/** A process that does not outlive this one, does not keep it alive unless it is held, and can be suspended. */
export class GuardedProcess {
  /** How it has ended: `code 1` or `SIGKILL`. */
  readonly exited: Promise<string>
  readonly #child: ChildProcess
  readonly #guard: Duplex | undefined
  #pid: number | undefined
  #isOver = false
  /** The shell may have waited for it: its pid may be somebody else's. */
  #isReleased = false

  constructor(command: readonly [string, ...string[]], { cwd, env, ulimits }: GuardedOptions) {
    const [program, ...args] = command
    if (process.platform === 'win32') {
      this.#child = spawn(program, args, { cwd, env, windowsHide: true, stdio: 'pipe' })
      this.#pid = this.#child.pid
    } else {
      const script = `${ulimits.map((limit) => `ulimit ${limit}\n`).join('')}${guard}`
      // A group of its own: Ctrl-C in a terminal is for us, and we decide what becomes of running code.
      this.#child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
        cwd,
        env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      })
      this.#guard = this.#child.stdio[3] as Duplex
      this.#guard.on('data', (data: Buffer) => (this.#pid ??= Number(data.toString('latin1'))))
      // A program may close its output a moment before it ends: killed in between, it would not tell how.
      this.stdout.once('close', () => setTimeout(() => this.#release(), exitGrace).unref())
      // The shell was killed by somebody else: nobody would end the process.
      this.#child.once('exit', () => this.kill())
    }
    // A process that is gone cannot be written to; that it is gone is told by `exited`.
    for (const stream of [this.stdin, this.#guard]) stream?.on('error', () => undefined)
    this.exited = new Promise((resolve) => {
      const end = (how: string) => {
        this.#isOver = true
        resolve(how)
      }
      this.#child.once('error', (error) => end(error.message))
      this.#child.once('close', (code, signal) => end(signal ?? statusName(code ?? 0)))
    })
    this.hold(false)
  }

  get stdin(): Writable {
    return this.#child.stdin!
  }

  get stdout(): Readable {
    return this.#child.stdout!
  }

  get stderr(): Readable {
    return this.#child.stderr!
  }

  /** Undefined before it has started and after it has ended. */
  get pid(): number | undefined {
    return this.#isOver ? undefined : this.#pid
  }

  /** Nothing of it runs on, in any thread, until it is resumed. Windows cannot do that. */
  suspend(): void {
    this.#signal('SIGSTOP')
  }

  resume(): void {
    this.#signal('SIGCONT')
  }

  kill(): void {
    this.#signal('SIGKILL')
    if (this.#guard) this.#release()
    else this.#child.kill('SIGKILL')
  }

  /** Whether our program goes on as long as this process does. */
  hold(isHeld: boolean): void {
    const verb = isHeld ? 'ref' : 'unref'
    this.#child[verb]()
    for (const stream of this.#child.stdio) (stream as unknown as Partial<Record<typeof verb, () => void>> | null)?.[verb]?.()
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    if (this.#guard === undefined || this.#isReleased || this.pid === undefined) return
    try {
      process.kill(this.pid, signal)
    } catch {
      // It has ended, which is told elsewhere.
    }
  }

  #release(): void {
    this.#isReleased = true
    this.#guard?.end()
  }
}

/** A shell tells the signal that has ended its child as a number above 128. */
function statusName(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return signal?.[0] ?? `code ${code}`
}
