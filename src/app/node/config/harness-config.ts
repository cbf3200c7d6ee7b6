import { existsSync, readFileSync, statSync } from 'node:fs'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { stringifyJson } from '../../../base/python/index.ts'
import { entriesOf } from '../../../base/python/values/dict.ts'
import { str } from '../../../base/python/values/repr.ts'
import { plainText } from '../../../base/python/values/text.ts'
import { isDictValue, isListValue, type Value } from '../../../base/python/values/value.ts'
import { readYaml } from '../../../compat/lm-eval/yaml/read-yaml.ts'

/** The flags that a config file of lm_eval (`--config FILE`) stands for: its keys are their names. */
export function harnessConfigWords(file: string | undefined): string[] {
  if (file === undefined || !existsSync(file) || !statSync(file).isFile())
    throw new PromptError('no-file', {
      where: '--config',
      problem: file === undefined ? 'it names no file' : `there is no file ${file}`,
      fix: 'name a YAML file with flags of lm_eval; a config of Rolecall is an argument: rolecall run FILE',
    })
  const keys = readYaml(readFileSync(file, 'utf8'), file)
  if (!isDictValue(keys))
    throw new PromptError('bad-config', { where: file, problem: 'it holds no keys', fix: 'write flags of lm_eval, e.g. "tasks: arc_easy"' })
  return entriesOf(keys).flatMap(([key, value]) => wordsOf(`--${String(key)}`, value))
}

function wordsOf(flag: string, value: Value): string[] {
  if (value === null || value === false) return []
  if (value === true) return [flag]
  if (isDictValue(value)) return entriesOf(value).length === 0 ? [] : [flag, stringifyJson(value, { ensureAscii: false })]
  if (isListValue(value)) return value.length === 0 ? [] : [flag, value.map(textOf).join(',')]
  return [`${flag}=${textOf(value)}`]
}

function textOf(value: Value): string {
  return plainText(str(value))
}
