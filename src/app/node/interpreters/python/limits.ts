import { z } from 'zod'

const milliseconds = () => z.number().positive()
const count = () => z.int().positive()

/** Every limit of the Python sandbox, by name: what `pythonSandbox` takes, checks and documents. All are enforced in this process. */
export const sandboxLimitsSchema = z.strictObject({
  softLimit: milliseconds().default(20_000).describe('After so many milliseconds code is interrupted, and what it has made is kept.'),
  grace: milliseconds().default(5_000).describe('After so many more the process is ended, and what code has made is gone.'),
  fileLimit: milliseconds().default(30_000).describe('How many milliseconds putting in, listing or fetching files may take.'),
  startLimit: milliseconds().default(120_000).describe('How many milliseconds Python may take to start.'),
  closeLimit: milliseconds().default(5_000).describe('How many milliseconds `close()` waits for a process that was killed.'),
  memory: count().default(512).describe('The most memory of Python, in MiB: more is a MemoryError.'),
  heap: count().default(256).describe('The most memory of JavaScript around Python, in MiB.'),
  overhead: count().default(1024).describe('The process may hold so many MiB more than Python may; beyond, it is ended.'),
  maxOutput: count().default(50_000).describe('The most characters that one piece of code may print; the rest is counted.'),
  maxTraffic: count()
    .default(64 * 2 ** 20)
    .describe('The most bytes that the process may write from one request to the next; beyond, it is ended.'),
  maxFile: count()
    .default(32 * 2 ** 20)
    .describe('The most bytes of a file that is put in or fetched.'),
  maxFiles: count().default(1000).describe('The most files that are listed.'),
})

/** What code in the Python sandbox may use: time, memory, output, files. */
export type PythonSandboxOptions = z.input<typeof sandboxLimitsSchema>
export type SandboxLimits = z.output<typeof sandboxLimitsSchema>
