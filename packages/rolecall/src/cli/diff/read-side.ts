import { existsSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { formatNamed, isFormatName, withCompiler } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { selectByName } from '../../evaluation/config/select-by-name.ts'
import { type LoadedConfig, loadConfig } from '../../node/config/load-config.ts'
import { shownHubPath } from '../../node/hub/hub-name.ts'
import { chooseTemplate, loadChatTemplate } from '../../node/models/load-chat-template.ts'
import { foldersNamed } from '../../node/runs/find-run.ts'
import { resultsAt } from '../../node/runs/foreign/open-run-or-results.ts'
import { recordedConfig } from '../../node/runs/recorded-config.ts'
import { isRun } from '../../node/runs/run-layout.ts'
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
  const run = foldersNamed(given).find(isRun) ?? (isFormatName(given) || isTemplate(given) ? undefined : await resultsAt(given))
  if (run === undefined && !existsSync(given)) {
    if (models.length > 0 && !isFormatName(given)) throw unknownSide(given, models)
    return { kind: 'model', name: given, model: formatNamed(given, given), folder: process.cwd(), notes: [] }
  }
  if (run !== undefined) {
    const loaded = withGuardedTemplates(await recordedConfig(run))
    const text = 'prompts are rendered again from its config and dataset'
    return { kind: 'config', name: given, loaded, notes: [{ code: 'rendered-again', where: given, text }] }
  }
  return isTemplate(given) ? template(given) : config(given)
}

function unknownSide(given: string, models: readonly ModelConfig[]): PromptError {
  return new PromptError('unknown-side', {
    where: given,
    problem: `"${given}" is not a model of the config, a format or a file`,
    fix: `the models are: ${models.map(({ abbr = 'model' }) => abbr).join(', ')}; \`rolecall formats\` lists formats`,
  })
}

/** Whether a path is a chat template. */
function isTemplate(path: string): boolean {
  if (!existsSync(path)) return false
  if (statSync(path).isDirectory()) return ['chat_template.jinja', 'tokenizer_config.json'].some((name) => existsSync(join(path, name)))
  return /\.(?:jinja2?|j2|gguf)$/.test(path) || basename(path) === 'tokenizer_config.json'
}

function template(path: string): DiffSide {
  const loaded = loadChatTemplate(path)
  const tokenizer = statSync(path).isDirectory() && existsSync(join(path, 'tokenizer.json')) ? { tokenizer_path: resolve(path) } : {}
  const model = withCompiler(
    { chat_template: chooseTemplate(loaded), special_tokens: { ...loaded.specialTokens }, ...tokenizer },
    isolatedTemplate,
  )
  return { kind: 'model', name: shownHubPath(path), model, folder: process.cwd(), notes: [...(loaded.notes ?? [])] }
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
