import { PromptError } from '@rolecall/core/internal/errors'
import { floatOf, isListValue, type PyValue, pyFloat, stripStart, type Value } from '@rolecall/core/internal/python'
import { samplingNames } from '../../model/language-model/sampling-settings.ts'

/** The texts that end a reply: `until`, followed by the end-of-sequence token. */
export function stopList(until: Value, eos: string | null): Value[] {
  if (until !== null && typeof until !== 'string' && !isListValue(until))
    throw new PromptError('bad-until', {
      where: 'generation_kwargs.until',
      problem: 'it is neither text nor a list',
      fix: 'write the texts that end a reply',
    })
  const stops = until === null ? [] : isListValue(until) ? [...until] : [until]
  if (eos !== null && !stops.includes(eos)) stops.push(eos)
  return stops
}

/** A reply without its reasoning, up to the first stop text; empty stop texts are ignored. */
export function cutReply(reply: string, stop: Value, thinkEnd: string | null): string {
  let text = reply
  if (thinkEnd !== null && thinkEnd !== '') {
    const end = text.lastIndexOf(thinkEnd)
    if (end >= 0) text = text.slice(end + thinkEnd.length)
    text = stripStart(text)
  }
  for (const one of isListValue(stop) ? stop : [stop]) {
    if (typeof one !== 'string' || one === '') continue
    const at = text.indexOf(one)
    if (at >= 0) text = text.slice(0, at)
  }
  return text
}

/** Whether a setting of `generation_kwargs` means something here; the harness sends all others to the server as they are. */
export function isGenerationSetting(name: string): boolean {
  return ['until', 'do_sample', ...lengthNames, ...samplingNames].includes(name)
}

/** Other tools' names for `max_gen_toks`; the first one present applies. */
export const lengthNames = ['max_gen_toks', 'max_new_tokens', 'max_tokens', 'max_completion_tokens']

/**
 * A task's `generation_kwargs` as they apply to a request: `until` as a list, one name for the maximum length, and no temperature
 * without sampling.
 */
export function generationArguments(given: ReadonlyMap<string, Value>, defaultLength = 256): Map<string, Value> {
  const made = new Map(given)
  const until = given.get('until')
  const length = lengthNames.map((name) => given.get(name) ?? null).find((value) => value !== null)
  for (const name of lengthNames) made.delete(name)
  const sampled = given.get('do_sample') ?? null
  const temperature = given.get('temperature') ?? null
  if (sampled === null) made.set('do_sample', temperature !== null && numberOf(temperature, 'temperature') > 0)
  else if (sampled === false) made.set('temperature', pyFloat(0))
  made.set('until', until === undefined ? [] : isListValue(until) ? until : [until])
  made.set('max_gen_toks', length === undefined ? defaultLength : numberOf(length, 'max_gen_toks'))
  return made
}

/** A number of `generation_kwargs`. */
export function numberOf(value: Value, name: string): number {
  const number = floatOf(value as PyValue)
  if (number !== undefined) return number
  throw new PromptError('bad-number', { where: `generation_kwargs.${name}`, problem: 'it is not a number', fix: 'write a number' })
}
