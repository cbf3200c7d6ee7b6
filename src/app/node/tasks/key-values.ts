import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type PyValue, pyFloat } from '../../../base/python/index.ts'
import { readLiteral } from '../../../base/python/literal.ts'

/**
 * `a=1,b=text`, as flags of lm-evaluation-harness write settings: numbers, true, false and Python literals are values, the rest is text.
 * Commas inside brackets and quotes do not separate.
 *
 * @example [...readKeyValues('model=org/m,num_concurrent=4,until=["a","b"]', '--gen-kwargs')].length // => 3
 */
export function readKeyValues(text: string, flag: string): Map<string, PyValue> {
  const found = new Map<string, PyValue>()
  for (const part of text.match(/(?:\[[^\]]*\]|\{[^}]*\}|"[^"]*"|'[^']*'|[^,])+/g) ?? []) {
    const [, key, value] = /^\s*([\w.-]+)=(.*)$/s.exec(part) ?? []
    if (key === undefined)
      throw new PromptError('bad-settings', {
        where: flag,
        problem: `"${part.trim()}" is not KEY=VALUE`,
        fix: `write pairs separated by commas, e.g. ${flag} temperature=0.7,max_gen_toks=64`,
      })
    found.set(key, settingOf(value!.trim()))
  }
  return found
}

function settingOf(text: string): PyValue {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  if (/^\d+$/.test(text)) return Number(text)
  if (text !== '' && Number.isFinite(Number(text))) return pyFloat(Number(text))
  return readLiteral(text) ?? (text === 'None' ? null : text)
}
