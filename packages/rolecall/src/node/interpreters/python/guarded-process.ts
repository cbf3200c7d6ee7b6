import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Duplex, Readable, Writable } from 'node:stream'

export type GuardedOptions = { cwd: string; env: Record<string, string>; ulimits: readonly string[] }

/**
 * The shell stays the parent of the process and reads from a pipe to us: when the pipe closes, because we close it or exit, it kills the
 * process, even a suspended one. Until the shell has waited for the process, its pid is not reused. Only the process holds its standard
 * pipes, so they close when it ends.
 */
const guard = `exec 4<&0
"$@" <&4 4<&- 3<&- &
trap '' PIPE
exec 0<&- 1>&- 2>&- 4<&-
echo $! >&3
read -r _ <&3
kill -9 $!
wait $!`

/** Milliseconds until a process that has closed its output is killed. */
const exitGrace = 200

/** A child process that does not outlive this process, does not keep it alive unless held, and can be suspended. */
export class GuardedProcess {
  /** How it ended: `code 1` or `SIGKILL`. */
  readonly exited: Promise<string>
  readonly #child: ChildProcess
  readonly #guard: Duplex | undefined
  #pid: number | undefined
  #isOver = false
  /** The shell may have reaped the process, so its pid may be reused. */
  #isReleased = false

  constructor(command: readonly [string, ...string[]], { cwd, env, ulimits }: GuardedOptions) {
    const [program, ...args] = command
    if (process.platform === 'win32') {
      this.#child = spawn(program, args, { cwd, env, windowsHide: true, stdio: 'pipe' })
      this.#pid = this.#child.pid
    } else {
      const script = `${ulimits.map((limit) => `ulimit ${limit}\n`).join('')}${guard}`
      // A separate process group: Ctrl-C in a terminal reaches only us, and we decide what happens to running code.
      this.#child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
        cwd,
        env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      })
      this.#guard = this.#child.stdio[3] as Duplex
      this.#guard.on('data', (data: Buffer) => (this.#pid ??= Number(data.toString('latin1'))))
      // A program may close its output just before it exits; killing it at once would hide its exit code.
      this.stdout.once('close', () => setTimeout(() => this.#release(), exitGrace).unref())
      // If another process killed the shell, nothing else would end the process.
      this.#child.once('exit', () => this.kill())
    }
    // Writing to an ended process fails; `exited` reports its end.
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

  /** Undefined before the start and after the end. */
  get pid(): number | undefined {
    return this.#isOver ? undefined : this.#pid
  }

  /** Stops all threads until `resume`. Not supported on Windows. */
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

  /** Sets whether this process keeps our program alive. */
  hold(isHeld: boolean): void {
    const verb = isHeld ? 'ref' : 'unref'
    this.#child[verb]()
    for (const stream of this.#child.stdio) (stream as Partial<Record<typeof verb, () => void>> | null)?.[verb]?.()
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    if (this.#guard === undefined || this.#isReleased || this.pid === undefined) return
    try {
      process.kill(this.pid, signal)
    } catch {
      // It has ended, which `exited` reports.
    }
  }

  #release(): void {
    this.#isReleased = true
    this.#guard?.end()
  }
}

/** A shell reports the signal that ended its child as 128 plus its number. */
function statusName(code: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return signal?.[0] ?? `code ${code}`
}
