import { PromptError } from '@rolecall/core/internal/errors'
import { isListValue, makeDict, type PyValue, pyRepr, stringifyJson, type Value } from '@rolecall/core/internal/python'
import { generationArguments, lengthNames, numberOf } from '../../compat/lm-eval/stop-texts.ts'
import { ownMethod } from '../../compat/lm-eval/task/class-config.ts'
import type { Task } from '../../compat/lm-eval/task/task.ts'
import { samplingNames } from '../../model/language-model/sampling-settings.ts'
import type { HarnessServer } from '../config/harness-model.ts'

/**
 * How a task is asked, with the generation settings of the task or of its class; `flags` are those of `--gen-kwargs`. The servers of
 * lm-evaluation-harness that take messages are sent four stops.
 */
export function taskInferencer(task: Task, flags: ReadonlyMap<string, unknown>, server?: HarnessServer): object {
  const { config, docs, construct } = task
  if (construct) {
    const requests = docs.map((doc) => construct(doc, '', false))
    return classInferencer(task, requests, server)
  }
  return config.outputType === 'generate_until'
    ? {
        ...generating('LmEvalGenInferencer', withoutOverridden(config.generation, flags, server !== undefined), server),
        ...(server ? sentAsGiven(config.generation, flags) : {}),
      }
    : { type: 'LmEvalLikelihoodInferencer' }
}

/** All documents of a dataset are generated with the same settings. */
function classInferencer(
  { config }: Task,
  requests: readonly ReturnType<NonNullable<Task['construct']>>[],
  server?: HarnessServer,
): object {
  const settings = new Map(
    requests.flat().flatMap((one) => (one.kind === 'generate' ? [[pyRepr(makeDict(one.options) as PyValue), one.options] as const] : [])),
  )
  const [options] = settings.values()
  if (options === undefined) return { type: 'LmEvalLikelihoodInferencer' }
  if (settings.size > 1)
    throw new PromptError('bad-requests', {
      where: config.where,
      problem: `${ownMethod(config, 'construct_requests').path} generates with settings that vary (${[...settings.keys()].slice(0, 2).join(', ')})`,
      fix: 'use the same settings for all documents',
    })
  const isOne = requests.every((own) => own.length === 1 && own[0]!.kind === 'generate')
  return generating(isOne ? 'LmEvalGenInferencer' : 'LmEvalRequestInferencer', options, server)
}

function generating(type: string, generation: ReadonlyMap<string, Value>, server?: HarnessServer): object {
  const given = generationArguments(generation, server?.defaultLength)
  const until = given.get('until') ?? []
  const own = isListValue(until) ? until : [until]
  const texts = server?.stop === undefined || own.includes(server.stop) ? own : [...own, server.stop]
  const stops = (server?.chat ? texts.slice(0, 4) : texts).filter((text): text is string => typeof text === 'string' && text !== '')
  const sampling = samplingNames.flatMap((setting) => {
    const value = given.get(setting) ?? null
    return value === null ? [] : [[setting, numberOf(value, setting)] as const]
  })
  return {
    type,
    max_out_len: numberOf(given.get('max_gen_toks')!, 'max_gen_toks'),
    ...(stops.length > 0 ? { stopping_criteria: stops } : {}),
    temperature: 0,
    ...Object.fromEntries(sampling),
  }
}

/** Settings with a meaning of their own in the requests of the harness. */
const readByServers: readonly string[] = ['until', 'do_sample', 'max_gen_toks', 'max_tokens', ...samplingNames]

/** The other settings of a task, which the harness adds to each request as they are: `num_beams: 1`, and `max_new_tokens` beside `max_tokens`. */
function sentAsGiven(generation: ReadonlyMap<string, Value>, flags: ReadonlyMap<string, unknown>): object {
  const others = [...generation].filter(([key, value]) => !readByServers.includes(key) && !flags.has(key) && value !== null)
  return others.length === 0 ? {} : { generation_body: JSON.parse(stringifyJson(makeDict(others) as PyValue)) }
}

/** What the servers of lm-evaluation-harness do not read in a task: its temperature, and `max_tokens` or else `max_gen_toks`, apply. */
const unreadByServers = ['do_sample', 'max_new_tokens', 'max_completion_tokens']

/** A given temperature counts though the task says `do_sample: false`, and a length by whatever name replaces the task's. */
function withoutOverridden(
  generation: ReadonlyMap<string, Value>,
  flags: ReadonlyMap<string, unknown>,
  isHarnessServer: boolean,
): Map<string, Value> {
  const overridden = [
    ...(isHarnessServer ? unreadByServers : []),
    ...(isHarnessServer && generation.has('max_tokens') ? ['max_gen_toks'] : []),
    ...(flags.has('temperature') ? ['do_sample'] : []),
    ...(lengthNames.some((name) => flags.has(name)) ? lengthNames : []),
  ]
  return new Map([...generation].filter(([key]) => flags.has(key) || !overridden.includes(key)))
}
