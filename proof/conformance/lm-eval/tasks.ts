import { dictEntries, dictGet, dictHas, isDict, isList, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { makeDict } from '../../../packages/core/src/base/python/values/dict.ts'
import type { Value } from '../../../packages/core/src/base/python/values/value.ts'
import { evaluateTask, type TaskResults } from '../../../packages/rolecall/src/compat/lm-eval/evaluate-task.ts'
import { asSingleTurn, joined, type TaskMessage, textOfFragments } from '../../../packages/rolecall/src/compat/lm-eval/prompt/message.ts'
import { exampleSampler } from '../../../packages/rolecall/src/compat/lm-eval/prompt/sample-examples.ts'
import { requestsOf, type TaskRequest } from '../../../packages/rolecall/src/compat/lm-eval/prompt/task-requests.ts'
import { functionHost } from '../../../packages/rolecall/src/compat/lm-eval/python/function-host.ts'
import type { Doc } from '../../../packages/rolecall/src/compat/lm-eval/task/field.ts'
import { openTask, type Task } from '../../../packages/rolecall/src/compat/lm-eval/task/task.ts'
import { readTask } from '../../../packages/rolecall/src/compat/lm-eval/task/task-config.ts'
import { docsOfTask } from '../../../packages/rolecall/src/compat/lm-eval/task/task-docs.ts'
import { FunctionMark } from '../../../packages/rolecall/src/compat/lm-eval/yaml/function-mark.ts'
import { outcomeOf, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, unless } from '../verdict.ts'
import { difference, plainOf } from './compare.ts'

/** Whole tasks: requests, answers extracted from the replies, and metrics. */
export const tasks: Suite = {
  name: 'lm-eval',
  recognises: (vector) => ['yaml', 'docs', 'requests', 'replies', 'expected'].every((key) => dictHas(vector, key)),
  examine(json) {
    const vector = json as PyDict
    const expected = dictGet(vector, 'expected') as PyDict
    return trial(
      outcomeOf(() => plainOf(runTask(vector))),
      (ours) => {
        if (dictHas(expected, 'error')) return 'error' in ours ? identical : failed(`expected ${String(dictGet(expected, 'error'))}`)
        return 'error' in ours ? failed(show(ours)) : unless(differenceOf(ours.value as Results, vector, expected))
      },
    )
  },
}

type Results = Record<'docs' | 'pool' | 'shots' | 'requests' | 'samples' | 'results' | 'higherIsBetter', unknown>

function runTask(vector: PyDict): Value {
  const sources = new Map<string, string>()
  const keys = dictEntries(dictGet(vector, 'yaml') as PyDict).map(([key, value]) => [key, toDicts(value, sources)] as const)
  const config = readTask(new Map(keys), 'task.yaml')
  const find = functionHost((path) => sources.get(path))
  const given = { docs: docsOf(vector, 'docs')!, pool: docsOf(vector, 'fewshot_docs') }
  const rows = dictGet(vector, 'rows') as PyDict | undefined
  const { docs, pool } = rows ? docsOfTask(config, (split) => dictGet(rows, split) as readonly Doc[] | undefined, find) : given
  const task = openTask(config, docs, pool, find)
  const asked = dictGet(vector, 'num_fewshot') as number
  const shots = config.numFewshot === 0 ? 0 : asked
  const chat = dictGet(vector, 'chat') as PyDict | null
  const requests = allRequests(task, shots, chat, dictGet(vector, 'system_instruction') as string | null)
  const replies = dictGet(vector, 'replies') as readonly (readonly Value[])[]
  const results = evaluateTask(
    task,
    (requests as readonly { doc: number }[]).map(({ doc }, index) => ({ doc, replies: replies[index] ?? [] })),
    resamples,
  )
  const { figures, higherIsBetter } = results
  // Rows that the vector gives are not a result.
  const read = rows ? { docs, ...(given.pool === undefined ? {} : { pool }) } : {}
  // Every part is a value that JSON can hold, which object types do not say.
  return { ...read, shots, requests, samples: shownSamples(results), results: figures, higherIsBetter } as unknown as Value
}

function differenceOf(ours: Results, vector: PyDict, expected: PyDict): string | undefined {
  const read = 'docs' in ours ? difference(ours.docs, dictGet(vector, 'docs'), 'docs') : undefined
  const pool = 'pool' in ours ? difference(ours.pool, dictGet(vector, 'fewshot_docs'), 'fewshot_docs') : undefined
  return (
    read ??
    pool ??
    difference(ours.shots, dictGet(expected, 'num_fewshot'), 'num_fewshot') ??
    difference(ours.requests, dictGet(vector, 'requests'), 'requests') ??
    difference(ours.samples, dictGet(expected, 'samples'), 'samples') ??
    difference(ours.results, dictGet(expected, 'results'), 'results') ??
    difference(ours.higherIsBetter, dictGet(expected, 'higher_is_better'), 'higher_is_better')
  )
}

/** Number of bootstrap resamples that the vectors used for standard errors. */
const resamples = 100

function shownSamples({ samples }: TaskResults): Value {
  return samples.map(({ doc, filter, target, filtered, measures }) => ({
    doc,
    filter,
    target,
    filtered_resps: filtered,
    metrics: makeDict(measures),
  }))
}

function docsOf(vector: PyDict, key: string): readonly Doc[] | undefined {
  const docs = dictGet(vector, key)
  return isList(docs) ? (docs as readonly Doc[]) : undefined
}

function allRequests(task: Task, shots: number, chat: PyDict | null, system: string | null): Value {
  const draw = task.config.outputType === 'loglikelihood_rolling' ? () => [] : exampleSampler(task, shots)
  return task.docs.flatMap((doc, number): Value[] => {
    const options = { examples: draw(doc), system: system ?? undefined, isChat: chat !== null }
    return requestsOf(task, doc, options).map((request, idx) => ({
      doc: number,
      idx,
      ...shownRequest(task, request, chat),
      ...(task.config.repeats === 1 ? {} : { repeats: task.config.repeats }),
    }))
  })
}

function shownRequest({ config }: Task, request: TaskRequest, chat: PyDict | null): Record<string, Value> {
  if (request.kind === 'rolling') return { type: 'loglikelihood_rolling', text: textOfFragments(request.text) }
  const context: Record<string, Value> =
    chat === null || request.prompt === undefined
      ? { context: textOfFragments(joined(request.prompt?.messages ?? [])) }
      : {
          messages: shownMessages(request.prompt.messages, dictGet(chat, 'fewshot_as_multiturn') === true),
          add_generation_prompt: !request.hasPrefix,
        }
  if (request.kind === 'generate') return { type: 'generate_until', ...context, gen_kwargs: makeDict(config.generation) }
  return { type: 'loglikelihood', ...context, continuation: textOfFragments(request.continuation) }
}

function shownMessages(messages: readonly TaskMessage[], isMultiturn: boolean): Value {
  return (isMultiturn ? messages : asSingleTurn(messages)).map(({ role, content }) => ({ role, content: textOfFragments(content) }))
}

/** Plain data with dicts as the YAML reader builds them, and functions as tags, each in a separate folder. */
export function toDicts(value: PyValue, sources: Map<string, string> = new Map()): Value {
  if (isList(value)) return value.map((item) => toDicts(item, sources))
  if (!isDict(value)) return value as Value
  const path = dictGet(value, '$function')
  if (path === undefined) return makeDict(dictEntries(value).map(([key, item]) => [key, toDicts(item, sources)] as const))
  const folder = `f${sources.size}`
  const source = dictGet(value, 'source')
  if (typeof source === 'string') sources.set(`${folder}/${String(path).split('.').slice(0, -1).join('/')}.py`, source)
  return new FunctionMark(String(path), `${folder}/task.yaml`)
}
