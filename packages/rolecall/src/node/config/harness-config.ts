import { existsSync, statSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import { entriesOf, isDictValue, isListValue, plainText, str, stringifyJson, type Value } from '@rolecall/core/internal/python'
import { readYaml } from '../../compat/lm-eval/yaml/read-yaml.ts'
import { readWholeText } from '../read-whole-file.ts'

/** The flags that a config file of lm_eval (`--config FILE`) stands for: its keys are their names. */
export function harnessConfigWords(file: string | undefined): string[] {
  if (file === undefined || !existsSync(file) || !statSync(file).isFile())
    throw new PromptError('no-file', {
      where: '--config',
      problem: file === undefined ? 'it names no file' : `there is no file ${file}`,
      fix: 'name a YAML file with flags of lm_eval; a config of Rolecall is an argument: rolecall run FILE',
    })
  const keys = readYaml(readWholeText(file), file)
  if (!isDictValue(keys))
    throw new PromptError('bad-config', { where: file, problem: 'it holds no keys', fix: 'write flags of lm_eval, e.g. "tasks: arc_easy"' })
  const names = entriesOf(keys).map(([key]) => String(key))
  if (names.includes('config'))
    throw new PromptError('bad-config', { where: `${file} › config`, problem: 'a config file cannot name another', fix: 'remove the key' })
  return entriesOf(keys).flatMap(([key, value]) => wordsOf(`--${String(key)}`, value))
}

function wordsOf(flag: string, value: Value): string[] {
  // Its default is true with a chat template.
  if (typeof value === 'boolean' && flag === '--fewshot_as_multiturn') return [`${flag}=${value}`]
  if (value === null || value === false) return []
  if (value === true) return [flag]
  if (isDictValue(value)) return entriesOf(value).length === 0 ? [] : [flag, stringifyJson(value, { ensureAscii: false })]
  if (isListValue(value)) return value.length === 0 ? [] : [flag, value.map(textOf).join(',')]
  return [`${flag}=${textOf(value)}`]
}

function textOf(value: Value): string {
  return plainText(str(value))
}
