import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { functionsOf } from '../../compat/lm-eval/check-task.ts'
import { isDataMissing, type Readiness } from '../../evaluation/run/readiness.ts'
import { prepareConfig } from '../runs/prepare-config.ts'
import { checkingHost, datasetOf, type TaskFlags, withRoot } from './task-datasets.ts'
import type { FoundTask, TaskIndex } from './task-index.ts'

/** A task, the functions it names, whether it can run, what `run` would warn about, and what runs in the Python sandbox. */
export type PreparedTask = { task: string; file: string; outputType?: string; functions: string[]; inPython?: string } & Pick<
  Readiness,
  'word' | 'cause' | 'notes' | 'examined'
>

type FoundOrError = FoundTask | { file: string; error: PromptError }

/** Prepares tasks as `run --tasks` does, without sending anything. */
export async function prepareTasks(found: Iterable<FoundOrError>, index: TaskIndex, flags: TaskFlags = {}): Promise<PreparedTask[]> {
  const find = checkingHost(index, flags)
  const prepared: PreparedTask[] = []
  for (const each of found) {
    if ('error' in each) {
      prepared.push({ task: each.file, file: `/${each.file}`, functions: [], word: 'cannot run', cause: each.error, notes: [] })
      continue
    }
    const functions = [...new Set(functionsOf(each.keys).map(({ path }) => path))]
    const outputType = each.keys.get('output_type') ?? 'generate_until'
    const taskNotes: Note[] = []
    const { word, cause, notes, examined } = await readinessOf(() => datasetOf(each, index, flags, taskNotes, find))
    const inPython = taskNotes.find(({ code }) => code === 'python-packages')?.text
    prepared.push({
      task: each.name,
      file: `/${each.file}`,
      outputType: String(outputType),
      functions,
      word,
      ...(inPython === undefined ? {} : { inPython }),
      ...(cause ? { cause } : {}),
      notes,
      ...(examined ? { examined } : {}),
    })
  }
  return prepared
}

async function readinessOf(make: () => Promise<object>): Promise<Readiness> {
  try {
    const { datasets } = await prepareConfig({ models: [], datasets: [await make()] }, process.cwd())
    return datasets[0]!
  } catch (given) {
    const error = withRoot(given)
    if (!(error instanceof PromptError)) throw error
    return { word: isDataMissing(error) ? 'not checked' : 'cannot run', cause: error, notes: [] }
  }
}
