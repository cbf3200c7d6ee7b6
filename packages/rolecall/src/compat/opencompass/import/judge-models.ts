import type { Note } from '@rolecall/core/internal/errors'
import { isListValue, type Value } from '@rolecall/core/internal/python'
import { isMutableDict, newDict, setItem } from '../../../python/interpreter/containers.ts'
import type { Session } from '../../../python/interpreter/session.ts'
import { lacksJudge, withJudge } from '../default-judge.ts'
import type { ImportedEntry } from './imported-entry.ts'
import { toServerModel } from './server-models.ts'

/** A dataset whose judge, if it is on an OpenAI-compatible server, has `type: 'openai'`, like a model there. */
export function withServerJudge(session: Session, dataset: Value): Value {
  const toServer = (judge: Value) => toServerModel(session, judge)
  return changed(session, dataset, ['eval_cfg', 'evaluator'], (evaluator) =>
    changed(session, changed(session, evaluator, ['judge_cfg'], toServer), ['llm_evaluator', 'judge_cfg'], toServer),
  )
}

/** The value with a change at a path of keys; the value itself if the path is not there or nothing changes. */
function changed(session: Session, value: Value, [key, ...rest]: readonly string[], change: (value: Value) => Value): Value {
  if (key === undefined) return change(value)
  const before = isMutableDict(value) ? value.get(key) : undefined
  if (before === undefined) return value
  const after = changed(session, before, rest, change)
  if (after === before) return value
  const made = newDict(session, value as Iterable<readonly [Value, Value]>)
  const remarks = session.remarks.get(value as object)
  if (remarks) session.remarks.set(made, remarks)
  setItem(session, made, key, after)
  return made as Value
}

/** The judges of `eval.partitioner.judge_models`: OpenCompass gives them to the datasets whose evaluators name none. */
export function judgeModelsOf(names: ReadonlyMap<string, Value>): Value[] {
  let found: Value | undefined = names.get('eval')
  for (const key of ['partitioner', 'judge_models']) found = found !== undefined && isMutableDict(found) ? found.get(key) : undefined
  return found !== undefined && isListValue(found) ? found.filter(isMutableDict) : []
}

/** A dataset once for each of these judges, if its evaluator queries a judge and names none. */
export function judgedBy(dataset: ImportedEntry, judges: readonly ImportedEntry[], note: (note: Note) => void): ImportedEntry[] {
  if (judges.length === 0 || !lacksJudge(dataset)) return [dataset]
  if (judges.length === 1) return [withJudge(dataset, judges[0])]
  const where = String(dataset.abbr ?? 'a dataset')
  note({ code: 'several-judges', where, text: `its answers are judged by ${judges.length} models: it runs once for each of them` })
  return judges.map((judge, index) => ({
    ...withJudge(dataset, judge),
    abbr: `${where}_judged-by--${String(judge.abbr ?? index)}`,
  }))
}
