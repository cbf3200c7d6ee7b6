import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, isDict, type PyValue, parseJson, pyFloat } from '@rolecall/core/internal/python'
import { readLiteral } from '../../python/syntax/literal.ts'

/**
 * Settings as flags of lm-evaluation-harness write them: a JSON object, or `a=1,b=text`, where numbers, true, false and Python literals
 * are values and the rest is text. Commas inside brackets and quotes do not separate.
 *
 * @example [...readSettings('model=org/m,num_concurrent=4,until=["a","b"]', '--gen-kwargs')].length // => 3
 */
export function readSettings(text: string, flag: string): Map<string, PyValue> {
  if (text.trimStart().startsWith('{')) return readObject(text, flag)
  const found = new Map<string, PyValue>()
  for (const part of partsOf(text, flag)) {
    const [, key, value] = /^\s*([\w.-]+)=(.*)$/s.exec(part) ?? []
    if (key === undefined) throw badSettings(flag, `"${part.trim()}" is not KEY=VALUE`)
    found.set(key, settingOf(value!.trim()))
  }
  return found
}

function readObject(text: string, flag: string): Map<string, PyValue> {
  try {
    const given = parseJson(text)
    if (isDict(given)) return new Map(dictEntries(given))
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw badSettings(flag, 'it begins like JSON but is not a JSON object')
}

/** The parts between commas that are outside of brackets and quotes. A quote opens where a value may begin: `don't` has none. */
function partsOf(text: string, flag: string): string[] {
  const parts = ['']
  let depth = 0
  let quote: string | undefined
  let before = ''
  for (const char of text) {
    const last = before
    before = char
    if (quote !== undefined) quote = char === quote ? undefined : quote
    else if ((char === '"' || char === "'") && /[=:,[({\s]/.test(last)) quote = char
    else if ('[({'.includes(char)) depth++
    else if ('])}'.includes(char)) depth = Math.max(depth - 1, 0)
    else if (char === ',' && depth === 0) {
      parts.push('')
      continue
    }
    parts[parts.length - 1] += char
  }
  if (depth > 0 || quote !== undefined) throw badSettings(flag, `a ${quote === undefined ? 'bracket' : 'quote'} is not closed`)
  return parts.filter((part) => part !== '')
}

function settingOf(text: string): PyValue {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (/^\d+$/.test(text)) return Number(text)
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return pyFloat(Number(text))
  return readLiteral(text) ?? (text.toLowerCase() === 'none' ? null : text)
}

function badSettings(flag: string, problem: string): PromptError {
  return new PromptError('bad-settings', {
    where: flag,
    problem,
    fix: `write pairs separated by commas, e.g. ${flag} temperature=0.7,max_gen_toks=64, or a JSON object`,
  })
}
