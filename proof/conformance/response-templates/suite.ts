import { dictGet, dictHas, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { readResponseTemplate } from '../../../packages/core/src/reply/response-template/index.ts'
import { type Outcome, outcomeOf, show } from '../outcome.ts'
import { givesSo, type RuleName } from '../rules.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { deviationOf, same } from './deviation.ts'
import { exact, joined, type ResponseInput, stream, templateOf, whole } from './reading.ts'

/** Whole replies, read by transformers with a response template. */
const parses: Suite = {
  name: 'response-templates',
  recognises: (vector) => dictHas(vector, 'reply') && dictHas(vector, 'label') && dictHas(vector, 'template'),
  examine(json, folder) {
    const vector = json as PyDict
    const input = inputOf(vector, templateOf(folder, dictGet(vector, 'template')), String(dictGet(vector, 'reply')))
    return trial(
      outcomeOf(() => exact(whole(input).message)),
      (ours) => judge(ours, vector, input),
    )
  },
}

function inputOf(vector: PyDict, template: PyDict, reply: string): ResponseInput {
  return { template, reply, prefix: dictGet(vector, 'prefix'), tools: dictGet(vector, 'tools') }
}

function judge(ours: Outcome, vector: PyDict, input: ResponseInput): Verdict {
  const result = dictGet(vector, 'result')
  const error = dictGet(vector, 'error')
  if ('error' in ours ? result === undefined : result !== undefined && JSON.stringify(ours.value) === JSON.stringify(exact(result)))
    return identical
  const type = isDict(error) ? String(dictGet(error, 'type')) : undefined
  const rule = deviationOf(input, { result, error: type, hasEarlier: dictHas(vector, 'earlier') })
  return byRule(rule, ours, input, JSON.stringify(exact(result ?? error)))
}

/** What a rule promises is computed a second time, character by character. */
function byRule(rule: RuleName | undefined, ours: Outcome, input: ResponseInput, expected: string): Verdict {
  if (rule === undefined || !givesSo(rule, ours)) return failed(`${show(ours)}\n  expected ${expected}`)
  const again = outcomeOf(() => exact(stream(input, [...input.reply]).response.message))
  const isSame =
    'error' in ours ? 'error' in again && again.error.message === ours.error.message : 'value' in again && show(again) === show(ours)
  return isSame ? { kind: 'rule', rule } : failed(`${show(ours)}, and character by character ${show(again)}`)
}

/** Streams: the events of each chunk, and the message. */
const streams: Suite = {
  name: 'response-templates',
  recognises: (vector) => dictHas(vector, 'chunks') && dictHas(vector, 'cut') && dictHas(vector, 'same_as_whole'),
  examine(json, folder) {
    const vector = json as PyDict
    const chunks = chunksOf(vector)
    const input = inputOf(vector, templateOf(folder, dictGet(vector, 'template')), chunks.join(''))
    return trial(
      outcomeOf(() => {
        const { events, response } = stream(input, chunks)
        return {
          message: exact(response.message),
          events: exact(events as unknown as PyValue),
          joined: exact(joined(events.flat() as unknown as PyValue[])),
        }
      }),
      (ours) => judgeStream(ours, vector, input),
    )
  },
}

function chunksOf(vector: PyDict): readonly string[] {
  return dictGet(vector, 'chunks') as readonly string[]
}

function judgeStream(ours: Outcome, vector: PyDict, input: ResponseInput): Verdict {
  const result = dictGet(vector, 'result')
  const error = dictGet(vector, 'error')
  const expected = {
    message: exact(result),
    events: exact([
      dictGet(vector, 'initial_events') ?? [],
      ...((dictGet(vector, 'events') as readonly PyValue[]) ?? []),
      dictGet(vector, 'final_events') ?? [],
    ]),
  }
  if ('error' in ours) {
    if (error !== undefined && dictGet(error as PyDict, 'at') === 'init') return identical
    return byRule(deviationOf(input, { result, error: undefined, hasEarlier: false }), ours, input, JSON.stringify(expected))
  }
  const { message, events, joined: all } = ours.value as Record<string, unknown>
  if (error === undefined && show({ value: { message, events } }) === show({ value: expected })) return consistentEvents(all, events)
  // The message of a stream is that of the whole reply, whatever the cuts.
  const again = whole(input)
  if (JSON.stringify(exact(again.message)) !== JSON.stringify(message))
    return failed(`${show(ours)}, and whole ${show({ value: exact(again.message) })}`)
  const streamed = exact(stream(input, chunksOf(vector)).events as unknown as PyValue)
  if (JSON.stringify(streamed) !== JSON.stringify(events)) return failed(`the events of a second reading differ: ${show(ours)}`)
  const once = joined(stream(input, [input.reply]).events.flat() as unknown as PyValue[])
  if (JSON.stringify(exact(once)) !== JSON.stringify(all) || consistentEvents(all, events) !== identical)
    return failed(`the events differ from those of the whole reply: ${show(ours)}`)
  if (dictGet(vector, 'same_as_whole') === false) return { kind: 'rule', rule: 'response-cut-independent' }
  const type = isDict(error) ? String(dictGet(error, 'type')) : undefined
  const rule = deviationOf(input, { result, error: type, hasEarlier: false })
  if (rule !== undefined && givesSo(rule, ours)) return { kind: 'rule', rule }
  // The same events, later: what could still have changed was held.
  const theirs = joined([
    ...(dictGet(vector, 'initial_events') as PyValue[]),
    ...(dictGet(vector, 'events') as PyValue[][]).flat(),
    ...(dictGet(vector, 'final_events') as PyValue[]),
  ])
  if (same(theirs, once)) return { kind: 'rule', rule: 'response-cut-independent' }
  return failed(`${show(ours)}\n  expected ${JSON.stringify(expected)}`)
}

/** The events that were compared are those that were joined. */
function consistentEvents(all: unknown, events: unknown): Verdict {
  const closes = (value: unknown) => JSON.stringify(value).split('region_close').length
  return closes(all) === closes(events) ? identical : failed('the events are not those of the stream')
}

/** Templates that transformers refuses, or that fail later. */
const invalid: Suite = {
  name: 'response-templates',
  recognises: (vector) => dictHas(vector, 'why') && dictHas(vector, 'accepted') && dictHas(vector, 'template'),
  examine(json) {
    const vector = json as PyDict
    const template = dictGet(vector, 'template')
    const probe = dictGet(vector, 'probe')
    const isAccepted = dictGet(vector, 'accepted') === true
    if (!isAccepted || !isDict(probe)) {
      return trial(
        outcomeOf(() => readResponseTemplate(template).fields.map(({ name }) => name)),
        (ours) => {
          if (!isAccepted)
            return 'error' in ours && isHelpful(ours.error.message) ? identical : failed(`accepts ${JSON.stringify(exact(template))}`)
          const names = Object.keys((dictGet(template as PyDict, 'fields') ?? {}) as object)
          return show(ours) === show({ value: names }) ? identical : failed(show(ours))
        },
      )
    }
    const input = inputOf(probe, template as PyDict, String(dictGet(probe, 'reply')))
    return trial(
      outcomeOf(() => exact(whole(input).message)),
      (ours) => judge(ours, dictGet(vector, 'probe_outcome') as PyDict, input),
    )
  },
}

function isHelpful(message: string): boolean {
  return message.startsWith('response_template') && message.length > 30
}

/** The templates that vectors reference. */
const templates: Suite = {
  name: 'response-templates',
  recognises: (vector) =>
    dictHas(vector, 'family') && dictHas(vector, 'template') && dictHas(vector, 'notes') && isDict(dictGet(vector, 'template')),
  examine: () => ({ kind: 'consistent', why: 'templates of other vectors' }),
}

export const responseTemplates: readonly Suite[] = [streams, parses, invalid, templates]
