import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { datasetPresets } from '../../../packages/rolecall/src/compat/benchmarks/index.ts'
import { checkConfig } from '../../../packages/rolecall/src/evaluation/config/check-config.ts'
import type { DatasetConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import type { Readiness } from '../../../packages/rolecall/src/evaluation/run/readiness.ts'
import { openPreset } from '../../../packages/rolecall/src/node/config/dataset-presets.ts'
import { anyModel } from '../../../packages/rolecall/src/node/runs/any-model.ts'
import { examineDataset } from '../../../packages/rolecall/src/node/runs/data-notes.ts'
import { prepareConfig } from '../../../packages/rolecall/src/node/runs/prepare-config.ts'
import { prepareTasks } from '../../../packages/rolecall/src/node/tasks/prepare-tasks.ts'
import { TaskIndex } from '../../../packages/rolecall/src/node/tasks/task-index.ts'
import { taskFolder, writeDocs } from '../claims/lm-eval-claims.ts'
import { configFiles, datasetFolder, datasetsOf, type Entry, withRows } from '../claims/opencompass-claims.ts'
import { madeFiles } from '../presets-matrix/made-files.ts'
import { madeShots, writeFiles } from '../presets-matrix/presets-matrix.ts'

/** What the gold test says about a dataset: all gold answers are right, some or all wrong, not tested, or no rows were at hand. */
export type GoldOutcome = 'right' | 'some wrong' | 'all wrong' | 'not tested' | 'cannot run' | 'no rows'

export type GoldResult = { name: string; outcome: GoldOutcome; why?: string | undefined }

const codes = new Set(['unscorable-gold', 'unscorable-form', 'stop-in-gold', 'no-gold'])

/** Reads the outcome from what `run` would find before its first request. */
export function goldOutcome({ word, cause, examined }: Pick<Readiness, 'word' | 'cause' | 'examined'>): Omit<GoldResult, 'name'> {
  if (cause && codes.has(cause.code)) return { outcome: 'all wrong', why: cause.problem }
  if (word !== 'ready' || !examined) return { outcome: word === 'not checked' ? 'no rows' : 'cannot run', why: cause?.problem }
  const { notes, refusal, untested } = examined
  if (untested !== undefined) return { outcome: 'not tested', why: untested }
  if (refusal) return { outcome: 'all wrong', why: refusal.text }
  const wrong = notes.find(({ code }) => codes.has(code))
  return wrong ? { outcome: 'some wrong', why: wrong.text } : { outcome: 'right' }
}

/** Every preset in every layout of its files, which are made up. */
export async function* sweepPresets(): AsyncGenerator<GoldResult> {
  for (const { name, layouts } of datasetPresets)
    for (const { test } of layouts) {
      const files = madeFiles[name]?.[test]
      if (!files) {
        yield { name: `${name}: ${test}`, outcome: 'no rows' }
        continue
      }
      const folder = writeFiles(tmpdir(), files)
      const { datasets } = openPreset({ preset: name, path: folder, ...madeShots(name) }, folder, name)
      const prepared = await prepareConfig({ models: [], datasets }, folder)
      for (const [place, readiness] of prepared.datasets.entries())
        yield { name: `${name}: ${datasets[place]!.abbr ?? test}`, ...goldOutcome(readiness) }
      rmSync(folder, { recursive: true })
    }
}

type LoaderVector = { loader: string; kind: string; kwargs: Entry; expected?: unknown }

/** Every dataset config of a checkout of OpenCompass, with the rows that its class reads in a file of vectors. */
export async function* sweepConfigs(checkout: string, vectors: string): AsyncGenerator<GoldResult> {
  const known = linesOf<LoaderVector>(vectors).filter(({ kind, expected }) => kind === 'ok' && expected !== undefined)
  const seen = new Set<string>()
  for (const file of configFiles(join(checkout, datasetFolder)))
    for (const dataset of datasetsOf(join(checkout, datasetFolder, file), new Map()) ?? []) {
      const key = JSON.stringify([dataset.type, dataset.reader_cfg, dataset.infer_cfg, dataset.eval_cfg])
      if (seen.has(key)) continue
      seen.add(key)
      const loader = String(dataset.type).split('.').at(-1)
      const rows = rowsFor(
        dataset,
        known.filter((one) => one.loader === loader),
      )
      const name = `${file}: ${String(dataset.abbr)}`
      if (rows === undefined) yield { name, outcome: 'no rows' }
      else {
        yield { name, ...(await testRows(withRows(dataset, rows), dirname(join(checkout, file)))) }
      }
    }
}

/** Tests the gold answers alone: the rows need not suffice for examples. */
async function testRows(dataset: Entry, folder: string): Promise<Omit<GoldResult, 'name'>> {
  try {
    const { datasets } = checkConfig({ models: [anyModel], datasets: [dataset] }, '', { foreignKeys: true })
    const examined = await examineDataset(datasets[0] as DatasetConfig, folder)
    return goldOutcome(examined ? { word: 'ready', examined } : { word: 'cannot run' })
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return { outcome: 'cannot run', why: error.problem }
  }
}

/** The rows of the vector whose arguments are most like those of a dataset, among those with all its columns. */
function rowsFor(dataset: Entry, vectors: readonly LoaderVector[]): Entry[] | undefined {
  const { input_columns: input = [], output_column: gold, test_split: split = 'test' } = (dataset.reader_cfg ?? {}) as ReaderConfig
  const columns = [...(Array.isArray(input) ? input : [input]), ...(gold === undefined || gold === null ? [] : [gold])]
  const likeness = ({ kwargs }: LoaderVector) =>
    Object.entries(kwargs).filter(([key, value]) => JSON.stringify(dataset[key]) === JSON.stringify(value)).length
  for (const { expected } of vectors.toSorted((one, other) => likeness(other) - likeness(one))) {
    const rows = Array.isArray(expected) ? expected : (expected as Record<string, unknown>)[split]
    if (Array.isArray(rows) && rows.length > 0 && columns.every((column) => rows.some((row: Entry) => column in row))) return rows
  }
  return undefined
}

type ReaderConfig = { input_columns?: string | string[]; output_column?: string | null; test_split?: string }

type TaskVector = { task: string; docs: unknown[] }

/** The tasks of a checkout of the harness for which a file of vectors has documents. */
export async function* sweepTasks(checkout: string, vectors: string): AsyncGenerator<GoldResult> {
  const known = new Map(linesOf<TaskVector>(vectors).map((vector) => [vector.task, vector.docs]))
  const index = new TaskIndex([join(checkout, taskFolder)])
  for (const task of index.tasks()) {
    const docs = 'error' in task ? undefined : known.get(task.name)
    if ('error' in task || !docs) continue
    const dataDir = mkdtempSync(join(tmpdir(), 'rolecall-gold-'))
    // Tasks show up to six examples.
    writeDocs(task, dataDir, [...docs, ...docs])
    const [prepared] = await prepareTasks([task], index, { dataDir })
    yield { name: task.name, ...goldOutcome(prepared!) }
    rmSync(dataDir, { recursive: true })
  }
}

function linesOf<Vector>(file: string): Vector[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Vector)
}
