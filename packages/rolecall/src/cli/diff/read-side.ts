import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { withCompiler } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { type LoadedConfig, loadConfig } from '../../node/config/load-config.ts'
import { isFormat, readFormat, settingsOf } from '../../node/formats/read-format.ts'
import { foldersNamed } from '../../node/runs/find-run.ts'
import { resultsAt } from '../../node/runs/foreign/open-run-or-results.ts'
import { isRun } from '../../node/runs/run-layout.ts'
import { openRun } from '../../node/runs/run-reader.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import { warnConfig } from '../warn-config.ts'

/** One side of a comparison: a model with its format, or a config with models and datasets. */
export type DiffSide = { name: string; notes: readonly Note[] } & (
  | { kind: 'model'; model: ModelConfig; folder: string }
  | { kind: 'config'; loaded: LoadedConfig }
)

/** Reads a side: a format, a chat template, a model of the config with the rows, a config, or a run folder. */
export async function readSide(given: string, rows: LoadedConfig | undefined): Promise<DiffSide> {
  const models = (rows?.config.models ?? []) as ModelConfig[]
  if (models.some(({ abbr }) => abbr === given)) {
    const [model] = selectByName(models, given, given)
    return { kind: 'model', name: given, model: model!, folder: rows!.folder, notes: [] }
  }
  const run = foldersNamed(given).find(isRun) ?? (isFormat(given) ? undefined : await resultsAt(given))
  if (run === undefined && !existsSync(given) && models.length > 0 && !isFormat(given)) throw unknownSide(given, models)
  if (run !== undefined) {
    const loaded = withGuardedTemplates(await openRun(run).config())
    const text = 'prompts are rendered again from its config and dataset'
    return { kind: 'config', name: given, loaded, notes: [{ code: 'rendered-again', where: given, text }] }
  }
  return isFormat(given) || !existsSync(given) ? format(given) : config(given)
}

function unknownSide(given: string, models: readonly ModelConfig[]): PromptError {
  return new PromptError('unknown-side', {
    where: given,
    problem: `"${given}" is not a model of the config, a format or a file`,
    fix: `the models are: ${models.map(({ abbr = 'model' }) => abbr).join(', ')}; \`rolecall list formats\` lists formats`,
  })
}

function format(given: string): DiffSide {
  const read = readFormat(given, { where: given })
  const { name, model, notes } = settingsOf(read)
  // The ids of a single template are compared only with --tokenizer.
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
  const tokenizer = isFolder && read.tokenizer !== undefined ? { tokenizer_path: resolve(read.tokenizer) } : {}
  return { kind: 'model', name, model: withCompiler({ ...model, ...tokenizer }, isolatedTemplate), folder: process.cwd(), notes }
}

async function config(path: string): Promise<DiffSide> {
  if (statSync(path).isDirectory())
    throw new PromptError('no-side', {
      where: path,
      problem: 'the folder is neither a run nor a model with a chat template',
      fix: 'use a run folder of `rolecall run`, a folder with a tokenizer_config.json, or a file',
    })
  const loaded = withGuardedTemplates(await loadConfig(path))
  warnConfig(loaded)
  return { kind: 'config', name: path, loaded, notes: [] }
}
