import { dictEntries, dictGet, dictHas, isList, type PyDict, PyFloat, type PyValue } from '../../src/base/python/index.ts'
import { makeDict } from '../../src/base/python/values/dict.ts'
import type { Value } from '../../src/base/python/values/value.ts'
import { groupMetrics } from '../../src/compat/lm-eval/group-metrics.ts'
import { cutReply, generationArguments, stopList } from '../../src/compat/lm-eval/stop-texts.ts'
import { loadTaskFile } from '../../src/compat/lm-eval/yaml/load-task-file.ts'
import { type GroupScores, groupScores, type TaskMetricValues } from '../../src/evaluation/run/record/group-scores.ts'
import { PromptError } from '../../src/index.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { difference } from './compare.ts'
import { tasks, toDicts } from './tasks.ts'

const name = 'lm-eval'

/** Task files with their includes. */
const yaml: Suite = {
  name,
  recognises: (vector) => ['entry', 'files', 'source'].every((key) => dictHas(vector, key)),
  judge(json) {
    const vector = json as PyDict
    const files = new Map(dictEntries(dictGet(vector, 'files') as PyDict))
    return judge(vector, () => makeDict(loadTaskFile(String(dictGet(vector, 'entry')), (path) => files.get(path) as string | undefined)))
  },
}

/** The model's side of `until`. */
const stop: Suite = {
  name,
  recognises: (vector) => dictHas(vector, 'op') && ['cut', 'stop_list', 'gen_kwargs'].includes(String(dictGet(vector, 'op'))),
  judge(json) {
    const vector = json as PyDict
    const args = dictGet(vector, 'args') as PyDict
    const arg = (key: string) => (dictGet(args, key) ?? null) as Value
    const verdict = judge(vector, () => {
      switch (dictGet(vector, 'op')) {
        case 'stop_list':
          return stopList(arg('until'), arg('eos') as string | null)
        case 'cut':
          return cutReply(String(arg('generation')), arg('stop'), arg('think_end_token') as string | null)
        default: {
          const length = dictGet(args, 'default_max_gen_toks') as number | undefined
          return makeDict(generationArguments(new Map(dictEntries(dictGet(args, 'gen_kwargs') as PyDict) as [string, Value][]), length))
        }
      }
    })
    // The reference rejects a tuple, which JSON represents as a list.
    if (verdict.kind === 'failed' && dictHas(vector, 'error') && isList(arg('until')))
      return { kind: 'deviation', rule: 'tuples-are-lists' }
    return verdict
  },
}

/** Group metrics computed from task metrics. */
const groups: Suite = {
  name,
  recognises: (vector) => ['group', 'results', 'expected'].every((key) => dictHas(vector, key)),
  judge(json) {
    const vector = json as PyDict
    const group = dictGet(vector, 'group') as PyDict
    return judge(vector, () => {
      const results = dictGet(vector, 'results') as PyDict
      const tasks = (dictGet(group, 'task') as readonly PyValue[]).map((task) => dictGet(results, String(task)) as PyDict)
      const metrics = groupMetrics(toDicts(dictGet(group, 'aggregate_metric_list') ?? null), 'group')
      return plain(groupScores(tasks.map(figures), metrics))
    })
  },
}

function figures(task: PyDict): TaskMetricValues {
  return Object.fromEntries(
    dictEntries(task).map(([key, value]) => [key, value instanceof PyFloat ? value.value : (value as number | string)]),
  )
}

function plain({ figures: own, counts }: GroupScores): Value {
  return { ...own, ...(Object.keys(counts).length === 0 ? {} : { sample_count: counts }) }
}

export function judge(vector: PyDict, produce: () => Value): Verdict {
  const fails = dictHas(vector, 'error')
  try {
    const ours = produce()
    if (fails) return { kind: 'failed', why: `expected ${String(dictGet(vector, 'error'))}` }
    const why = difference(ours, dictGet(vector, 'expected'))
    return why === undefined ? { kind: 'passed' } : { kind: 'failed', why }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    return fails ? { kind: 'passed' } : { kind: 'failed', why: error.message }
  }
}

export const lmEval: readonly Suite[] = [yaml, stop, groups, tasks]
