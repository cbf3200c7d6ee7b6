import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { dictEntries, dictGet, dictHas, isDict, isList, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import { readResponseTemplate } from '../../../packages/core/src/reply/response-template/index.ts'
import type { RuleName } from '../rules.ts'
import { exact, type ResponseInput, stream, whole } from './reading.ts'

/**
 * The rule by which an input is read differently from transformers, or undefined. The condition is on the input alone; `compat` reads it as
 * transformers does where it can, and shows that nothing else differs.
 */
export function deviationOf(
  input: ResponseInput,
  expected: { result: PyValue | undefined; error: string | undefined; hasEarlier: boolean },
): RuleName | undefined {
  const { template, reply } = input
  const refusal = refusalOf(template)
  if (refusal !== undefined) return refusal.problem.includes('cannot be matched') ? 'response-pattern-refused' : 'response-checked-early'
  if (expected.error === 'Hang') return 'response-empty-mark'
  if (expected.hasEarlier || expected.error === 'AttributeError') return 'response-defaults-kept'
  const asReference = compatOf(input)
  const isReproduced = asReference === undefined ? expected.result === undefined : same(asReference, expected.result)
  const own = whole(input)
  const kinds = new Set(own.problems.map(({ kind }) => kind))
  if (isReproduced) {
    if (kinds.has('no-anchor')) return 'response-anchor-missing'
    if (asReference === undefined && (kinds.has('malformed') || kinds.has('missing'))) return 'response-malformed-kept'
    if (kinds.has('cut')) return 'response-cut-call'
    if (implicitRegions(input) > 1) return 'response-text-between'
  }
  const { implicit, fields } = readResponseTemplate(template)
  if (kinds.has('no-anchor') && (kinds.has('malformed') || implicitRegions(input) > 0)) return 'response-anchor-missing'
  if (implicit?.close?.pattern.mayBeEmpty) return 'response-empty-mark'
  if (
    expected.error === 'KeyError' &&
    fields.some(({ open, close }) => [open, close].some((marker) => (marker?.pattern.names.size ?? 0) > 0))
  )
    return 'response-groups'
  if (JSON.stringify(plainArguments(template)).match(/string_delims|unquoted_keys/) && /["\u0001\u0002']/u.test(reply))
    return 'response-dialect'
  if (input.tools !== undefined && /\d{16}|NaN|Infinity/u.test(reply)) return 'response-exact-numbers'
  if (expected.error === 'TypeError' && input.tools !== undefined) return 'response-malformed-kept'
  return undefined
}

function refusalOf(template: PyDict): PromptError | undefined {
  try {
    readResponseTemplate(template)
    return undefined
  } catch (error) {
    if (error instanceof PromptError) return error
    throw error
  }
}

/** The reading of transformers: the message, or undefined for an error. */
function compatOf(input: ResponseInput): PyValue | undefined {
  try {
    return whole(input, true).message
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

function implicitRegions(input: ResponseInput): number {
  const { implicit } = readResponseTemplate(input.template)
  const { events } = stream(input, [input.reply])
  return events.flat().filter((event) => event.type === 'region_open' && event.field === implicit?.name).length
}

function plainArguments(template: PyDict): unknown {
  const fields = dictGet(template, 'fields')
  if (!isDict(fields)) return []
  return dictEntries(fields).map(([, field]) =>
    isDict(field) && dictHas(field, 'content_args') ? plain(dictGet(field, 'content_args')) : null,
  )
}

function plain(value: PyValue | undefined): unknown {
  if (isList(value)) return value.map(plain)
  return isDict(value) ? Object.fromEntries(dictEntries(value).map(([key, item]) => [key, plain(item)])) : value
}

export function same(ours: unknown, theirs: unknown): boolean {
  return JSON.stringify(exact(ours)) === JSON.stringify(exact(theirs))
}
