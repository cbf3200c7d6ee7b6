import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Value } from '../../../packages/core/src/base/python/values/value.ts'
import { checkConfig } from '../../../packages/rolecall/src/evaluation/config/check-config.ts'
import type { ReadyWord } from '../../../packages/rolecall/src/evaluation/run/readiness.ts'
import { anyModel } from '../../../packages/rolecall/src/node/runs/any-model.ts'
import { runEvaluation } from '../../../packages/rolecall/src/node/runs/run-evaluation.ts'
import { prepareTasks } from '../../../packages/rolecall/src/node/tasks/prepare-tasks.ts'
import { datasetOf } from '../../../packages/rolecall/src/node/tasks/task-datasets.ts'
import { type FoundTask, TaskIndex } from '../../../packages/rolecall/src/node/tasks/task-index.ts'
import type { Place } from './opencompass-claims.ts'
import { type Claim, outcomeOf } from './run-outcome.ts'

/** Where a checkout keeps its tasks. */
export const taskFolder = 'lm_eval/tasks'

export type TaskClaims = { words: Record<ReadyWord, number>; claims: Claim[] }

/** Prepares every task of a checkout without its data; of tasks that differ only in their subset, one is compared with a run, also with made-up documents. */
export async function lmEvalClaims(checkout: string, { url, work }: Place): Promise<TaskClaims> {
  const index = new TaskIndex([join(checkout, taskFolder)])
  const found = [...index.tasks()]
  const prepared = await prepareTasks(found, index)
  const words: TaskClaims['words'] = { ready: 0, 'not checked': 0, 'cannot run': 0 }
  for (const { word } of prepared) words[word]++
  const claims: Claim[] = []
  const seen = new Set<string>()
  for (const [number, each] of found.entries()) {
    if ('error' in each || seen.has(kindOf(each))) continue
    seen.add(kindOf(each))
    const { word, cause } = prepared[number]!
    claims.push({ name: each.name, data: 'absent', said: word, cause: cause?.problem, did: await run(each, undefined) })
    if (word === 'cannot run') continue
    const dataDir = join(work, 'data', String(seen.size))
    writeDocs(each, dataDir, new Array<object>(8).fill(madeUpDoc(each)))
    const [made] = await prepareTasks([each], index, { dataDir })
    claims.push({ name: each.name, data: 'made up', said: made!.word, cause: made!.cause?.problem, did: await run(each, dataDir) })
  }
  return { words, claims }

  function run(task: FoundTask, dataDir: string | undefined) {
    return outcomeOf(async () => {
      const dataset = await datasetOf(task, index, dataDir === undefined ? {} : { dataDir })
      const config = checkConfig({ models: [{ ...anyModel, base_url: url }], datasets: [dataset] }, '')
      return runEvaluation({ file: '', folder: work, config }, { workDir: join(work, 'runs'), limit: 2, cache: false })
    })
  }
}

/** Tasks of the same file family that only select another subset are alike. */
function kindOf({ file, keys }: FoundTask): string {
  const varying = new Set(['task', 'dataset_name', 'task_alias', 'description', 'tag', 'group', 'metadata'])
  return JSON.stringify([dirname(file), [...keys].filter(([key]) => !varying.has(key)).map(([key, value]) => [key, shown(value)])])
}

function shown(value: Value): unknown {
  return JSON.stringify(value, (_, item) => (item instanceof Map ? [...item] : typeof item === 'bigint' ? String(item) : item))
}

/** A document with every name that the task's templates use. */
function madeUpDoc({ keys }: FoundTask): object {
  const texts = ['doc_to_text', 'doc_to_target', 'doc_to_choice', 'gen_prefix']
    .map((key) => keys.get(key))
    .filter((text) => typeof text === 'string')
  const names = texts.flatMap((text) => {
    const inBraces = [...String(text).matchAll(/\{[{%](.*?)[}%]\}/gs)].map(([, code]) => code!).join(' ')
    return inBraces === '' ? [String(text)] : [...inBraces.matchAll(/(?<![.\w'"])[a-zA-Z_]\w*/g)].map(([name]) => name)
  })
  return Object.fromEntries(
    [...new Set([...names, 'question', 'choices', 'answer', 'label', 'target'])].map((name) => [name, madeUpValue(name)]),
  )
}

/** Writes documents as the data of a task, the same for each of its splits. */
export function writeDocs({ keys }: FoundTask, dataDir: string, docs: readonly unknown[]): void {
  const path = keys.get('dataset_path')
  if (typeof path !== 'string') return
  const subset = keys.get('dataset_name')
  const folder = join(dataDir, path, ...(typeof subset === 'string' ? [subset] : []))
  mkdirSync(folder, { recursive: true })
  const lines = docs.map((doc) => `${JSON.stringify(doc)}\n`).join('')
  for (const key of ['test_split', 'validation_split', 'training_split', 'fewshot_split']) {
    const split = keys.get(key)
    if (typeof split === 'string') writeFileSync(join(folder, `${split.replaceAll('/', '_')}.jsonl`), lines)
  }
}

function madeUpValue(name: string): unknown {
  if (/choices|options|endings|candidates/.test(name)) return ['yes', 'no']
  return /label|gold|idx|index/.test(name) ? 0 : `made-up ${name}`
}
