import { PromptError } from '@rolecall/core/internal/errors'
import { quirksOf } from '@rolecall/core/internal/fidelity'
import type { Format } from '@rolecall/core/internal/format'
import { compileLoadedFormat, type Model, type UncheckedFormatSettings } from '@rolecall/core/internal/model'
import type { ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { withTracing } from '../../template/trace.ts'
import type { ColumnQuestion, ModelSettings } from './contract.ts'
import { tokenizerOf } from './tokenizers.ts'

/** A column's model: its format, compiled once, and its tokenizer if there is one. */
export async function columnModel({ name, settings, tokenizer }: ColumnQuestion): Promise<Model> {
  return { name, format: await formatOf(settings), tokenizer: tokenizer && (await tokenizerOf(tokenizer)) }
}

const compiled = new Map<string, Format>()
/** Formats of the columns, and of those shown shortly before. */
const mostCompiled = 12

/** Chat templates are traced: they say which of their code wrote a stretch. */
async function formatOf(given: ModelSettings): Promise<Format> {
  const settings = await asWritten(given)
  if (needsEveryFormat(settings)) await import('@rolecall/core/all-formats')
  const key = JSON.stringify(settings)
  const found = compiled.get(key)
  if (found) return found
  const format = compileLoadedFormat(withTracing(settings as ModelConfig) as UncheckedFormatSettings, quirksOf(undefined))
  compiled.set(key, format)
  for (const old of compiled.keys()) if (compiled.size > mostCompiled) compiled.delete(old)
  return format
}

/** A model that its reader writes is a text in YAML: see `OwnModel`. */
async function asWritten(settings: ModelSettings): Promise<ModelSettings> {
  const { config, ...changes } = settings
  if (typeof config !== 'string') return settings
  const { readPane } = await import('../config/read-pane.ts')
  const { value, problems } = readPane(config)
  const [problem] = problems
  if (problem) throw new PromptError('bad-config', { where: 'model', problem: problem.message, fix: 'correct the text of the model' })
  return { ...(value as ModelSettings), ...changes }
}

/** Most columns are plain chat templates: the first prompt does not wait for the other kinds of formats. */
function needsEveryFormat({ chat_template: template, parts, roles, ...rest }: ModelSettings): boolean {
  return template === undefined || parts !== undefined || roles !== undefined || rest.mlc_config !== undefined
}

/** A tokenizer that fails to load leaves a column with an estimate, and the reason. */
export async function modelAnyway(column: ColumnQuestion): Promise<{ model: Model; without?: Error }> {
  try {
    return { model: await columnModel(column) }
  } catch (error) {
    if (column.tokenizer === undefined || !(error instanceof Error)) throw error
    const { tokenizer: _, ...rest } = column
    return { model: await columnModel(rest), without: error }
  }
}
