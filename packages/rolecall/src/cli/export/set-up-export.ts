import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileChat } from '@rolecall/core/internal/compile'
import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format } from '@rolecall/core/internal/format'
import { isDict } from '@rolecall/core/internal/python'
import type { RunMemo, Tokenizer } from '@rolecall/core/internal/tokenizer'
import { hasDatasetParts } from '../../compat/opencompass/import/import-parts.ts'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { messagesIn, recognise } from '../../node/config/recognise.ts'
import { answeredRows } from '../../node/exports/answered-rows.ts'
import { type ExportJob, hashOf } from '../../node/exports/export-training.ts'
import type { FormatOfFlags } from '../../node/formats/format-flags.ts'
import { tokenizerBeside } from '../../node/formats/format-sources.ts'
import { tokenizerAt, tokenizerOf } from '../../node/models/load-tokenizer.ts'
import { type ModelFlags, modelOfFlags } from '../../node/models/model-flags.ts'
import { readWholeText } from '../../node/read-whole-file.ts'
import { openRows } from '../../node/rows/open-rows.ts'
import { modelFlagsIn } from '../flags.ts'
import { loadOrExample } from '../render/collect-views.ts'
import { configuredModels } from '../runnable-model.ts'
import { printWarnings } from '../terminal.ts'

/** The flags that select the data. */
export type SourceFlags = ModelFlags & { models?: string; datasets?: string; skipBadRows: boolean }

type ExportSetup = Pick<ExportJob, 'rows' | 'trainingRow'> & {
  config: ModelConfig
  format: Format
  tokenizer: Tokenizer
  tokenizerHash: string
  /** Names of the data in the manifest. */
  names: readonly string[]
}

/** Prepares an export of conversation files, or of a config's dataset with its answers. */
export async function setUpExport(data: readonly string[], options: SourceFlags, memo: RunMemo): Promise<ExportSetup> {
  if (data.length === 1 && isConfigFile(data[0]!)) return fromConfig(data[0]!, options, memo)
  for (const flag of ['models', 'datasets'] as const) if (options[flag] !== undefined) throw noConfig(`--${flag}`, data)
  const { config, format } = modelGiven(options)
  const path = data.length === 1 ? data[0]! : data
  const written = data.length === 1 ? conversationIn(data[0]!) : undefined
  const source = written === undefined ? { path } : { rows: [{ messages: written }] }
  const { test: rows } = openRows({ abbr: 'export', ...source, on_bad_row: options.skipBadRows ? 'skip' : 'error' }, '.')
  return { config, ...tokenizerFor(config, '.', options, format), format: compileChat(config).format, rows, names: data }
}

async function fromConfig(file: string, options: SourceFlags, memo: RunMemo): Promise<ExportSetup> {
  const loaded = await loadOrExample(file, { models: options.models, datasets: options.datasets })
  const given = modelFlagsIn(options).some((flag) => flag !== '--tokenizer') ? modelGiven(options) : undefined
  const config = only(given ? [given.config] : selectByName(configuredModels(loaded), options.models, '--models'), 'models', file)
  const dataset = only(selectByName(loaded.config.datasets as DatasetConfig[], options.datasets, '--datasets'), 'datasets', file)
  const found = tokenizerFor(config, loaded.folder, options, given?.format)
  const answered = await answeredRows(config, dataset as never, { folder: loaded.folder, tokenizer: found.tokenizer, memo })
  return { config, ...found, ...answered, names: [`${file} › ${dataset.abbr ?? 'dataset'}`] }
}

function only<Item extends { abbr?: string | undefined }>(items: readonly Item[], what: 'models' | 'datasets', file: string): Item {
  const [first, ...others] = items
  if (first !== undefined && others.length === 0) return first
  const names = items.map(({ abbr }, index) => abbr ?? `${what}[${index}]`)
  throw new PromptError(first === undefined ? 'missing' : 'several', {
    where: `${file} › ${what}`,
    problem: first === undefined ? `the config has no ${what}` : `the config has several: ${names.join(', ')}`,
    fix: first === undefined ? `add one${what === 'models' ? ', or use --format' : ''}` : `choose one: --${what} ${names[0]}`,
  })
}

/** The messages of a text that is a conversation in InternLM2's format. */
function conversationIn(file: string): readonly ChatMessage[] | undefined {
  if (!/\.(?:txt|md)$/.test(file) || !existsSync(file)) return undefined
  const recognised = recognise(readWholeText(file), file)
  return recognised && messagesIn(recognised)?.messages
}

/** Modules and YAML are configs; JSON is one if it has datasets, or parts of one. */
function isConfigFile(file: string): boolean {
  if (/\.(?:[cm]?[jt]s|ya?ml|py)$/.test(file)) return true
  if (!existsSync(file)) return false
  if (!file.endsWith('.json')) return false
  try {
    const content: unknown = JSON.parse(readWholeText(file))
    return isDict(content) && ('datasets' in content || hasDatasetParts(content as Record<string, unknown>))
  } catch {
    return false
  }
}

function noConfig(flag: string, data: readonly string[]): PromptError {
  return new PromptError('no-config', {
    where: flag,
    problem: `${data.join(', ')} contains conversations, not a config`,
    fix: `remove ${flag}, or export a config: rolecall export eval.yaml ${flag} NAME -o train.jsonl`,
  })
}

/** The model of the flags; prints the notes on its format. */
function modelGiven(options: SourceFlags): ReturnType<typeof modelOfFlags> {
  const given = modelOfFlags(options)
  printWarnings(given.format?.notes ?? [])
  return given
}

/** The tokenizer is next to the chat template by default. */
function tokenizerFor(
  config: ModelConfig,
  folder: string,
  options: SourceFlags,
  format: FormatOfFlags | undefined,
): { tokenizer: Tokenizer; tokenizerHash: string } {
  const beside = options.tokenizer ?? format?.read.tokenizer
  const tokenizer = beside === undefined ? tokenizerOf(config, folder) : tokenizerAt(resolve(beside))
  if (tokenizer === undefined || (beside === undefined && format?.read.kind === 'templates')) {
    throw new PromptError('no-tokenizer', {
      where: '--tokenizer',
      problem: 'the tokenizer of this format is unknown',
      fix: "use --tokenizer with the model's folder, tokenizer.json or tokenizer.model",
    })
  }
  return {
    tokenizer,
    tokenizerHash: beside === undefined ? hashOf(`${tokenizer.name} ${tokenizer.size}`) : hashOf(readFileSync(fileOf(beside))),
  }
}

function fileOf(path: string): string {
  return statSync(path).isDirectory() ? (tokenizerBeside(path) ?? path) : path
}
