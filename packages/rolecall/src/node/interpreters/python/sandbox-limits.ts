import { z } from 'zod'

const milliseconds = () => z.number().positive()
const count = () => z.int().positive()

/** The limits of the Python sandbox, which this process enforces: `pythonSandbox` takes, checks and documents them from here. */
export const sandboxLimitsSchema = z.strictObject({
  softLimit: milliseconds().default(20_000).describe('Milliseconds after which code is interrupted; its variables and files are kept.'),
  grace: milliseconds()
    .default(5_000)
    .describe('Milliseconds after the interrupt until the process is ended; variables and files are lost.'),
  fileLimit: milliseconds().default(30_000).describe('Milliseconds that adding, listing or reading files may take.'),
  startLimit: milliseconds().default(120_000).describe('Milliseconds that Python may take to start.'),
  closeLimit: milliseconds().default(5_000).describe('Milliseconds that `close()` waits for a killed process to end.'),
  memory: count().default(512).describe('Memory of Python in MiB; beyond it, code gets a MemoryError.'),
  heap: count().default(256).describe('Heap of the JavaScript around Python in MiB.'),
  overhead: count().default(1024).describe('MiB that the process may hold in addition to `memory`; beyond it, the process is ended.'),
  maxOutput: count().default(50_000).describe('Characters that one piece of code may print; the rest is only counted.'),
  maxTraffic: count()
    .default(64 * 2 ** 20)
    .describe('Bytes that the process may write between two requests; beyond it, the process is ended.'),
  maxFile: count()
    .default(32 * 2 ** 20)
    .describe('Maximum size of a file that is added or read, in bytes.'),
  maxFiles: count().default(1000).describe('Maximum number of files listed.'),
})

/** What code in the Python sandbox may use: time, memory, output, files. */
export type PythonSandboxOptions = z.input<typeof sandboxLimitsSchema>
export type SandboxLimits = z.output<typeof sandboxLimitsSchema>

/**
 * MiB of address space that V8 maps writable for the machine code of one thread. Hardly any of it is ever resident, but `ulimit -d`
 * counts all of it. Measured with Deno 2.9.5 by reading /proc/self/maps in workers (x86-64 under QEMU).
 */
const codeRange: Readonly<Record<string, number>> = { arm64: 256, x64: 512 }

/** The runner, Python, and two threads that code may start; a process that starts many more ends, which is safe. */
const threads = 4

/**
 * The data segment limit of the sandbox process (`ulimit -d`), in MiB: what may be resident, plus the code ranges of its threads. Too low
 * a limit makes V8 abort with SIGTRAP when a thread starts.
 */
export function dataLimit({ memory, overhead }: Pick<SandboxLimits, 'memory' | 'overhead'>, architecture: string): number {
  return memory + overhead + threads * (codeRange[architecture] ?? 512)
}
