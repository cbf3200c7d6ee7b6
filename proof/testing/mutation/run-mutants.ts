import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { fewRuns, type MeasuredTest, type Reply, type Request, type Site, type WorkerData } from './protocol.ts'

export type Outcome = { site: Site; result: 'killed' | 'survived' | 'timeout' | 'refused'; by: string | undefined; tests: number }

export type MutationRun = {
  outcomes: readonly Outcome[]
  tests: readonly MeasuredTest[]
  leftOut: readonly { file: string; why: string }[]
}

export type RunMutantsOptions = {
  root: string
  testFiles: readonly string[]
  transpiled: ReadonlyMap<string, string>
  sites: readonly Site[]
  workers: number
  /** The modules that a test file loads. A mutant reached while its module loads is covered by all tests that load it. */
  modulesOf: (testFile: string) => ReadonlySet<string>
  /** Time budget of a mutant's tests, as measured without it; the fastest ones run. */
  millisecondsPerMutant?: number
}

/** For every mutant, runs the tests that reach it until one fails; finally those with properties, with more runs. A test that takes much longer than without the mutant counts as hanging. */
export async function runMutants(options: RunMutantsOptions): Promise<MutationRun> {
  const { sites, workers } = options
  const measured = await measure(options)
  const outcomes: Outcome[] = []
  const queue = [...sites]
  const work = async () => {
    let thread: TestThread | undefined
    const attempt = async (site: Site, tests: readonly MeasuredTest[], runs: number): Promise<Pick<Outcome, 'result' | 'by'>> => {
      if (tests.length === 0) return { result: 'survived', by: undefined }
      thread ??= await startThread(options)
      const reply = await thread.run({ kind: 'mutant', site, tests, runs }, tests, runs / fewRuns)
      if (reply !== 'timeout') return reply.kind === 'killed' ? { result: 'killed', by: reply.by } : { result: 'survived', by: undefined }
      thread = undefined
      return { result: 'timeout', by: undefined }
    }
    for (let site = queue.shift(); site !== undefined; site = queue.shift()) {
      const tests = testsFor(site, measured, options)
      const first = await attempt(site, tests, fewRuns)
      const properties = tests.filter(({ hasProperty }) => hasProperty)
      const { result, by } = first.result === 'survived' ? await attempt(site, properties, usualRuns) : first
      outcomes.push({ site, result, by, tests: tests.length })
    }
    await thread?.end()
  }
  await Promise.all(Array.from({ length: workers }, work))
  outcomes.sort((a, b) => a.site.id - b.site.id)
  return { outcomes, tests: measured.tests, leftOut: measured.leftOut }
}

type Measured = Extract<Reply, { kind: 'measured' }>

/** Runs all tests without a mutant, with the files split among threads. */
async function measure(options: RunMutantsOptions): Promise<Measured> {
  const shares = Array.from({ length: options.workers }, (_, worker) =>
    options.testFiles.filter((_, index) => index % options.workers === worker),
  )
  const parts = await Promise.all(
    shares.map(async (files) => {
      const thread = new TestThread(options)
      const reply = await thread.run({ kind: 'measure', sites: options.sites, files })
      await thread.end()
      if (reply === 'timeout' || reply.kind !== 'measured')
        throw new Error('the tests could not be run without a mutant', { cause: thread.failure })
      return reply
    }),
  )
  return {
    kind: 'measured',
    tests: parts.flatMap(({ tests }) => tests),
    reachedWhenLoaded: parts.flatMap(({ reachedWhenLoaded }) => reachedWhenLoaded),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
  }
}

async function startThread(options: RunMutantsOptions): Promise<TestThread> {
  const thread = new TestThread(options)
  await thread.run({ kind: 'warm-up' })
  return thread
}

function testsFor({ id, file }: Site, { tests, reachedWhenLoaded }: Measured, options: RunMutantsOptions): MeasuredTest[] {
  const whenLoaded = reachedWhenLoaded.includes(id)
  const candidates = tests.filter((test) => test.reached.includes(id) || (whenLoaded && options.modulesOf(test.file).has(file)))
  // Tests next to the source come first. Of many that merely load a module, those that load little else are most likely to test it.
  const distance = (test: MeasuredTest) => Number(dirname(test.file) !== dirname(file))
  const size = (test: MeasuredTest) => (whenLoaded ? options.modulesOf(test.file).size : 0)
  candidates.sort((a, b) => distance(a) - distance(b) || size(a) - size(b) || a.milliseconds - b.milliseconds)
  let left = options.millisecondsPerMutant ?? 60_000
  return candidates.filter(({ milliseconds }) => {
    left -= milliseconds
    return left > 0
  })
}

/** A thread that runs tests, one request at a time. */
class TestThread {
  readonly #worker: Worker
  readonly #running: Int32Array
  failure: unknown

  constructor({ root, testFiles, transpiled }: RunMutantsOptions) {
    const progress = new SharedArrayBuffer(4)
    this.#running = new Int32Array(progress)
    const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib/jiti-cli.mjs')
    this.#worker = new Worker(jiti, {
      argv: [fileURLToPath(new URL('worker.ts', import.meta.url))],
      workerData: { root, testFiles, transpiled, progress } satisfies WorkerData,
      // An empty PATH: tests that compare with Python use the results in the repository.
      env: { NO_COLOR: '1', ROLECALL_CACHE: 'off', PATH: '' },
      resourceLimits: { maxOldGenerationSizeMb: 2048 },
      stdout: true,
      stderr: true,
    })
  }

  /** The reply, or `timeout` if a test hangs, which also terminates the thread. */
  run(request: Request, tests: readonly MeasuredTest[] = [], times = 1): Promise<Reply | 'timeout'> {
    return new Promise((resolve) => {
      let current = -1
      let since = performance.now()
      const watch = setInterval(() => {
        const now = Atomics.load(this.#running, 0)
        if (now !== current || tests.length === 0) [current, since] = [now, performance.now()]
        else if (performance.now() - since > patience(tests[now], times)) finish('timeout')
      }, 100)
      const finish = (reply: Reply | 'timeout') => {
        clearInterval(watch)
        this.#worker.off('message', finish).off('error', fail).off('exit', fail)
        if (reply === 'timeout') void this.#worker.terminate()
        resolve(reply)
      }
      // A mutant that exhausts memory, or fails outside a test.
      const fail = (error: unknown) => {
        this.failure = error
        finish('timeout')
      }
      Atomics.store(this.#running, 0, 0)
      this.#worker.on('message', finish).on('error', fail).on('exit', fail)
      this.#worker.postMessage(request)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Time limit of a test with a mutant, including loading its file, for this many runs. */
function patience(test: MeasuredTest | undefined, times: number): number {
  return 4_000 + 10 * times * (test?.milliseconds ?? 0)
}

/** Runs of a property if no test detected the mutant; few have more runs in `npm test`. */
const usualRuns = 400
