import { dictGet, floatOf, type PyValue, strip } from '@rolecall/core/internal/python'
import { escapePattern, search, substitute } from '../../../../python/regex/index.ts'
import { jsonDict } from '../json-dict.ts'

const number = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`

/** An answer without its reasoning and the fence of a code block. */
export function withoutReasoning(prediction: PyValue): string {
  if (typeof prediction !== 'string') return ''
  const said = substitute('(?i)<think>.*?</think>', '', prediction, { dotAll: true })
  return strip(substitute('(?im)^```(?:json)?\\s*|\\s*```$', '', strip(said)))
}

export function firstNumber(prediction: PyValue): number | undefined {
  const found = search(number, withoutReasoning(prediction))?.[0]
  const value = found === undefined ? undefined : floatOf(found)
  return value !== undefined && Number.isFinite(value) ? value : undefined
}

/** The number of a property in JSON, in something like JSON, or the first number. */
export function propertyValue(prediction: PyValue, property: string): number | undefined {
  const text = withoutReasoning(prediction)
  if (text === '') return undefined
  const dict = jsonDict(text)
  const value = dict && floatOf(dictGet(dict, property))
  if (value !== undefined) return value
  const pattern = String.raw`(?is)\{[^{}]*["']?${escapePattern(property)}["']?\s*:\s*["']?(${number})`
  return floatOf(search(pattern, text)?.[1]) ?? firstNumber(text)
}
