import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CheckedConfig, checkConfig } from '../../config/check-config.ts'
import { checkRoles } from '../../config/check-roles.ts'
import type { ModelConfig } from '../../config/config-schema.ts'
import { modelTypeOf } from '../../config/model-types/index.ts'
import { isPath } from '../../format/chat-template/configured-chat-template.ts'
import { PromptError } from '../../prompt-error.ts'
import { isDict, JsonSyntaxError, parseJson } from '../../python/index.ts'
import { chooseTemplate, loadChatTemplate } from '../models/load-chat-template.ts'
import { modelHost } from '../models/model-host.ts'
import { withMlcConfigs } from '../models/read-mlc-config.ts'
import { codeFile, packageFile } from '../own-files.ts'
import { checkGiven } from './check-given.ts'
import { importPython } from './import-python.ts'

export const configNames = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ending) => `rolecall.config.${ending}`)

/** This library, built or as source: errors and values of a config are those of the command that reads it. */
const ownEntries = {
  rolecall: fileURLToPath(codeFile('index')),
  'rolecall/node': fileURLToPath(codeFile('node/index')),
  'rolecall/package.json': fileURLToPath(packageFile('package.json')),
  'rolecall/schema/rolecall.schema.json': fileURLToPath(packageFile('schema/rolecall.schema.json')),
}

/** A config file as it was read; paths in it are relative to its folder. */
export type LoadedConfig = { file: string; folder: string; config: CheckedConfig }

/** The nearest `rolecall.config.*` in a folder or above it. */
export function findConfig(folder: string): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const found = configNames.map((name) => join(current, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(current) === current) return undefined
  }
}

/** Reads and checks a config file of any kind. */
export async function loadConfig(path: string): Promise<LoadedConfig> {
  const file = resolve(path)
  const where = relative(process.cwd(), file) || file
  if (!existsSync(file))
    throw new PromptError('no-file', {
      where,
      problem: 'there is no such file',
      fix: 'check the path, or write a config with `rolecall init`',
    })
  const folder = dirname(file)
  const config = extname(file) === '.py' ? checkPython(file, where) : checkGiven(await readConfig(file, where), folder, `${where} › `)
  const withFiles = (models: CheckedConfig['models']) => withOwnFiles(withChatTemplates(withMlcConfigs(models, folder), folder), folder)
  const datasets = config.datasets.map((dataset) => withJudge(dataset, withFiles))
  return { file, folder, config: { ...config, models: withFiles(config.models), datasets } }
}

/** Reads the chat templates that models name by path, and the special tokens that come with them. */
function withChatTemplates(models: CheckedConfig['models'], folder: string): CheckedConfig['models'] {
  return models.map((model) => {
    if (model.chat_template === undefined || !isPath(model.chat_template)) return model
    const loaded = loadChatTemplate(resolve(folder, model.chat_template))
    return { ...model, chat_template: chooseTemplate(loaded), special_tokens: { ...loaded.specialTokens, ...model.special_tokens } }
  })
}

/** Models with what their own files say, which is for their type to know. */
function withOwnFiles(models: CheckedConfig['models'], folder: string): CheckedConfig['models'] {
  const host = modelHost(folder)
  return models.map((model) => (modelTypeOf(model)?.complete?.(model as ModelConfig, host) ?? model) as typeof model)
}

/** A model that judges names its files as any other model. */
function withJudge(
  dataset: CheckedConfig['datasets'][number],
  withFiles: (models: CheckedConfig['models']) => CheckedConfig['models'],
): CheckedConfig['datasets'][number] {
  const evaluator = dataset.eval_cfg?.evaluator
  if (typeof evaluator !== 'object' || !('judge_cfg' in evaluator) || !isDict(evaluator.judge_cfg)) return dataset
  const [judge] = withFiles([evaluator.judge_cfg as CheckedConfig['models'][number]])
  return { ...dataset, eval_cfg: { ...dataset.eval_cfg, evaluator: { ...evaluator, judge_cfg: judge } } }
}

/** A Python config of OpenCompass or AISBench, as it is; what was noticed on the way is a warning. */
function checkPython(file: string, where: string): CheckedConfig {
  const { config, notes, unused } = importPython(file)
  const checked = checkConfig(config, `${where} › `, { foreignKeys: true })
  const names = unused.map((key) => ({ where: `${where} › ${key}`, why: 'it tells OpenCompass how to run, not what to ask' }))
  return {
    ...checked,
    warnings: [...notes, ...checked.warnings, ...checkRoles(checked, `${where} › `, true)],
    unused: [...names, ...checked.unused],
  }
}

async function readConfig(file: string, where: string): Promise<unknown> {
  const ending = extname(file).slice(1)
  switch (ending) {
    case 'json':
      return readJson(readFileSync(file, 'utf8'), where)
    case 'yaml':
    case 'yml':
      return readYaml(readFileSync(file, 'utf8'), where)
    case 'ts':
    case 'mts':
    case 'js':
    case 'mjs':
      return readModule(file, where)
    default:
      throw new PromptError('unknown-file-type', {
        where,
        problem: ending === '' ? 'a config file has an ending' : `a config does not end in .${ending}`,
        fix: 'use .ts, .js, .json, .yaml or .py',
      })
  }
}

export function readJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Native errors do not tell the line.
    try {
      parseJson(text)
    } catch (error) {
      if (error instanceof JsonSyntaxError)
        throw new PromptError('bad-config', { where, problem: `this is not JSON (${error.message})`, fix: 'correct it' })
    }
    throw new PromptError('bad-config', { where, problem: 'this is not JSON', fix: 'correct it' })
  }
}

async function readYaml(text: string, where: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    // Merge keys (<<: *name) are YAML 1.1, and what people write.
    return parse(text, { merge: true })
  } catch (error) {
    throw new PromptError('bad-config', { where, problem: `this is not YAML (${firstLine(error)})`, fix: 'correct it' })
  }
}

/** What a program file exports by default. */
export async function readModule(file: string, where: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  // A config in a fresh clone may import 'rolecall' before anything is installed under that name.
  const jiti = createJiti(import.meta.url, { alias: ownEntries, fsCache: false })
  try {
    return await jiti.import(file, { default: true })
  } catch (error) {
    throw new PromptError('bad-config', { where, problem: `it could not be run (${firstLine(error)})`, fix: 'correct it' })
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!.replace(/:$/, '')
}
