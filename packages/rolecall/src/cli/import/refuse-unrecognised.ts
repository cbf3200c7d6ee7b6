import { basename, extname } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { parse } from 'yaml'
import type { ImportedConfig } from '../../compat/opencompass/import/import-config.ts'
import { recognise } from '../../node/config/recognise.ts'
import { readWholeText } from '../../node/read-whole-file.ts'

const known = 'import reads .py configs of OpenCompass and AISBench, and .yaml tasks of lm-evaluation-harness'

/** Refuses a file that is neither a Python config nor a task file, by its extension and content. */
export function refuseUnrecognised(path: string): void {
  const ending = extname(path).toLowerCase()
  if (ending === '.py') return
  const text = readWholeText(path)
  if (ending === '.yaml' || ending === '.yml' || ending === '.json') {
    const found = parsed(text)
    const has = (...keys: readonly string[]) => keys.some((key) => typeof found === 'object' && found !== null && key in found)
    if (has('models', 'datasets')) throw notNeeded(path, 'this is already a Rolecall config')
    if (ending !== '.json' && has('task', 'group', 'include', 'dataset_path', 'doc_to_text')) return
  }
  if (recognise(text, path)) throw notNeeded(path, 'this is a file that Rolecall reads as it is')
  throw new PromptError('not-recognised', { where: path, problem: `not recognised: it is no config of a known kind`, fix: known })
}

/** Refuses a Python file that defines nothing to import. */
export function refuseEmpty(path: string, { config }: ImportedConfig): void {
  if (config.models.length + config.datasets.length > 0) return
  throw new PromptError('not-recognised', {
    where: path,
    problem: 'not recognised: the file defines no models and no datasets',
    fix: `${known}; import the config that uses ${basename(path)}`,
  })
}

function notNeeded(path: string, problem: string): PromptError {
  return new PromptError('not-needed', { where: path, problem, fix: `use it directly: rolecall render ${path}` })
}

function parsed(text: string): unknown {
  try {
    // Task files have tags such as !function.
    return parse(text, { logLevel: 'silent' })
  } catch {
    return undefined
  }
}
