import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import fastCheck from 'fast-check'
import { applyMutant, markPlaces } from './make-mutants.ts'
import { ModuleTree } from './module-tree.ts'
import { fewRuns, type MeasuredTest, type Reply, type Request, type Site, type WorkerData } from './protocol.ts'
import { type RegisteredTest, TestApi } from './test-api.ts'

/** Maximum runs of properties, and whether the running test has one. */
let mostRuns = fewRuns
let hasProperty = false

/** fast-check with fewer runs and a fixed seed. */
const limitedRuns = {
  ...fastCheck,
  assert: (property: fastCheck.IRawProperty<unknown>, parameters: fastCheck.Parameters<unknown> = {}) => {
    hasProperty = true
    return fastCheck.assert(property, { seed: 1, ...parameters, numRuns: Math.min(parameters.numRuns ?? 100, mostRuns) })
  },
}

const { root, testFiles, transpiled, progress } = workerData as WorkerData
const running = new Int32Array(progress)
const api = new TestApi()
const tree = new ModuleTree(root, { vitest: api.module, 'fast-check': limitedRuns }, transpiled)

const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Loads a test file and returns its tests. */
function collect(file: string, load: (path: string) => unknown): RegisteredTest[] {
  api.begin(file)
  load(file)
  return [...api.tests]
}

async function measure(sites: readonly Site[], files: readonly string[]): Promise<Reply> {
  let reached = new Set<number>()
  Object.assign(globalThis, { __reached: (id: number) => reached.add(id) })
  const mutated = new Set(sites.map(({ file }) => file))
  const marked = new Map(
    [...mutated].map((file) => [
      file,
      markPlaces(
        sourceOf(file),
        sites.filter((site) => site.file === file),
      ),
    ]),
  )
  const tests: MeasuredTest[] = []
  const whenLoaded = new Set<number>()
  const leftOut: { file: string; why: string }[] = []
  for (const file of files) {
    try {
      reached = new Set()
      const collected = collect(file, tree.fresh(marked))
      for (const id of reached) whenLoaded.add(id)
      for (const [position, { name, run }] of collected.entries()) {
        reached = new Set()
        hasProperty = false
        const start = performance.now()
        try {
          await run()
          tests.push({ file, name, position, milliseconds: performance.now() - start, hasProperty, reached: [...reached] })
        } catch (error) {
          leftOut.push({ file, why: `${name}: ${messageOf(error)}` })
        }
      }
    } catch (error) {
      leftOut.push({ file, why: messageOf(error) })
    } finally {
      await api.end()
    }
  }
  return { kind: 'measured', tests, reachedWhenLoaded: [...whenLoaded], leftOut }
}

async function tryMutant(site: Site, tests: readonly { file: string; position: number }[], runs: number): Promise<Reply> {
  try {
    return await outcomeOf(site, tests, runs)
  } finally {
    await api.end()
  }
}

async function outcomeOf({ file, mutant }: Site, tests: readonly { file: string; position: number }[], runs: number): Promise<Reply> {
  mostRuns = runs
  const load = tree.fresh(new Map([[file, applyMutant(sourceOf(file), mutant)]]))
  const collected = new Map<string, RegisteredTest[]>()
  for (const [index, { file: testFile, position }] of tests.entries()) {
    Atomics.store(running, 0, index)
    try {
      let inFile = collected.get(testFile)
      if (inFile === undefined) {
        inFile = collect(testFile, load)
        collected.set(testFile, inFile)
      }
      const test = inFile[position]
      if (test === undefined) return { kind: 'killed', by: `${testFile}: its tests changed` }
      await test.run()
    } catch {
      return { kind: 'killed', by: `${testFile} › ${collected.get(testFile)?.[position]?.name ?? 'loading'}` }
    }
  }
  return { kind: 'survived' }
}

function warmUp(): Reply {
  const load = tree.fresh()
  for (const file of testFiles)
    try {
      collect(file, load)
    } catch {
      // The measuring pass reports files that cannot be loaded.
    }
  return { kind: 'ready' }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function answer(request: Request): Reply | Promise<Reply> {
  switch (request.kind) {
    case 'warm-up':
      return warmUp()
    case 'measure':
      return measure(request.sites, request.files)
    case 'mutant':
      return tryMutant(request.site, request.tests, request.runs)
  }
}

parentPort!.on('message', async (request: Request) => {
  parentPort!.postMessage(await answer(request))
})
