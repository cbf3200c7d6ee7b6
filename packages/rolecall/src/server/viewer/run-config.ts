import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError, withoutMarks } from '@rolecall/core/internal/errors'
import { registerOpenCompassDatasets } from '../../compat/opencompass/register-datasets.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { inFormat } from '../../evaluation/config/in-format.ts'
import { distinctModels, type ModelName, modelText } from '../../evaluation/run/record/pair-name.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { type RunInfo, runFiles } from '../../node/runs/run-layout.ts'

/** The config that a run recorded, with a model for each of its formats. */
export function readRunConfig(folder: string, info: RunInfo): LoadedConfig {
  const file = join(folder, runFiles.config)
  registerOpenCompassDatasets()
  const config = checkConfig(withoutFunctions(withoutMarks(readJson(file))), `${file} › `, { foreignKeys: true })
  const models = config.models as readonly ModelConfig[]
  const inRun = distinctModels(info.pairs).map((name) => modelNamed(models, name))
  return { file, folder: info.folder, config: { ...config, models: inRun as never } }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new PromptError('bad-run', {
      where: file,
      problem: 'the file is not valid JSON: it is damaged, or still being written',
      fix: 'if this persists, restore the file or run `rolecall run -r` again',
    })
  }
}

/** Runs record only the names of a TypeScript config's functions; prompts do not need them. */
function withoutFunctions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFunctions)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, one]) => !(typeof one === 'object' && one !== null && '$function' in one))
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutFunctions(one)]))
}

/** A model in the format of the run; only its name if the config no longer has it. */
function modelNamed(models: readonly ModelConfig[], name: ModelName): ModelConfig {
  const found = models.filter(({ abbr }, index) => (abbr ?? `model-${index}`) === name.model).slice(0, 1)
  const { format } = name
  const [model] = format === undefined || found.length === 0 ? found : inFormat(found, { name: format, model: { format } })
  return { ...model, abbr: modelText(name) }
}
