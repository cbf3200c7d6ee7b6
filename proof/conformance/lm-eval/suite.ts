import { dictEntries, dictGet, dictHas, isList, type PyDict, PyFloat, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { makeDict } from '../../../packages/core/src/base/python/values/dict.ts'
import type { Value } from '../../../packages/core/src/base/python/values/value.ts'
import { groupMetrics } from '../../../packages/rolecall/src/compat/lm-eval/group-metrics.ts'
import { cutReply, generationArguments, stopList } from '../../../packages/rolecall/src/compat/lm-eval/stop-texts.ts'
import { loadTaskFile } from '../../../packages/rolecall/src/compat/lm-eval/yaml/load-task-file.ts'
import { type GroupScores, groupScores, type TaskMetricValues } from '../../../packages/rolecall/src/evaluation/run/record/group-scores.ts'
import { type Outcome, outcomeOf, show } from '../outcome.ts'
import { type Suite, type Trial, trial } from '../suite.ts'
import { failed, identical, unless, type Verdict } from '../verdict.ts'
import { difference, plainOf } from './compare.ts'
import { tasks, toDicts } from './tasks.ts'

const name = 'lm-eval'

/** Task files with their includes. */
const yaml: Suite = {
  name,
  recognises: (vector) => ['entry', 'files', 'source'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = json as PyDict
    const files = new Map(dictEntries(dictGet(vector, 'files') as PyDict))
    return examine(vector, () => makeDict(loadTaskFile(String(dictGet(vector, 'entry')), (path) => files.get(path) as string | undefined)))
  },
}

/** The model's side of `until`. */
const stop: Suite = {
  name,
  recognises: (vector) => dictHas(vector, 'op') && ['cut', 'stop_list', 'gen_kwargs'].includes(String(dictGet(vector, 'op'))),
  examine(json) {
    const vector = json as PyDict
    const args = dictGet(vector, 'args') as PyDict
    const arg = (key: string) => (dictGet(args, key) ?? null) as Value
    const { ours, judge } = examine(vector, () => {
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
    const isTuple = dictHas(vector, 'error') && isList(arg('until'))
    return { ours, judge: (results) => (isTuple ? judgeTuple(results[0]!, arg('until') as readonly Value[], arg('eos')) : judge(results)) }
  },
}

/** A list of stop texts is that list, with the end of the text if it is not among them. */
function judgeTuple(ours: Outcome, until: readonly Value[], eos: Value): Verdict {
  if ('error' in ours) return identical
  const wanted = [...until, ...(eos === null || until.includes(eos) ? [] : [eos])]
  const why = difference(ours.value, wanted as never)
  return why === undefined ? { kind: 'rule', rule: 'tuples-are-lists' } : failed(why)
}

/** Group metrics computed from task metrics. */
const groups: Suite = {
  name,
  recognises: (vector) => ['group', 'results', 'expected'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = json as PyDict
    const group = dictGet(vector, 'group') as PyDict
    return examine(vector, () => {
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

function examine(vector: PyDict, produce: () => Value): Trial {
  return trial(
    outcomeOf(() => plainOf(produce())),
    (ours) => {
      if (dictHas(vector, 'error')) return 'error' in ours ? identical : failed(`expected ${String(dictGet(vector, 'error'))}`)
      return 'error' in ours ? failed(show(ours)) : unless(difference(ours.value, dictGet(vector, 'expected')))
    },
  )
}

export const lmEval: readonly Suite[] = [yaml, stop, groups, tasks]
