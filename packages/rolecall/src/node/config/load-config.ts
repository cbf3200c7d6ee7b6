import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { isPath } from '@rolecall/core/internal/format'
import { isDict, JsonSyntaxError, parseJson } from '@rolecall/core/internal/python'
import { defaultJudge, lacksJudge, withJudge } from '../../compat/opencompass/default-judge.ts'
import { importParts } from '../../compat/opencompass/import/import-parts.ts'
import { loaderNamed } from '../../compat/opencompass/loaders/index.ts'
import { isPromptfooConfig } from '../../compat/promptfoo/read-promptfoo.ts'
import { type CheckedConfig, checkConfig } from '../../evaluation/config/check-config.ts'
import { checkRoles } from '../../evaluation/config/check-roles.ts'
import type { Config, DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { isTask } from '../../evaluation/config/define-task.ts'
import { withChangedJudge } from '../../evaluation/config/judge-of.ts'
import { expandShort, isShortConfig } from '../../evaluation/config/short/expand-short.ts'
import {
  readEmbeddings,
  readEntropyModel,
  withEmbeddings,
  withEntropyModel,
  withEvaluatorEmbeddings,
} from '../../evaluation/dataset/retrieve/default-embeddings.ts'
import { evaluators } from '../../evaluation/score/evaluate/evaluators.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { configOfTask } from '../evaluation-task/config-of-task.ts'
import { isFormat, readFormat, settingsOf } from '../formats/read-format.ts'
import { withFoundTemplate } from '../models/find-chat-template.ts'
import { loadChatTemplate, templateSettings } from '../models/load-chat-template.ts'
import { modelHost } from '../models/model-host.ts'
import { withMlcConfigs } from '../models/read-mlc-config.ts'
import { findCheckout, withOwnPython } from '../own-classes.ts'
import { registerScoringPlugIns } from '../scoring-plug-ins.ts'
import { type PythonPlace, useOwnPython } from '../with-python/use-own-python.ts'
import { checkUserConfig } from './check-user-config.ts'
import { type UsedEntries, withHubFiles } from './hub-files.ts'
import { importPython } from './import-python.ts'
import { withOwnModules } from './own-modules.ts'
import { withPresetFiles } from './preset-files.ts'
import { promptfooIn } from './promptfoo-config.ts'
import { readModule } from './read-module.ts'
import { fileError, readText } from './read-text.ts'
import { type Recognised, recognise, recogniseData } from './recognise.ts'
import { type Servers, withServers } from './server-flags.ts'

export const configNames = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ending) => `rolecall.config.${ending}`)

/** A loaded config file; paths in it are relative to its folder. */
export type LoadedConfig = {
  file: string
  folder: string
  config: CheckedConfig
  /** The kind of file, if it was not a config but was converted to one. */
  recognised?: Recognised['kind']
}

/** The nearest `rolecall.config.*` in a folder or above it. */
export function findConfig(folder: string): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const found = configNames.map((name) => join(current, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(current) === current) return undefined
  }
}

/** The config file in a folder, if the path is a folder that has one; otherwise the path itself. */
export function configIn(path: string): string {
  return configNames.map((name) => join(path, name)).find((file) => existsSync(file)) ?? path
}

const noServers: Servers = { byName: new Map(), all: undefined, judge: undefined }

/** Reads and checks a config file of any kind; `servers` override the addresses of its models, `used` names the entries that are needed. */
export async function loadConfig(path: string, servers: Servers = noServers, used: UsedEntries = {}): Promise<LoadedConfig> {
  const file = configIn(resolve(path))
  const where = relative(process.cwd(), file) || file
  checkFile(file, where)
  const folder = dirname(file)
  if (extname(file) === '.py') {
    const notes =
      used.pythonFlags === undefined ? [] : useOwnPython(used.pythonFlags, undefined, { folder, where, checkout: findCheckout(folder) })
    const { config, isSnippet } = checkPython(file, where, servers)
    const whole = await withModelFiles({ ...config, warnings: [...notes, ...config.warnings] }, folder, used)
    return { file, folder, config: whole, ...(isSnippet ? { recognised: 'snippet' } : {}) }
  }
  const { written: input, kind, notes: readNotes } = await readInput(file, where)
  const { written, notes: pythonNotes } = withoutPython(input, { folder, where, checkout: findCheckout(folder) }, used)
  const foreign = isPromptfooConfig(written) ? await promptfooIn(written, file, where, used) : undefined
  const given = withServers(foreign?.config ?? written, servers, folder)
  const notes: Note[] = [...readNotes, ...(foreign?.notes ?? []), ...given.notes, ...pythonNotes]
  registerScoringPlugIns()
  const own = (await withOwnModules(withOwnPython(given.config, file), folder, `${where} › `)) as typeof given.config
  const local = await withPresetFiles(own, { folder, note: (note) => notes.push(note) })
  const config = checkUserConfig(local, folder, `${where} › `)
  const whole = await withModelFiles({ ...config, warnings: [...notes, ...config.warnings] }, folder, used)
  return { file, folder, config: whole, ...(kind === undefined ? {} : { recognised: kind }) }
}

/** What a file that is not Python holds, as a config: itself, or what it was recognised as. */
type Input = { written: unknown; kind?: Recognised['kind'] | undefined; notes: readonly Note[] }

export async function readInput(file: string, where: string): Promise<Input> {
  const ending = extname(file)
  const ofText = ['.json', '.txt', '.md', ''].includes(ending) ? recognise(readText(file, where), file) : undefined
  if (ofText) return recognisedInput(ofText, where)
  const isData = ['.json', '.yaml', '.yml'].includes(ending)
  if (!isData && isFormat(file)) return formatInput(file, where)
  const exported = await readConfig(file, where)
  const written = isTask(exported) ? await configOfTask(exported, dirname(file)) : exported
  if (isShortConfig(written)) return { written: expanded(written, dirname(file), where), notes: [] }
  const other = isData ? recogniseData(written, file) : undefined
  if (other) return recognisedInput(other, where)
  const parts = isData ? importParts(written, where) : undefined
  if (parts) return { written: parts.config, kind: parts.isSnippet || !hasLists(written) ? 'snippet' : undefined, notes: parts.notes }
  return isData && isFormat(file) ? formatInput(file, where) : { written, notes: [] }
}

/** The full form of a config in the short form; prompts are read from files beside it. */
function expanded(written: Parameters<typeof expandShort>[0], folder: string, where: string): Config {
  return expandShort(written, { where: `${where} › `, readText: (path, place) => readText(resolve(folder, path), place) })
}

function recognisedInput({ config, kind, note }: Recognised, where: string): Input {
  return { written: config, kind, notes: [{ ...note, where }] }
}

/** A file that holds only a conversation format: a Modelfile, a chat template. */
function formatInput(file: string, where: string): Input {
  const { model, notes } = settingsOf(readFormat(file, { where }))
  const name = basename(file)
  const note: Note = { code: 'recognised', where, text: 'this is a conversation format: it defines a model' }
  return { written: { models: [{ abbr: name, ...model }], datasets: [] }, kind: 'format', notes: [note, ...notes] }
}

function hasLists(written: unknown): boolean {
  return typeof written === 'object' && written !== null && ('models' in written || 'datasets' in written)
}

/**
 * A config without `with_python`, which is followed only where the user named the config: recorded configs, which others may have written,
 * execute nothing.
 */
function withoutPython(written: unknown, place: PythonPlace, { pythonFlags }: UsedEntries): { written: unknown; notes: Note[] } {
  const asked = isDict(written) && 'with_python' in written ? written.with_python : undefined
  const rest =
    asked === undefined ? written : Object.fromEntries(Object.entries(written as object).filter(([key]) => key !== 'with_python'))
  if (pythonFlags === undefined)
    return {
      written: rest,
      notes: asked ? [{ code: 'no-own-python', where: place.where, text: 'its with_python is not followed here' }] : [],
    }
  return { written: rest, notes: useOwnPython(pythonFlags, asked, place) }
}

/** Completes a config from files: first what it names on a hub is downloaded, then local files are read. */
export async function withModelFiles(config: CheckedConfig, folder: string, used: UsedEntries = {}): Promise<CheckedConfig> {
  return withLocalFiles(await withHubFiles(config, { folder, used }), folder)
}

/** Completes a config from its models' files: MLC configs, chat templates, and whatever a model type reads itself. */
export function withLocalFiles(config: CheckedConfig, folder: string): CheckedConfig {
  const warnings = [...config.warnings]
  const withFiles = (models: CheckedConfig['models']) => {
    const found = withMlcConfigs(models, folder).map((model) => withFoundTemplate(model, folder, (note) => warnings.push(note)))
    return withTypeDefaults(
      withChatTemplates(found, folder, (note) => warnings.push(note)),
      folder,
    )
  }
  const models = withFiles(config.models)
  const embeddings = readEmbeddings(process.env.ROLECALL_EMBEDDINGS)
  const entropyModel = readEntropyModel(process.env.ROLECALL_CE_MODEL)
  const datasets = config.datasets.map((dataset) => {
    const judged = withJudge(dataset, defaultJudge(process.env))
    if (judged !== dataset)
      warnings.push(judgeNote(dataset, `it names no judge: the judge is ${process.env.OC_JUDGE_MODEL}, as OC_JUDGE_MODEL says`))
    else if (lacksJudge(dataset)) warnings.push(judgeNote(dataset, 'it names no judge: pass --judge MODEL@URL, or set OC_JUDGE_MODEL'))
    const embedded = withEvaluatorEmbeddings(withEmbeddings(judged, embeddings), embeddings, needsEmbeddings)
    if (embedded !== judged)
      warnings.push({
        code: 'default-embeddings',
        where: dataset.abbr ?? 'a dataset',
        text: `it names no embeddings: they are those of ${process.env.ROLECALL_EMBEDDINGS}, as ROLECALL_EMBEDDINGS says; OpenCompass loads all-mpnet-base-v2`,
      })
    const measured = withEntropyModel(embedded, entropyModel)
    if (measured !== embedded)
      warnings.push({
        code: 'default-ce-model',
        where: dataset.abbr ?? 'a dataset',
        text: `its retriever names no ce_model: it is ${process.env.ROLECALL_CE_MODEL}, as ROLECALL_CE_MODEL says; OpenCompass loads gpt2-xl`,
      })
    // A judge model can name files like any other model.
    const whole = withChangedJudge(measured, (judge) => withFiles([judge])[0]!)
    return withOutputSchema(whole, folder)
  })
  warnings.push(...sourceNotes(config))
  return { ...config, models, datasets, warnings }
}

function needsEmbeddings(type: string): boolean {
  return evaluators.get(type.slice(type.lastIndexOf('.') + 1))?.needsEmbeddings === true
}

function judgeNote({ abbr = 'a dataset' }: { abbr?: string | undefined }, text: string): Note {
  return { code: 'default-judge', where: abbr, text }
}

/** OpenCompass reads rows from a hub if this variable is exactly ModelScope or HF; any other text means its data folder. */
function sourceNotes({ datasets }: CheckedConfig): Note[] {
  const source = process.env.DATASET_SOURCE
  const read = datasets.find(({ type, rows }) => rows === undefined && typeof type === 'string' && loaderNamed(type) !== undefined)
  if (!source || !read || /^(?:ModelScope|HF|Local)$/.test(source)) return []
  const text = `DATASET_SOURCE=${source} is ignored, as in OpenCompass, which knows ModelScope, HF and Local`
  return [{ code: 'dataset-source', where: String(read.abbr ?? read.type), text }]
}

/** Reads the chat templates that models give as paths, with their special tokens. */
function withChatTemplates(models: CheckedConfig['models'], folder: string, note: (note: Note) => void): CheckedConfig['models'] {
  return models.map((model) => {
    if (model.chat_template === undefined || !isPath(model.chat_template)) return model
    const loaded = loadChatTemplate(resolve(folder, model.chat_template))
    if (model.special_tokens === undefined) for (const one of loaded.notes ?? []) note(one)
    const own = templateSettings(loaded)
    return { ...own, ...model, chat_template: own.chat_template, special_tokens: { ...own.special_tokens, ...model.special_tokens } }
  })
}

/** Completes models from their files, as their types define. */
function withTypeDefaults(models: CheckedConfig['models'], folder: string): CheckedConfig['models'] {
  const host = modelHost(folder)
  return models.map((model) => (modelTypeOf(model)?.complete?.(model as ModelConfig, host) ?? model) as typeof model)
}

/** Loads a Python config of OpenCompass or AISBench unchanged; import notes become warnings. */
function checkPython(file: string, where: string, servers: Servers): { config: CheckedConfig; isSnippet: boolean } {
  const { config, notes, unused, isSnippet } = importPython(file)
  const given = withServers(config, servers, dirname(file))
  registerScoringPlugIns()
  const checked = checkConfig(given.config, `${where} › `, { foreignKeys: true })
  const names = unused.map((key) => ({ where: `${where} › ${key}`, why: 'it configures how OpenCompass runs, not what it evaluates' }))
  const whole = {
    ...checked,
    warnings: [...notes, ...given.notes, ...checked.warnings, ...checkRoles(checked, `${where} › `, true)],
    unused: [...names, ...checked.unused],
  }
  return { config: whole, isSnippet }
}

async function readConfig(file: string, where: string): Promise<unknown> {
  const ending = extname(file).slice(1)
  switch (ending) {
    case 'json':
      return parseConfigJson(readText(file, where), where)
    case 'yaml':
    case 'yml':
      return readYaml(readText(file, where), where)
    case 'ts':
    case 'mts':
    case 'js':
    case 'mjs':
      return defaultExport(await readModule(file, where), where)
    default:
      throw new PromptError('unknown-file-type', {
        where,
        problem: ending === '' ? 'the file has no extension' : `.${ending} is not a config file extension`,
        fix: 'use .ts, .js, .json, .yaml or .py',
      })
  }
}

/** A config module exports an object by default, or `models` and `datasets` by name. */
function defaultExport(given: unknown, where: string): unknown {
  const fix = 'write `export default { models: […], datasets: […] }`'
  if (typeof given === 'function')
    throw new PromptError('bad-config', {
      where,
      problem: 'the default export is a function, not a config',
      fix: 'export its result: `export default await make()`',
    })
  const isModule = typeof given === 'object' && given !== null && ('__esModule' in given || isNamespace(given))
  if (given === undefined || (isModule && !('models' in given) && !('datasets' in given)))
    throw new PromptError('bad-config', { where, problem: 'there is no default export', fix })
  return given
}

function isNamespace(given: object): boolean {
  return Object.prototype.toString.call(given) === '[object Module]'
}

/** Checks that the file can be read, with a clearer error than its reader would give. */
function checkFile(file: string, where: string): void {
  try {
    if (statSync(file).isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw fileError(error, where)
  }
}

export function parseConfigJson(text: string, where: string): unknown {
  try {
    const config: unknown = JSON.parse(text)
    refuseKeyTwice(text, where)
    return config
  } catch (error) {
    if (error instanceof PromptError) throw error
    // Native errors lack the line number.
    try {
      parseJson(text)
    } catch (error) {
      if (error instanceof JsonSyntaxError)
        throw new PromptError('bad-config', {
          where: `${where}:${error.line}:${error.column}`,
          problem: `this is not JSON (${error.message.replace(/^line \d+, column \d+: /, '')})`,
          fix: 'correct it there, or just before',
        })
    }
    throw new PromptError('bad-config', { where, problem: 'this is not JSON', fix: 'correct it' })
  }
}

/** Of a key that is there twice, JSON.parse keeps the last one without a word. `text` is valid JSON. */
function refuseKeyTwice(text: string, where: string): void {
  const open: (Set<string> | undefined)[] = []
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const key = JSON.parse(token.slice(0, -1)) as string
      const keys = open.at(-1)
      if (keys?.has(key)) {
        const before = text.slice(0, index).split('\n')
        throw new PromptError('bad-config', {
          where: `${where}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`,
          problem: `the key ${JSON.stringify(key)} is there twice, and only the last one would count`,
          fix: 'remove one of them',
        })
      }
      keys?.add(key)
    }
  }
}

async function readYaml(text: string, where: string): Promise<unknown> {
  const { parseDocument, YAMLParseError } = await import('yaml')
  try {
    // Merge keys (<<: *name) are YAML 1.1, but common.
    const document = parseDocument(text, { merge: true, logLevel: 'silent' })
    const [mistake] = document.errors.length > 0 ? document.errors : document.warnings
    if (mistake?.code === 'TAG_RESOLVE_FAILED') throw unknownTag(mistake, where)
    if (mistake instanceof YAMLParseError) throw mistake
    const value: unknown = document.toJS()
    if (value !== null) return value
    throw new PromptError('bad-config', { where, problem: 'this config is empty', fix: '`rolecall init` writes one for your data' })
  } catch (error) {
    if (error instanceof PromptError) throw error
    const start = error instanceof YAMLParseError ? error.linePos?.[0] : undefined
    const problem = (error as Error).message.split('\n')[0]!.replace(/(?: at line \d+, column \d+)?:?$/, '')
    throw new PromptError('bad-config', {
      where: start ? `${where}:${start.line}:${start.col}` : where,
      problem: `this is not YAML (${problem})`,
      fix: start ? 'correct it there, or just before' : 'correct it',
    })
  }
}

/** A tag is an instruction to another program: without it the value may be another one. */
function unknownTag(
  { message, linePos }: { message: string; linePos?: readonly [{ line: number; col: number }, ...unknown[]] },
  where: string,
): PromptError {
  const [start] = linePos ?? []
  return new PromptError('bad-config', {
    where: start ? `${where}:${start.line}:${start.col}` : where,
    problem: message.split(/ at line |\n/)[0]!.replace(/^Unresolved tag/, 'it has an unknown tag'),
    fix: 'write the value without the tag',
  })
}

/** Reads a dataset's `output_schema` if it is given as a file. */
function withOutputSchema<Dataset extends Pick<DatasetConfig, 'abbr' | 'output_schema'>>(dataset: Dataset, folder: string): Dataset {
  const { output_schema: given } = dataset
  if (typeof given !== 'string') return dataset
  const where = `${dataset.abbr ?? 'dataset'} › output_schema`
  const file = resolve(folder, given)
  if (!existsSync(file)) {
    throw new PromptError('no-file', {
      where,
      problem: `there is no file ${file}`,
      fix: "give a path relative to the config's folder, or the schema itself",
    })
  }
  const schema = parsed(readText(file, where), file, where)
  if (typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema))) {
    return { ...dataset, output_schema: schema as Exclude<DatasetConfig['output_schema'], string> }
  }
  throw new PromptError('bad-schema', {
    where,
    problem: `${file} does not contain a JSON Schema`,
    fix: 'its content must be an object of JSON Schema keywords',
  })
}

function parsed(text: string, file: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PromptError('bad-schema', { where, problem: `${file} is not JSON (${(error as Error).message})`, fix: 'correct it' })
  }
}
